/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The ring of a stream: order, waiting, tickets, threads. */
#include "affine.h"
#include "gpu/core/memory/bufferhandle.h"
#include "gpu/core/stream/ring.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "stream_fixture.h"
#include "tests.h"

#include <string.h>

/* --- rings --- */

static void
check_ring (guint n_slots)
{
  g_autoptr (Fixture) fixture = setup (n_slots);
  GpuTicket tickets[N] = { {NULL} };
  guint32 expected = 0;

  for (guint i = 0; i < N; i++) {
    do_step (fixture, i + 1, i, &tickets[i]);
  }
  /* From the newest to the oldest, whose slot has moved on for long. */
  for (guint i = N; i-- > 0;) {
    OK (gpu_ticket_wait (&tickets[i], &error));
    g_assert_true (gpu_ticket_is_done (&tickets[i]));
    gpu_ticket_clear (&tickets[i]);
  }
  for (guint i = 0; i < N; i++) {
    expected = affine_step (expected, i + 1);
    g_assert_cmpuint (host_word (fixture, i), ==, expected);
  }
}

TEST (rings)
{
  check_ring (1);
  check_ring (2);
  check_ring (8);
}

/* A device that is slower than the test, whatever its speed. */
GPU_HOOK_RETURNS (not_ready, VK_NOT_READY, VkDevice device, VkFence fence);

static guint fence_waits;

static VkResult VKAPI_CALL
count_wait (VkDevice device, uint32_t n, const VkFence * fences, VkBool32 all,
    uint64_t timeout)
{
  VkResult result = gpu_hooks_get_driver ()->vkWaitForFences (device, n,
      fences, all, timeout);

  /* Who waits looks up now and then. */
  fence_waits += result != VK_TIMEOUT;
  return result;
}

static guint64
count_slot_waits (GpuStream * stream)
{
  GpuStreamCounts counts;

  gpu_stream_get_counts (stream, &counts);
  return counts.slot_waits;
}

/* A ring of n takes n submissions without a wait, and not one more. */
static void
check_slot_waits (guint n_slots)
{
  g_autoptr (Fixture) fixture = setup (n_slots);

  fence_waits = 0;
  fixture->device->vk.vkWaitForFences = count_wait;
  fixture->device->vk.vkGetFenceStatus = not_ready;
  for (guint i = 0; i < n_slots; i++) {
    do_step (fixture, 1, 0, NULL);
  }
  g_assert_cmpuint (fence_waits, ==, 0);
  g_assert_cmpuint (count_slot_waits (fixture->stream), ==, 0);
  begin (fixture->stream);
  g_assert_cmpuint (fence_waits, ==, 1);
  g_assert_cmpuint (count_slot_waits (fixture->stream), ==, 1);
  gpu_stream_abandon (fixture->stream);
  wait_idle (fixture->stream);
}

TEST (slot_waits)
{
  check_slot_waits (1);
  check_slot_waits (3);
}

static gboolean
is_unwanted (gpointer unwanted)
{
  return *(gboolean *) unwanted;
}

/* Nothing begins while the work is not wanted; what was submitted stays, and
 * what comes later is as ever. */
TEST (cancel)
{
  g_autoptr (Fixture) fixture = setup (1);
  gboolean unwanted = FALSE;

  gpu_stream_set_hooks (fixture->stream,
      &(GpuStreamHooks) {is_unwanted, .data = &unwanted});
  begin (fixture->stream);
  record_step (fixture, fixture->stream, 1, 0);
  unwanted = TRUE;
  submit (fixture->stream, NULL);
  FAILS (GPU_ERROR_CANCELLED, gpu_stream_begin (fixture->stream, &error));
  gpu_stream_abandon (fixture->stream);
  unwanted = FALSE;
  do_step (fixture, 2, 1, NULL);
  wait_idle (fixture->stream);
  g_assert_cmpuint (host_word (fixture, 0), ==, affine_step (0, 1));
  g_assert_cmpuint (host_word (fixture, 1), ==,
      affine_step (affine_step (0, 1), 2));
  unwanted = TRUE;
  gpu_stream_set_hooks (fixture->stream, &(GpuStreamHooks) {NULL});
  begin (fixture->stream);
  gpu_stream_abandon (fixture->stream);
}

/* Nobody waits between these submissions: the barriers alone keep order. */
TEST (two_streams)
{
  g_autoptr (Fixture) fixture = setup (8);
  g_autoptr (GpuStream) other = new_stream (fixture->device, 8);
  guint32 expected = 0;

  for (guint i = 0; i < 40; i++) {
    GpuStream *stream = i % 3 ? other : fixture->stream;

    begin (stream);
    affine_record (stream, fixture->kernel, fixture->work, N, i);
    submit (stream, NULL);
    expected = affine_step (expected, i);
  }
  begin (other);
  gpu_stream_copy (other, fixture->work, 0, fixture->host, 0, N * 4);
  submit (other, NULL);
  wait_idle (other);
  for (guint i = 0; i < N; i++)
    g_assert_cmpuint (host_word (fixture, i), ==, expected);
}

/* --- what validation does not watch --- */

static gint in_queue, most_in_queue;

static VkResult VKAPI_CALL
count_in_queue (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  gint now = g_atomic_int_add (&in_queue, 1) + 1;
  VkResult result;

  if (now > g_atomic_int_get (&most_in_queue))
    g_atomic_int_set (&most_in_queue, now);
  g_usleep (100);
  result = gpu_hooks_get_driver ()->vkQueueSubmit (queue, n, infos, fence);
  g_atomic_int_add (&in_queue, -1);
  return result;
}

static gpointer
submit_often (gpointer data)
{
  g_autoptr (GpuStream) stream = new_stream (the_fixture.device, 2);

  for (guint i = 0; i < 50; i++) {
    begin (stream);
    gpu_stream_fill (stream, the_fixture.work, 0, 4, i);
    submit (stream, NULL);
  }
  return NULL;
}

/* The queue is one thread's at a time. */
TEST (queue_lock)
{
  g_autoptr (Fixture) fixture = setup (1);
  GThread *threads[3];

  most_in_queue = 0;
  fixture->device->vk.vkQueueSubmit = count_in_queue;
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("submits", submit_often, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_cmpint (most_in_queue, ==, 1);
}

/* --- tickets --- */

TEST (tickets)
{
  g_autoptr (Fixture) fixture = setup (2);
  GpuTicket none = { NULL, 0 }, old = none, running = none, copy = none;
  PFN_vkGetFenceStatus get_status = fixture->device->vk.vkGetFenceStatus;

  g_assert_true (gpu_ticket_is_done (&none));
  g_assert_true (gpu_ticket_wait (&none, NULL));

  fixture->device->vk.vkGetFenceStatus = not_ready;
  fixture->device->vk.vkWaitForFences = count_wait;
  for (guint i = 0; i < 3; i++) {
    do_step (fixture, i, 0, i == 0 ? &old : i == 2 ? &running : NULL);
  }
  /* The slot of the old one is busy with the third, which is no reason to
   * wait. */
  fence_waits = 0;
  g_assert_true (gpu_ticket_is_done (&old));
  g_assert_true (gpu_ticket_wait (&old, NULL));
  g_assert_cmpuint (fence_waits, ==, 0);
  g_assert_false (gpu_ticket_is_done (&running));

  gpu_ticket_set (&copy, &running);
  gpu_ticket_set (&copy, &copy);
  gpu_ticket_clear (&running);
  g_assert_true (gpu_ticket_is_done (&running));
  g_assert_false (gpu_ticket_is_done (&copy));
  g_assert_true (gpu_ticket_wait (&copy, NULL));
  fixture->device->vk.vkGetFenceStatus = get_status;
  g_assert_true (gpu_ticket_is_done (&copy));

  /* A ticket may hold the last reference of its stream. */
  g_clear_pointer (&fixture->stream, gpu_stream_unref);
  g_assert_true (gpu_ticket_wait (&old, NULL));
  gpu_ticket_clear (&copy);
  gpu_ticket_clear (&old);
}

/* The ticket of what is being recorded is done when that is, not before it is
 * submitted; where nothing becomes of it, it is that of what comes next. */
TEST (early_tickets)
{
  g_autoptr (Fixture) fixture = setup (1);
  PFN_vkGetFenceStatus get_status = fixture->device->vk.vkGetFenceStatus;
  g_auto (GpuTicket) ticket = { NULL, 0 };

  for (guint i = 0; i < 3; i++) {
    begin (fixture->stream);
    record_step (fixture, fixture->stream, 1, 0);
    gpu_stream_get_ticket (fixture->stream, &ticket);
    g_assert_false (gpu_ticket_is_done (&ticket));
    gpu_stream_abandon (fixture->stream);
    wait_idle (fixture->stream);
    g_assert_false (gpu_ticket_is_done (&ticket));
    begin (fixture->stream);
    record_step (fixture, fixture->stream, 1, 0);
    g_assert_false (gpu_ticket_is_done (&ticket));
    fixture->device->vk.vkGetFenceStatus = not_ready;
    submit (fixture->stream, NULL);
    g_assert_false (gpu_ticket_is_done (&ticket));
    fixture->device->vk.vkGetFenceStatus = get_status;
    wait_idle (fixture->stream);
    g_assert_true (gpu_ticket_is_done (&ticket));
  }
}

/* --- who only asks --- */

static guint n_waits;

/* Nobody holds the lock of the stream where the driver may wait. */
static void
check_unlocked (void)
{
  GMutex *lock = &the_fixture.stream->lock;

  g_assert_true (g_mutex_trylock (lock));
  g_mutex_unlock (lock);
}

static VkResult VKAPI_CALL
submit_unlocked (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  check_unlocked ();
  return gpu_hooks_get_driver ()->vkQueueSubmit (queue, n, infos, fence);
}

static VkResult VKAPI_CALL
wait_unlocked (VkDevice device, uint32_t n, const VkFence * fences,
    VkBool32 all, uint64_t timeout)
{
  check_unlocked ();
  n_waits++;
  return gpu_hooks_get_driver ()->vkWaitForFences (device, n, fences, all,
      timeout);
}

/* On Mesa's CPU device this begins with vkDeviceWaitIdle(). */
static VkResult VKAPI_CALL
read_unlocked (VkDevice device, VkQueryPool pool, uint32_t first, uint32_t n,
    size_t size, void *data, VkDeviceSize stride, VkQueryResultFlags flags)
{
  check_unlocked ();
  n_waits++;
  return gpu_hooks_get_driver ()->vkGetQueryPoolResults (device, pool, first,
      n, size, data, stride, flags);
}

static void
watch_waits (GpuDevice * device)
{
  device->vk.vkQueueSubmit = submit_unlocked;
  device->vk.vkWaitForFences = wait_unlocked;
  if (device->info.kind == GPU_DEVICE_CPU)
    device->vk.vkGetQueryPoolResults = read_unlocked;
}

/* A thread that asks waits for nothing, and learns what the work took. */
TEST (asking)
{
  g_autoptr (Fixture) fixture = setup (2);
  g_auto (GpuTicket) ticket = { NULL, 0 };
  GpuTimings timings;

  watch_waits (fixture->device);
  for (guint i = 0; i < 5; i++) {
    do_step (fixture, 1, 0, &ticket);
    n_waits = 0;
    while (!gpu_ticket_is_done (&ticket))
      g_usleep (100);
    gpu_stream_get_timings (fixture->stream, &timings);
    g_assert_cmpuint (n_waits, ==, 0);
    g_assert_cmpuint (timings.submissions, >, 0);
    g_assert_cmpint (timings.span > 0, ==,
        fixture->device->info.timestamp_period > 0);
  }
}

/* --- threads --- */

/* One thread records, others wait for its tickets and look at the results,
 * while the slots are used again and again. */

typedef struct
{
  GpuTicket ticket;
  guint word;
  guint32 expected;
} Promise;

static gpointer
collect_promises (gpointer data)
{
  GAsyncQueue *queue = data;
  Fixture *fixture = &the_fixture;
  Promise *promise;
  guint n = 0;

  while ((promise = g_async_queue_pop (queue))->ticket.stream) {
    GpuTimings timings;

    g_assert_true (gpu_ticket_wait (&promise->ticket, NULL));
    g_assert_true (gpu_ticket_is_done (&promise->ticket));
    g_assert_cmpuint (host_word (fixture, promise->word), ==,
        promise->expected);
    gpu_stream_get_timings (promise->ticket.stream, &timings);
    gpu_ticket_clear (&promise->ticket);
    g_free (promise);
    n++;
  }
  g_free (promise);
  return GUINT_TO_POINTER (n);
}

static void
check_threads (guint n_slots)
{
  g_autoptr (Fixture) fixture = setup (n_slots);
  GAsyncQueue *queue = g_async_queue_new ();
  GThread *threads[5];
  guint32 expected = 0;
  guint n = 0;

  g_clear_pointer (&fixture->host, gpu_buffer_unref);
  fixture->host = new_buffer (fixture->device, GPU_BUFFER_HOST, 300);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("waits", collect_promises, queue);
  for (guint i = 0; i < 300; i++) {
    GpuTicket ticket = { NULL };

    expected = affine_step (expected, i);
    gpu_stream_next_frame (fixture->stream);
    do_step (fixture, i, i, &ticket);
    /* Twice, so that two threads wait for one fence. */
    for (guint k = 0; k < 2; k++) {
      Promise *promise = g_new0 (Promise, 1);

      promise->word = i;
      promise->expected = expected;
      gpu_ticket_set (&promise->ticket, &ticket);
      g_async_queue_push (queue, promise);
    }
    gpu_ticket_clear (&ticket);
  }
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_async_queue_push (queue, g_new0 (Promise, 1));
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    n += GPOINTER_TO_UINT (g_thread_join (threads[i]));
  g_assert_cmpuint (n, ==, 600);
  g_async_queue_unref (queue);
}

TEST (threads)
{
  check_threads (1);
  check_threads (3);
}

/* One thread is kept inside its wait. */
static GMutex lingering_lock;
static GCond lingering_changed;
static GThread *lingerer;
static gboolean is_lingering, may_leave;
static guint resets_while_lingering;

static VkResult VKAPI_CALL
linger (VkDevice device, uint32_t n, const VkFence * fences, VkBool32 all,
    uint64_t timeout)
{
  VkResult result = gpu_hooks_get_driver ()->vkWaitForFences (device, n,
      fences, all, timeout);

  g_mutex_lock (&lingering_lock);
  if (g_thread_self () == lingerer) {
    is_lingering = TRUE;
    g_cond_broadcast (&lingering_changed);
    while (!may_leave)
      g_cond_wait (&lingering_changed, &lingering_lock);
    is_lingering = FALSE;
  }
  g_mutex_unlock (&lingering_lock);
  return result;
}

static VkResult VKAPI_CALL
see_reset (VkDevice device, uint32_t n, const VkFence * fences)
{
  g_mutex_lock (&lingering_lock);
  resets_while_lingering += is_lingering;
  g_mutex_unlock (&lingering_lock);
  return gpu_hooks_get_driver ()->vkResetFences (device, n, fences);
}

static gpointer
linger_on_ticket (gpointer ticket)
{
  g_mutex_lock (&lingering_lock);
  lingerer = g_thread_self ();
  g_mutex_unlock (&lingering_lock);
  g_assert_true (gpu_ticket_wait (ticket, NULL));
  return NULL;
}

/* A thread that is inside its wait for @ticket until let go. */
static GThread *
start_lingerer (Fixture * fixture, GpuTicket * ticket)
{
  GThread *thread;

  is_lingering = may_leave = FALSE;
  fixture->device->vk.vkWaitForFences = linger;
  thread = g_thread_new ("lingers", linger_on_ticket, ticket);
  g_mutex_lock (&lingering_lock);
  while (!is_lingering)
    g_cond_wait (&lingering_changed, &lingering_lock);
  g_mutex_unlock (&lingering_lock);
  return thread;
}

static void
let_go (void)
{
  g_mutex_lock (&lingering_lock);
  may_leave = TRUE;
  g_cond_broadcast (&lingering_changed);
  g_mutex_unlock (&lingering_lock);
}

static gpointer
let_go_later (gpointer data)
{
  g_usleep (100000);
  let_go ();
  return NULL;
}

/* A fence is used again only when no thread waits for it any more. Where the
 * time that one stays in its wait is too short, a fault may go unnoticed, but
 * nothing fails that should not. */
TEST (fence_reuse)
{
  g_autoptr (Fixture) fixture = setup (1);
  g_auto (GpuTicket) ticket = { NULL };
  GThread *waiter, *releaser;

  resets_while_lingering = 0;
  do_step (fixture, 1, 0, &ticket);
  fixture->device->vk.vkResetFences = see_reset;
  waiter = start_lingerer (fixture, &ticket);
  releaser = g_thread_new ("lets go", let_go_later, NULL);
  do_step (fixture, 2, 1, NULL);
  g_assert_cmpuint (resets_while_lingering, ==, 0);
  g_thread_join (waiter);
  g_thread_join (releaser);
  wait_idle (fixture->stream);
  g_assert_cmpuint (host_word (fixture, 1), ==, 5);
}

/* Who comes late from a wait takes no newer submission for an old one. */
TEST (late_waiter)
{
  g_autoptr (Fixture) fixture = setup (2);
  g_auto (GpuTicket) second = { NULL };
  GThread *waiter;

  for (guint i = 0; i < 2; i++) {
    do_step (fixture, i, i, i == 1 ? &second : NULL);
  }
  waiter = start_lingerer (fixture, &second);
  do_step (fixture, 2, 2, NULL);
  let_go ();
  g_thread_join (waiter);
  /* Of the third submission alone. */
  g_assert_cmpint (fixture->work->refs, ==, 3);
  wait_idle (fixture->stream);
  g_assert_cmpint (fixture->work->refs, ==, 1);
}

GPU_FIXTURE_MAIN ("/stream/", gpu_fixture_add_test)
