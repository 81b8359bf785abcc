/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Streams submit at random what uses a few buffers. Batch by batch it is worked out, from
 * queues, semaphores and fences alone, what Vulkan guarantees to be done before it. All that
 * uses the same buffers must be among this. (Synchronization validation takes correct
 * submissions to several queues for races: docs/internals/contributing.md.) */
#include "affine.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "transfers_fixture.h"

#include <string.h>

#define MAX_BATCHES 4096
#define N_BUFFERS 12            /* the host's, then the device's */
#define N_HOST 3

typedef guint8 Batches[MAX_BATCHES];    /* of each batch, whether it is one of them */

typedef struct
{
  guint reads, writes;          /* a bit for each buffer */
} Access;

typedef struct
{
  Access access;
  GpuStream *stream;
} Batch;

/* A semaphore or a fence. */
typedef struct
{
  guint64 handle;
  Batches done;                 /* when it is signalled */
} Signal;

static struct
{
  /* Of the submission at hand. */
  GpuStream *stream;
  gboolean copies_apart;        /* on queues of their own */
  Access uploads, works, downloads;

  guint n;
  Batch batches[MAX_BATCHES];
  Batches waited[N_QUEUES];     /* done before all that is sent to this queue from now on */
  Batches sent[N_QUEUES];       /* to this queue, and done before that */
  Batches known;                /* the CPU saw that they are done */
  GArray *semaphores, *fences;
} order;

static void
add (Batches to, const Batches more)
{
  for (guint i = 0; i < order.n; i++)
    to[i] |= more[i];
}

static Signal *
find (GArray * signals, guint64 handle)
{
  for (guint i = 0; i < signals->len; i++)
    if (g_array_index (signals, Signal, i).handle == handle)
      return &g_array_index (signals, Signal, i);
  return NULL;
}

static void
set_signal (GArray * signals, guint64 handle, const Batches done)
{
  Signal *signal = find (signals, handle);

  if (!signal) {
    g_array_set_size (signals, signals->len + 1);
    signal = &g_array_index (signals, Signal, signals->len - 1);
    signal->handle = handle;
  }
  memcpy (signal->done, done, sizeof (Batches));
}

static gboolean
are_in_conflict (const Access * a, const Access * b)
{
  return (a->writes & (b->reads | b->writes)) || (a->reads & b->writes);
}

static Access
both (Access a, Access b)
{
  return (Access) {a.reads | b.reads, a.writes | b.writes};
}

/* What is not on a queue of its own is part of the work. */
static Access
take_access (Queue queue)
{
  Access access = order.works;

  if (queue == UPLOADS)
    access = order.uploads;
  else if (queue == DOWNLOADS)
    access = order.downloads;
  else if (!order.copies_apart)
    access = both (access, both (order.uploads, order.downloads));
  return access;
}

/* Only the work begins with a barrier; a copy waits for nothing that was sent to its queue
 * before. */
static void
check_order (Queue queue, guint batch)
{
  for (guint i = 0; i < batch; i++)
    if (are_in_conflict (&order.batches[i].access,
            &order.batches[batch].access))
      g_assert_true (order.waited[queue][i]
          || (queue == WORK && order.sent[WORK][i]));
}

/* A submission of a stream is taken as done only after those before it. */
static void
check_fence (const Batches done)
{
  for (guint i = 0; i < order.n; i++)
    g_assert_true (order.batches[i].stream != order.stream || done[i]);
}

static VkResult VKAPI_CALL
see_order (VkQueue vk_queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  Queue queue = transfers_fixture_find (vk_queue);
  guint batch = order.n++;

  g_assert_cmpuint (order.n, <, MAX_BATCHES);
  order.batches[batch].stream = order.stream;
  if (infos->commandBufferCount)
    order.batches[batch].access = take_access (queue);
  add (order.waited[queue], order.known);
  for (guint i = 0; i < infos->waitSemaphoreCount; i++)
    add (order.waited[queue], find (order.semaphores,
            (guint64) infos->pWaitSemaphores[i])->done);
  check_order (queue, batch);
  add (order.sent[queue], order.waited[queue]);
  order.sent[queue][batch] = TRUE;
  for (guint i = 0; i < infos->signalSemaphoreCount; i++)
    set_signal (order.semaphores, (guint64) infos->pSignalSemaphores[i],
        order.sent[queue]);
  if (fence) {
    check_fence (order.sent[queue]);
    set_signal (order.fences, (guint64) fence, order.sent[queue]);
  }
  return transfers_fixture_send (vk_queue, n, infos, fence);
}

static void
know (VkFence fence)
{
  Signal *signal = find (order.fences, (guint64) fence);

  if (signal)
    add (order.known, signal->done);
}

static VkResult VKAPI_CALL
see_wait (VkDevice device, uint32_t n, const VkFence * fences, VkBool32 all,
    uint64_t timeout)
{
  VkResult result = gpu_hooks_get_driver ()->vkWaitForFences (device, n,
      fences, all, timeout);

  for (guint i = 0; i < n && result == VK_SUCCESS; i++)
    know (fences[i]);
  return result;
}

/* To upload to a buffer of the device, work in it, and download from it. */
typedef struct
{
  gint from, work, to;          /* indices of buffers; from and to -1: none */
  guint addend;
} Plan;

static Plan
make_plan (GRand * random)
{
  Plan plan = {
    .from = g_rand_int_range (random, -1, N_HOST),
    .work = g_rand_int_range (random, N_HOST, N_BUFFERS),
    .to = g_rand_int_range (random, -1, N_HOST),
    .addend = g_rand_int (random),
  };

  return plan;
}

static Access
make_access (gint read, gint written)
{
  if (read < 0 || written < 0)
    return (Access) {0, 0};
  return (Access) {1u << read, 1u << written};
}

static void
carry_out (const Plan * plan, GpuStream * stream, GpuBuffer ** buffers)
{
  order.stream = stream;
  order.uploads = make_access (plan->from, plan->work);
  order.works = make_access (plan->work, plan->work);
  order.downloads = make_access (plan->work, plan->to);
  transfers_fixture_work (stream, plan->from < 0 ? NULL : buffers[plan->from],
      buffers[plan->work], plan->to < 0 ? NULL : buffers[plan->to],
      plan->addend);
}

static void
expect (const Plan * plan, guint32 * words)
{
  if (plan->from >= 0)
    words[plan->work] = words[plan->from];
  words[plan->work] = affine_step (words[plan->work], plan->addend);
  if (plan->to >= 0)
    words[plan->to] = words[plan->work];
}

static void
make_buffers (Fixture * fixture, GpuBuffer ** buffers)
{
  begin (fixture->stream);
  for (guint i = 0; i < N_BUFFERS; i++) {
    buffers[i] = new_buffer (fixture->device, i < N_HOST ? GPU_BUFFER_HOST
        : GPU_BUFFER_DEVICE, N);
    gpu_stream_fill (fixture->stream, buffers[i], 0, N * 4, 0);
  }
  submit (fixture->stream, NULL);
  wait_idle (fixture->stream);
}

/* Those of the host. */
static void
check_words (GpuBuffer ** buffers, const guint32 * words)
{
  for (guint i = 0; i < N_HOST; i++) {
    const guint32 *data = gpu_buffer_get_data (buffers[i]);

    gpu_buffer_invalidate (buffers[i], NULL);
    for (guint k = 0; k < N; k++)
      g_assert_cmpuint (data[k], ==, words[i]);
  }
}

#define SUBMISSIONS 700

static void
test_order (void)
{
  static const guint n_slots[] = { 4, 3, 2 };
  Fixture *fixture = transfers_fixture_setup (see_order);
  GpuStream *streams[G_N_ELEMENTS (n_slots)];
  GpuBuffer *buffers[N_BUFFERS];
  guint32 words[N_BUFFERS] = { 0 };
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  memset (&order, 0, sizeof order);
  order.semaphores = g_array_new (FALSE, TRUE, sizeof (Signal));
  order.fences = g_array_new (FALSE, TRUE, sizeof (Signal));
  fixture->device->vk.vkWaitForFences = see_wait;
  make_buffers (fixture, buffers);
  for (guint i = 0; i < G_N_ELEMENTS (streams); i++)
    streams[i] = new_stream (fixture->device, n_slots[i]);
  for (guint i = 0; i < SUBMISSIONS; i++) {
    guint s = g_rand_int_range (random, 0, G_N_ELEMENTS (streams));
    const Plan plan = make_plan (random);

    order.copies_apart = n_slots[s] > 2;
    carry_out (&plan, streams[s], buffers);
    expect (&plan, words);
    if (g_rand_int_range (random, 0, 8) == 0)
      wait_idle (streams[s]);
  }
  for (guint i = 0; i < G_N_ELEMENTS (streams); i++) {
    wait_idle (streams[i]);
    gpu_stream_unref (streams[i]);
  }
  check_words (buffers, words);
  for (guint i = 0; i < N_BUFFERS; i++)
    gpu_buffer_unref (buffers[i]);
  g_array_unref (order.semaphores);
  g_array_unref (order.fences);
  teardown (fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gpu_fixture_add_test ("/transfers/order", test_order);
  return gpu_fixture_run_tests ();
}
