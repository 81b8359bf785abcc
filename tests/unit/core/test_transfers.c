/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Uploads and downloads on transfer queues: the batches of a submission, failures, times. */
#include "affine.h"
#include "gpu/core/memory/bufferhandle.h"
#include "gpu/core/stream/ring.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "tests.h"
#include "transfers_fixture.h"

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
      (infos->commandBufferCount ? "UWD" :
          "uwd")[transfers_fixture_find (queue)]);
  g_assert_cmpuint (infos->waitSemaphoreCount, ==, chain.last ? 1 : 0);
  if (chain.last)
    g_assert_true (infos->pWaitSemaphores[0] == chain.last);
  chain.last = fence ? VK_NULL_HANDLE : infos->pSignalSemaphores[0];
  g_assert_cmpuint (infos->signalSemaphoreCount, ==, fence ? 0 : 1);
  return transfers_fixture_send (queue, n, infos, fence);
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
  return transfers_fixture_setup (see_batch);
}

static void
teardown_chain (Fixture * fixture)
{
  g_string_free (chain.batches, TRUE);
  teardown (fixture);
}

TEST (chains)
{
  Fixture *fixture = setup_chain ();
  g_autoptr (GpuBuffer) other =
      new_buffer (fixture->device, GPU_BUFFER_DEVICE, N);
  g_autoptr (GpuBuffer) result =
      new_buffer (fixture->device, GPU_BUFFER_HOST, N);
  GpuBuffer *host = fixture->host, *work = fixture->work;
  GpuStream *stream = fixture->stream;

  transfers_fixture_work (stream, NULL, work, NULL, 1);
  assert_batches ("W");
  wait_idle (stream);
  /* Nothing is under way that uses the same buffers, */
  transfers_fixture_work (stream, host, work, result, 1);
  assert_batches ("UWD");
  wait_idle (stream);
  transfers_fixture_work (stream, host, work, NULL, 1);
  assert_batches ("UW");
  /* or that is not in order anyway. */
  transfers_fixture_work (stream, NULL, work, result, 1);
  assert_batches ("WD");

  /* The work must be done before this upload, and the download before both. Its fence must
   * not be signalled before that of the download. */
  transfers_fixture_work (stream, host, work, NULL, 1);
  assert_batches ("dwUWd");
  wait_idle (stream);
  transfers_fixture_work (stream, NULL, other, NULL, 1);
  transfers_fixture_work (stream, host, other, result, 1);
  assert_batches ("WwUWD");
  transfers_fixture_work (stream, NULL, other, NULL, 1);
  assert_batches ("dWd");
  transfers_fixture_work (stream, NULL, work, NULL, 1);
  assert_batches ("Wd");
  wait_idle (stream);

  /* Nor before the fence of a submission that itself ends with an empty batch, once the
   * download is known to be done. */
  transfers_fixture_work (stream, NULL, work, result, 1);
  assert_batches ("WD");
  for (guint i = 0; i < 4; i++) {
    transfers_fixture_work (stream, NULL, other, NULL, 1);
    assert_batches ("Wd");
  }
  wait_idle (stream);
  transfers_fixture_work (stream, NULL, other, NULL, 1);
  assert_batches ("W");

  /* It is not worth it for few submissions at a time. */
  g_clear_pointer (&fixture->stream, gpu_stream_unref);
  fixture->stream = new_stream (fixture->device, 2);
  transfers_fixture_work (fixture->stream, host, work, result, 1);
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
    g_string_append_c (chain.batches, "uwd"[transfers_fixture_find (queue)]);
    return transfers_fixture_send (queue, n, infos, fence);
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

  fixture->device->vk.vkQueueSubmit = refuse_batch;
  accepted = n;
  begin (fixture->stream);
  gpu_stream_upload (fixture->stream, fixture->host, fixture->work);
  gpu_stream_download (fixture->stream, fixture->work, fixture->host);
  FAILS (GPU_ERROR_LOST, gpu_stream_submit (fixture->stream, NULL, &error));
  assert_batches (batches);
  g_clear_pointer (&fixture->stream, gpu_stream_unref);
  g_assert_false (fixture->device->hung);
  assert_unused (fixture->work);
  assert_unused (fixture->host);
  teardown_chain (fixture);
}

/* An upload whose work does not follow cannot be undone, nor can work. */
TEST (broken_chain)
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
  transfers_fixture_work (fixture->stream, fixture->host, fixture->work,
      fixture->host, 7);
  assert_batches ("UWD");
  wait_idle (fixture->stream);
  g_assert_cmpuint (host_word (fixture, 0), ==, affine_step (0, 7));
  assert_unused (fixture->work);
  assert_unused (fixture->host);
}

/* If the first batch is refused, nothing began. */
TEST (refused_chain)
{
  Fixture *fixture = setup_chain ();

  fixture->device->vk.vkQueueSubmit = refuse_batch;
  accepted = 0;
  begin (fixture->stream);
  gpu_stream_upload (fixture->stream, fixture->host, fixture->work);
  gpu_stream_download (fixture->stream, fixture->work, fixture->host);
  FAILS (GPU_ERROR_OUT_OF_MEMORY, gpu_stream_submit (fixture->stream, NULL,
          &error));
  g_assert_false (gpu_device_is_lost (fixture->device));
  assert_batches ("");
  check_next_submission (fixture);
  teardown_chain (fixture);
}

TEST (abandoned)
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
TEST (counts)
{
  Fixture *fixture = setup_chain ();
  GpuTicket ticket = { NULL, 0 };

  gpu_stream_get_ticket (fixture->stream, &ticket);
  for (guint i = 0; i < 2; i++) {
    transfers_fixture_work (fixture->stream, fixture->host, fixture->work,
        fixture->host, 1);
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

TEST (failing_start)
{
  Fixture *fixture = transfers_fixture_setup (see_batch);
  struct VolkDeviceTable *vk = &fixture->device->vk;
  gint alive = gpu_hooks_get_alive ();
  guint n = 2 * calls_per_slot (fixture->device);

  hooked = *vk;
  vk->vkCreateCommandPool = make_some_pools;
  vk->vkAllocateCommandBuffers = make_some_commands;
  vk->vkCreateSemaphore = make_some_semaphores;
  vk->vkCreateQueryPool = make_some_queries;
  for (guint i = 0; i < n; i++) {
    allowed = i;
    FAILS (GPU_ERROR_OUT_OF_MEMORY, gpu_stream_new (fixture->device, 2,
            "hopeless", &error));
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
  transfers_fixture_work (fixture->stream, fixture->host, fixture->work,
      fixture->host, 1);
  wait_idle (fixture->stream);
  gpu_stream_get_timings (fixture->stream, timings);
  g_assert_cmpuint (timings->n_stages, ==, 3);
  g_assert_cmpstr (timings->stages[0].name, ==, "upload");
  g_assert_cmpstr (timings->stages[2].name, ==, "download");
}

/* From the second submission of a slot on; if they are not timed, as before. */
TEST (times)
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

GPU_FIXTURE_MAIN ("/transfers/", gpu_fixture_add_test)
