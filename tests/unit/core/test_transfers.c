/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Uploads and downloads on transfer queues: the batches of a submission, and their order. */
#include "affine.h"
#include "gpu/core/memory/bufferhandle.h"
#include "gpu/core/stream/slot.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "stream_fixture.h"

#include <string.h>

typedef enum
{
  UPLOADS,
  WORK,
  DOWNLOADS,
  N_QUEUES,
} Queue;

static VkQueue queues[N_QUEUES];        /* those of the device, or only names */

static Queue
which (VkQueue queue)
{
  Queue i = 0;

  while (queues[i] != queue)
    i++;
  return i;
}

/* If the device has no transfer queues, its only queue plays them. */
static VkResult
send_batch (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  GpuDevice *device = the_fixture.device;

  if (device->transfer_family == device->queue_family)
    queue = device->queue;
  return gpu_hooks_get_driver ()->vkQueueSubmit (queue, n, infos, fence);
}

static Fixture *
setup_queues (PFN_vkQueueSubmit see)
{
  Fixture *fixture = setup (1);
  GpuDevice *device = fixture->device;

  if (!device->upload_queue) {
    device->upload_queue = (VkQueue) & queues[UPLOADS];
    device->download_queue = (VkQueue) & queues[DOWNLOADS];
  }
  queues[UPLOADS] = device->upload_queue;
  queues[WORK] = device->queue;
  queues[DOWNLOADS] = device->download_queue;
  device->vk.vkQueueSubmit = see;
  g_clear_pointer (&fixture->stream, gpu_stream_unref);
  fixture->stream = new_stream (device, 4);
  return fixture;
}

/* @from or @to may be NULL: what is not uploaded, or not downloaded. */
static void
work_between (GpuStream * stream, GpuBuffer * from, GpuBuffer * work,
    GpuBuffer * to, guint addend)
{
  begin (stream);
  if (from)
    gpu_stream_upload (stream, from, work);
  affine_record (stream, the_fixture.kernel, work, N, addend);
  if (to)
    gpu_stream_download (stream, work, to);
  submit (stream, NULL);
}

/* --- chains --- */

/* What the batches of submissions do: U uploads, W works, D downloads, a small letter does
 * nothing on that queue. */
static struct
{
  GString *batches;
  VkSemaphore last;             /* what the last batch signals; NULL: it ends a chain */
} chain;

static VkResult VKAPI_CALL
see_batch (VkQueue queue, uint32_t n, const VkSubmitInfo * infos, VkFence fence)
{
  g_string_append_c (chain.batches,
      (infos->commandBufferCount ? "UWD" : "uwd")[which (queue)]);
  g_assert_cmpuint (infos->waitSemaphoreCount, ==, chain.last ? 1 : 0);
  if (chain.last)
    g_assert_true (infos->pWaitSemaphores[0] == chain.last);
  chain.last = fence ? VK_NULL_HANDLE : infos->pSignalSemaphores[0];
  g_assert_cmpuint (infos->signalSemaphoreCount, ==, fence ? 0 : 1);
  return send_batch (queue, n, infos, fence);
}

static void
assert_batches (const gchar * batches)
{
  g_assert_cmpstr (chain.batches->str, ==, batches);
  g_string_truncate (chain.batches, 0);
}

static Fixture *
setup_chain (void)
{
  chain.batches = g_string_new (NULL);
  chain.last = VK_NULL_HANDLE;
  return setup_queues (see_batch);
}

static void
teardown_chain (Fixture * fixture)
{
  g_string_free (chain.batches, TRUE);
  teardown (fixture);
}

static void
test_chains (void)
{
  Fixture *fixture = setup_chain ();
  g_autoptr (GpuBuffer) other =
      new_buffer (fixture->device, GPU_BUFFER_DEVICE, N);
  g_autoptr (GpuBuffer) result =
      new_buffer (fixture->device, GPU_BUFFER_HOST, N);
  GpuBuffer *host = fixture->host, *work = fixture->work;
  GpuStream *stream = fixture->stream;

  work_between (stream, NULL, work, NULL, 1);
  assert_batches ("W");
  wait_idle (stream);
  /* Nothing is under way that uses the same buffers, */
  work_between (stream, host, work, result, 1);
  assert_batches ("UWD");
  wait_idle (stream);
  work_between (stream, host, work, NULL, 1);
  assert_batches ("UW");
  /* or that is not in order anyway. */
  work_between (stream, NULL, work, result, 1);
  assert_batches ("WD");

  /* The work must be done before this upload, and the download before both. Its fence must
   * not be signalled before that of the download. */
  work_between (stream, host, work, NULL, 1);
  assert_batches ("dwUWd");
  wait_idle (stream);
  work_between (stream, NULL, other, NULL, 1);
  work_between (stream, host, other, result, 1);
  assert_batches ("WwUWD");
  work_between (stream, NULL, other, NULL, 1);
  assert_batches ("dWd");
  work_between (stream, NULL, work, NULL, 1);
  assert_batches ("Wd");
  wait_idle (stream);

  /* Nor before the fence of a submission that itself ends with an empty batch, once the
   * download is known to be done. */
  work_between (stream, NULL, work, result, 1);
  assert_batches ("WD");
  for (guint i = 0; i < 4; i++) {
    work_between (stream, NULL, other, NULL, 1);
    assert_batches ("Wd");
  }
  wait_idle (stream);
  work_between (stream, NULL, other, NULL, 1);
  assert_batches ("W");

  /* It is not worth it for few submissions at a time. */
  g_clear_pointer (&fixture->stream, gpu_stream_unref);
  fixture->stream = new_stream (fixture->device, 2);
  work_between (fixture->stream, host, work, result, 1);
  assert_batches ("W");
  g_clear_pointer (&other, gpu_buffer_unref);
  g_clear_pointer (&result, gpu_buffer_unref);
  teardown_chain (fixture);
}

static guint accepted;          /* batches; the next one is refused */

/* A fence alone ends a chain that was broken off. */
static VkResult VKAPI_CALL
refuse_batch (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  if (n == 0) {
    g_string_append_c (chain.batches, "uwd"[which (queue)]);
    return send_batch (queue, n, infos, fence);
  }
  return accepted-- == 0 ? VK_ERROR_OUT_OF_HOST_MEMORY
      : see_batch (queue, n, infos, fence);
}

static void
assert_unused (const GpuBuffer * buffer)
{
  g_assert_cmpint (buffer->uses, ==, 0);
  g_assert_cmpint (buffer->downloads, ==, 0);
  g_assert_cmpint (buffer->refs, ==, 1);
}

/* What was begun is waited for, on its own queue, and nothing is leaked. */
static void
break_chain (guint n, const gchar * batches)
{
  Fixture *fixture = setup_chain ();
  g_autoptr (GError) error = NULL;

  fixture->device->vk.vkQueueSubmit = refuse_batch;
  accepted = n;
  begin (fixture->stream);
  gpu_stream_upload (fixture->stream, fixture->host, fixture->work);
  gpu_stream_download (fixture->stream, fixture->work, fixture->host);
  g_assert_false (gpu_stream_submit (fixture->stream, NULL, &error));
  g_assert_error (error, GPU_ERROR, GPU_ERROR_LOST);
  assert_batches (batches);
  g_clear_pointer (&fixture->stream, gpu_stream_unref);
  g_assert_false (fixture->device->hung);
  assert_unused (fixture->work);
  assert_unused (fixture->host);
  teardown_chain (fixture);
}

/* An upload whose work does not follow cannot be undone, nor can work. */
static void
test_broken_chain (void)
{
  break_chain (1, "Uu");
  break_chain (2, "UWw");
}

/* As if nothing had been recorded before. */
static void
check_next_submission (Fixture * fixture)
{
  assert_unused (fixture->work);
  assert_unused (fixture->host);
  work_between (fixture->stream, fixture->host, fixture->work, fixture->host,
      7);
  assert_batches ("UWD");
  wait_idle (fixture->stream);
  g_assert_cmpuint (host_word (fixture, 0), ==, affine_step (0, 7));
  assert_unused (fixture->work);
  assert_unused (fixture->host);
}

/* If the first batch is refused, nothing began. */
static void
test_refused_chain (void)
{
  Fixture *fixture = setup_chain ();
  g_autoptr (GError) error = NULL;

  fixture->device->vk.vkQueueSubmit = refuse_batch;
  accepted = 0;
  begin (fixture->stream);
  gpu_stream_upload (fixture->stream, fixture->host, fixture->work);
  gpu_stream_download (fixture->stream, fixture->work, fixture->host);
  g_assert_false (gpu_stream_submit (fixture->stream, NULL, &error));
  g_assert_error (error, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY);
  g_assert_false (gpu_device_is_lost (fixture->device));
  assert_batches ("");
  check_next_submission (fixture);
  teardown_chain (fixture);
}

static void
test_abandoned (void)
{
  Fixture *fixture = setup_chain ();

  begin (fixture->stream);
  gpu_stream_upload (fixture->stream, fixture->host, fixture->work);
  gpu_stream_download (fixture->stream, fixture->work, fixture->host);
  gpu_stream_abandon (fixture->stream);
  assert_batches ("");
  check_next_submission (fixture);
  teardown_chain (fixture);
}

/* What somebody saw to be done, and what ended with its stream, uses no buffer any more. */
static void
test_counts (void)
{
  Fixture *fixture = setup_chain ();
  GpuTicket ticket = { NULL, 0 };

  gpu_stream_get_ticket (fixture->stream, &ticket);
  for (guint i = 0; i < 2; i++) {
    work_between (fixture->stream, fixture->host, fixture->work, fixture->host,
        1);
    assert_batches ("UWD");
    g_assert_cmpint (fixture->host->uses, >, 0);
    g_assert_cmpint (fixture->work->downloads, >, 0);
    if (i == 0)
      while (!gpu_ticket_is_done (&ticket))
        g_usleep (100);
    else
      g_clear_pointer (&fixture->stream, gpu_stream_unref);
    gpu_ticket_clear (&ticket);
    assert_unused (fixture->host);
    assert_unused (fixture->work);
  }
  teardown_chain (fixture);
}

/* --- making a stream fails --- */

static struct VolkDeviceTable hooked;   /* with the calls counted */
static guint allowed;           /* of the calls below; the next one fails */

static VkResult VKAPI_CALL
make_some_pools (VkDevice device, const VkCommandPoolCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkCommandPool * pool)
{
  return allowed-- == 0 ? VK_ERROR_OUT_OF_HOST_MEMORY
      : hooked.vkCreateCommandPool (device, info, allocator, pool);
}

static VkResult VKAPI_CALL
make_some_commands (VkDevice device, const VkCommandBufferAllocateInfo * info,
    VkCommandBuffer * commands)
{
  return allowed-- == 0 ? VK_ERROR_OUT_OF_HOST_MEMORY
      : hooked.vkAllocateCommandBuffers (device, info, commands);
}

static VkResult VKAPI_CALL
make_some_queries (VkDevice device, const VkQueryPoolCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkQueryPool * pool)
{
  return allowed-- == 0 ? VK_ERROR_OUT_OF_HOST_MEMORY
      : hooked.vkCreateQueryPool (device, info, allocator, pool);
}

static VkResult VKAPI_CALL
make_some_semaphores (VkDevice device, const VkSemaphoreCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkSemaphore * semaphore)
{
  return allowed-- == 0 ? VK_ERROR_OUT_OF_HOST_MEMORY
      : hooked.vkCreateSemaphore (device, info, allocator, semaphore);
}

/* Of a slot: a pool and a command buffer for the work, both again for the copies, the
 * semaphores, and queries of both where there are timestamps. */
static guint
calls_per_slot (const GpuDevice * device)
{
  gboolean has_times = device->info.timestamp_period > 0;

  return 4 + GPU_MAX_BATCHES - 1 + has_times
      + (has_times && device->transfer_timestamp_mask);
}

static void
test_failing_start (void)
{
  Fixture *fixture = setup_queues (see_batch);
  struct VolkDeviceTable *vk = &fixture->device->vk;
  gint alive = gpu_hooks_get_alive ();
  guint n = 2 * calls_per_slot (fixture->device);

  hooked = *vk;
  vk->vkCreateCommandPool = make_some_pools;
  vk->vkAllocateCommandBuffers = make_some_commands;
  vk->vkCreateSemaphore = make_some_semaphores;
  vk->vkCreateQueryPool = make_some_queries;
  for (guint i = 0; i < n; i++) {
    g_autoptr (GError) error = NULL;

    allowed = i;
    g_assert_null (gpu_stream_new (fixture->device, 2, "hopeless", &error));
    g_assert_error (error, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY);
    g_assert_cmpint (gpu_hooks_get_alive (), ==, alive);
  }
  allowed = n;
  gpu_stream_unref (new_stream (fixture->device, 2));
  g_assert_cmpuint (allowed, ==, 0);
  teardown (fixture);
}

/* --- times --- */

#define TICKS 1000

/* The queries of a download follow those of the upload. */
static VkResult VKAPI_CALL
read_copy (VkDevice device, VkQueryPool pool, uint32_t first, uint32_t n,
    size_t size, void *data, VkDeviceSize stride, VkQueryResultFlags flags)
{
  VkResult result = gpu_hooks_get_driver ()->vkGetQueryPoolResults (device,
      pool, first, n, size, data, stride, flags);
  guint64 *ticks = data;

  for (guint i = 0; i < the_fixture.stream->n_slots; i++)
    if (pool == the_fixture.stream->slots[i].transfers.queries)
      ticks[1] = ticks[0] + (first + 1) * TICKS;
  return result;
}

static void
get_times (Fixture * fixture, GpuTimings * timings)
{
  gpu_stream_next_frame (fixture->stream);
  work_between (fixture->stream, fixture->host, fixture->work, fixture->host,
      1);
  wait_idle (fixture->stream);
  gpu_stream_get_timings (fixture->stream, timings);
  g_assert_cmpuint (timings->n_stages, ==, 3);
  g_assert_cmpstr (timings->stages[0].name, ==, "upload");
  g_assert_cmpstr (timings->stages[2].name, ==, "download");
}

/* From the second submission of a slot on; if they are not timed, as before. */
static void
test_times (void)
{
  Fixture *fixture = setup_chain ();
  const guint64 time = fixture->stream->slots[1].transfers.queries ? TICKS : 0;
  GpuTimings timings;

  if (time > 0)
    fixture->device->info.timestamp_period = 1;
  fixture->device->vk.vkGetQueryPoolResults = read_copy;
  for (guint i = 0; i < 4; i++) {
    get_times (fixture, &timings);
    g_assert_cmpuint (timings.stages[0].total, ==, 0);
  }
  for (guint i = 0; i < 2; i++) {
    get_times (fixture, &timings);
    g_assert_cmpuint (timings.stages[0].total, ==, time);
    g_assert_cmpuint (timings.stages[2].longest, ==, 3 * time);
    g_assert_cmpuint (timings.span, >=, 4 * time);
  }
  teardown_chain (fixture);
}

/* --- order --- */

/* Streams submit at random what uses a few buffers. Batch by batch it is worked out, from
 * queues, semaphores and fences alone, what Vulkan guarantees to be done before it. All that
 * uses the same buffers must be among this. (Synchronization validation takes correct
 * submissions to several queues for races: docs/internals/contributing.md.) */

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
  return (Access) {
  a.reads | b.reads, a.writes | b.writes};
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
  Queue queue = which (vk_queue);
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
  return send_batch (vk_queue, n, infos, fence);
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
    return (Access) {
    0, 0};
  return (Access) {
  1u << read, 1u << written};
}

static void
carry_out (const Plan * plan, GpuStream * stream, GpuBuffer ** buffers)
{
  order.stream = stream;
  order.uploads = make_access (plan->from, plan->work);
  order.works = make_access (plan->work, plan->work);
  order.downloads = make_access (plan->work, plan->to);
  work_between (stream, plan->from < 0 ? NULL : buffers[plan->from],
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
  Fixture *fixture = setup_queues (see_order);
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
  int result;

  g_test_init (&argc, &argv, NULL);
  gpu_fixture_add_test ("/transfers/chains", test_chains);
  gpu_fixture_add_test ("/transfers/broken-chain", test_broken_chain);
  gpu_fixture_add_test ("/transfers/refused-chain", test_refused_chain);
  gpu_fixture_add_test ("/transfers/abandoned", test_abandoned);
  gpu_fixture_add_test ("/transfers/failing-start", test_failing_start);
  gpu_fixture_add_test ("/transfers/counts", test_counts);
  gpu_fixture_add_test ("/transfers/times", test_times);
  gpu_fixture_add_test ("/transfers/order", test_order);
  result = g_test_run ();
  gpu_fixture_close ();
  return result;
}
