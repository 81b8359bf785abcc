/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A lost device is a state: told once, clearly, and for good; whatever the
 * device still does meanwhile finds its buffers. */
#include "affine.h"
#include "gpu/core/stream/ring.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "stream_fixture.h"
#include "test_shaders.h"
#include "tests.h"

#include <string.h>
#include <time.h>

/* The fixture, without a buffer that is freed early. */
static Fixture *
setup_loss (void)
{
  Fixture *fixture = setup (2);

  g_clear_pointer (&fixture->host, gpu_buffer_unref);
  return fixture;
}

static void
record (Fixture * fixture)
{
  begin (fixture->stream);
  gpu_stream_fill (fixture->stream, fixture->work, 0, N * 4, 1);
  affine_record (fixture->stream, fixture->kernel, fixture->work, N, 1);
}

/* @call must fail, as the device is lost: it passes "&error". */
#define LOST(call) \
  do { \
    g_autoptr (GError) error = NULL; \
    g_assert_false (call); \
    assert_lost (error); \
  } while (0)

static void
assert_lost (const GError * error)
{
  g_assert_error (error, GPU_ERROR, GPU_ERROR_LOST);
  /* What to do about it. */
  g_assert_nonnull (strstr (error->message, "restart the pipeline"));
}

/* Every call that needs the device fails, and at once: not one of them asks
 * the driver. */
static void
assert_sticks (Fixture * fixture)
{
  guint made = gpu_hooks_get_made ();

  g_assert_true (gpu_device_is_lost (fixture->device));
  LOST (gpu_device_check_alive (fixture->device, &error));
  LOST (gpu_stream_begin (fixture->stream, &error));
  LOST (gpu_buffer_new (fixture->device, GPU_BUFFER_HOST, 4, "test", &error));
  LOST (gpu_stream_new (fixture->device, 1, "test", &error));
  LOST (gpu_kernel_get (fixture->device, &gpu_shader_affine, NULL, 0, &error));
  g_assert_cmpuint (gpu_hooks_get_made (), ==, made);
}

/* --- what the driver may say --- */

/* Nobody waits in vain for the fences of a device that is lost. */
static VkResult VKAPI_CALL
lose_submit (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  gpu_hooks_get_driver ()->vkQueueSubmit (queue, 0, NULL, fence);
  return VK_ERROR_DEVICE_LOST;
}

GPU_HOOK_RETURNS (lose_wait, VK_ERROR_DEVICE_LOST, VkDevice device, uint32_t n,
    const VkFence * fences, VkBool32 all, uint64_t timeout);

GPU_HOOK_RETURNS (time_out, VK_TIMEOUT, VkDevice device, uint32_t n,
    const VkFence * fences, VkBool32 all, uint64_t timeout);

GPU_HOOK_RETURNS (be_signalled, VK_SUCCESS, VkDevice device, VkFence fence);

TEST (submit)
{
  g_autoptr (Fixture) fixture = setup_loss ();
  g_auto (GpuTicket) earlier = { NULL }, ticket = { NULL };

  record (fixture);
  submit (fixture->stream, &earlier);
  g_assert_true (gpu_ticket_wait (&earlier, NULL));
  record (fixture);
  fixture->device->vk.vkQueueSubmit = lose_submit;
  LOST (gpu_stream_submit (fixture->stream, &ticket, &error));
  g_assert_null (ticket.stream);
  assert_sticks (fixture);
  /* What was known to be done before is done. */
  g_assert_true (gpu_ticket_wait (&earlier, NULL));
  g_assert_true (gpu_ticket_is_done (&earlier));
}

static void
check_wait (PFN_vkWaitForFences wait)
{
  g_autoptr (Fixture) fixture = setup_loss ();
  g_auto (GpuTicket) ticket = { NULL };

  record (fixture);
  submit (fixture->stream, &ticket);
  fixture->device->vk.vkWaitForFences = wait;
  LOST (gpu_ticket_wait (&ticket, &error));
  assert_sticks (fixture);
  /* Also when the driver has second thoughts. */
  fixture->device->vk.vkWaitForFences =
      gpu_hooks_get_driver ()->vkWaitForFences;
  LOST (gpu_ticket_wait (&ticket, &error));
  LOST (gpu_stream_wait_idle (fixture->stream, &error));
  fixture->device->vk.vkGetFenceStatus = be_signalled;
  g_assert_false (gpu_ticket_is_done (&ticket));
  /* The device that was said to hang is not waited for. */
  gpu_hooks_get_driver ()->vkQueueWaitIdle (fixture->device->queue);
}

TEST (wait)
{
  check_wait (lose_wait);
}

TEST (time_out)
{
  check_wait (time_out);
}

/* Another thread, or another stream, finds out while this one records. */
TEST (while_recording)
{
  g_autoptr (Fixture) fixture = setup_loss ();
  GpuTicket ticket = { NULL };

  record (fixture);
  gpu_device_mark_lost (fixture->device);
  affine_record (fixture->stream, fixture->kernel, fixture->work, N, 1);
  LOST (gpu_stream_submit (fixture->stream, &ticket, &error));
  g_assert_null (ticket.stream);
  assert_sticks (fixture);
}

/* A ring that is full waits in begin. */
TEST (begin)
{
  g_autoptr (Fixture) fixture = setup_loss ();

  for (guint i = 0; i < 2; i++) {
    record (fixture);
    submit (fixture->stream, NULL);
  }
  fixture->device->vk.vkWaitForFences = lose_wait;
  LOST (gpu_stream_begin (fixture->stream, &error));
  assert_sticks (fixture);
  /* What is freed now is in use, whatever was said. */
  fixture->device->vk.vkWaitForFences =
      gpu_hooks_get_driver ()->vkWaitForFences;
}

/* Vulkan: what a device was lost with is in use no longer, so that nothing is
 * leaked. */
TEST (end)
{
  g_autoptr (Fixture) fixture = setup_loss ();

  record (fixture);
  submit (fixture->stream, NULL);
  gpu_hooks_get_driver ()->vkQueueWaitIdle (fixture->device->queue);
  fixture->device->vk.vkWaitForFences = lose_wait;
}

/* --- losses that are none: the device works on --- */

static gboolean device_is_idle;

static VkResult VKAPI_CALL
submit_and_lose (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  gpu_hooks_get_driver ()->vkQueueSubmit (queue, n, infos, fence);
  return VK_ERROR_DEVICE_LOST;
}

static VkResult VKAPI_CALL
see_wait (VkDevice device, uint32_t n, const VkFence * fences, VkBool32 all,
    uint64_t timeout)
{
  VkResult result = gpu_hooks_get_driver ()->vkWaitForFences (device, n,
      fences, all, timeout);

  device_is_idle |= result == VK_SUCCESS;
  return result;
}

static void VKAPI_CALL
destroy_buffer_when_idle (VkDevice device, VkBuffer buffer,
    const VkAllocationCallbacks * allocator)
{
  g_assert_true (device_is_idle);
  gpu_hooks_get_driver ()->vkDestroyBuffer (device, buffer, allocator);
}

static void VKAPI_CALL
destroy_pipeline_when_idle (VkDevice device, VkPipeline pipeline,
    const VkAllocationCallbacks * allocator)
{
  g_assert_true (device_is_idle);
  gpu_hooks_get_driver ()->vkDestroyPipeline (device, pipeline, allocator);
}

static void VKAPI_CALL
destroy_fence_when_idle (VkDevice device, VkFence fence,
    const VkAllocationCallbacks * allocator)
{
  g_assert_true (device_is_idle);
  gpu_hooks_get_driver ()->vkDestroyFence (device, fence, allocator);
}

static void
check_still_at_work (gboolean at_submit)
{
  Fixture *fixture = setup_loss ();
  GpuTicket ticket = { NULL };
  struct VolkDeviceTable *vk = &fixture->device->vk;

  device_is_idle = FALSE;
  vk->vkWaitForFences = see_wait;
  vk->vkDestroyBuffer = destroy_buffer_when_idle;
  vk->vkDestroyPipeline = destroy_pipeline_when_idle;
  vk->vkDestroyFence = destroy_fence_when_idle;
  if (at_submit)
    vk->vkQueueSubmit = submit_and_lose;
  else
    vk->vkWaitForFences = lose_wait;

  begin (fixture->stream);
  affine_record (fixture->stream, fixture->kernel, fixture->work, N, 1);
  if (at_submit)
    LOST (gpu_stream_submit (fixture->stream, &ticket, &error));
  else {
    submit (fixture->stream, &ticket);
    LOST (gpu_ticket_wait (&ticket, &error));
  }
  vk->vkWaitForFences = see_wait;

  /* The caller clears up in any order. */
  g_clear_pointer (&fixture->work, gpu_buffer_unref);
  gpu_ticket_clear (&ticket);
  g_assert_false (device_is_idle);
  g_clear_pointer (&fixture->stream, gpu_stream_unref);
  g_assert_true (device_is_idle);
  gpu_device_unref (fixture->device);
  g_assert_cmpint (gpu_hooks_get_allocations (), ==, 0);
}

TEST (still_at_work)
{
  check_still_at_work (TRUE);
  check_still_at_work (FALSE);
}

/* --- a device that hangs --- */

static guint64 waited;          /* ns, as the driver was told to */
static gboolean is_device_destroyed;

GPU_HOOK_RETURNS (swallow, VK_SUCCESS, VkQueue queue, uint32_t n,
    const VkSubmitInfo * infos, VkFence fence);

static VkResult VKAPI_CALL
wait_in_vain (VkDevice device, uint32_t n, const VkFence * fences,
    VkBool32 all, uint64_t timeout)
{
  waited += timeout;
  return VK_TIMEOUT;
}

static VkResult VKAPI_CALL
wait_for_queue (VkQueue queue)
{
  g_assert_not_reached ();
}

static VkResult VKAPI_CALL
wait_for_device (VkDevice device)
{
  g_assert_not_reached ();
}

static void VKAPI_CALL
see_destroy_device (VkDevice device, const VkAllocationCallbacks * allocator)
{
  is_device_destroyed = TRUE;
}

/* What a hanging device may use is leaked, so it is kept in sight here. */
static GpuStream *leaked[7];
static guint n_leaked;

static void
submit_to (GpuStream * stream, Fixture * fixture, GpuTicket * ticket)
{
  begin (stream);
  affine_record (stream, fixture->kernel, fixture->work, N, 1);
  submit (stream, ticket);
}

/* In place of the C library's, for gpu/ is linked into this program. */
static clock_t processor_time;

clock_t
clock (void)
{
  return processor_time;
}

/* How long one waits for a CPU depends on what else it does. */
static Fixture *
setup_card (void)
{
  Fixture *fixture = setup_loss ();

  fixture->device->info.kind = GPU_DEVICE_DISCRETE;
  return fixture;
}

/* Ten seconds in all, whoever waits and whoever stops; no wait without end,
 * nothing freed that the device may use. */
static void
check_hang (gboolean somebody_waits)
{
  Fixture *fixture = setup_card ();
  GpuStream *second, *idle;
  GpuTicket tickets[2] = { {NULL}, {NULL} };
  struct VolkDeviceTable *vk = &fixture->device->vk;
  gint alive;

  second = gpu_stream_new (fixture->device, 2, "another", NULL);
  vk->vkQueueSubmit = swallow;
  vk->vkWaitForFences = wait_in_vain;
  vk->vkQueueWaitIdle = wait_for_queue;
  vk->vkDeviceWaitIdle = wait_for_device;
  vk->vkDestroyDevice = see_destroy_device;
  waited = 0;
  is_device_destroyed = FALSE;
  submit_to (fixture->stream, fixture, &tickets[0]);
  submit_to (second, fixture, &tickets[1]);
  alive = gpu_hooks_get_alive ();
  idle = gpu_stream_new (fixture->device, 1, "idle", NULL);
  if (somebody_waits) {
    g_autoptr (GError) error = NULL;

    g_assert_false (gpu_ticket_wait (&tickets[1], &error));
    g_assert_nonnull (strstr (error->message, "10 seconds"));
    assert_lost (error);
    assert_sticks (fixture);
  }
  leaked[n_leaked++] = fixture->stream;
  leaked[n_leaked++] = second;
  gpu_ticket_clear (&tickets[0]);
  gpu_ticket_clear (&tickets[1]);
  gpu_stream_unref (idle);
  gpu_stream_unref (second);
  gpu_stream_unref (fixture->stream);
  gpu_buffer_unref (fixture->work);
  gpu_device_unref (fixture->device);
  g_assert_cmpuint (waited, >, 0);
  g_assert_cmpuint (waited, <=, 10 * G_GUINT64_CONSTANT (1000000000));
  g_assert_cmpint (gpu_hooks_get_alive (), ==, alive);
  g_assert_false (is_device_destroyed);
}

TEST (hang)
{
  check_hang (TRUE);
  check_hang (FALSE);
}

static guint looks, looks_until_progress, looks_until_done;
static VkFence first_fence;

static VkResult VKAPI_CALL
wait_for_long (VkDevice device, uint32_t n, const VkFence * fences,
    VkBool32 all, uint64_t timeout)
{
  if (++looks < looks_until_done)
    return VK_TIMEOUT;
  return gpu_hooks_get_driver ()->vkWaitForFences (device, n, fences, all,
      G_MAXUINT64);
}

static VkResult VKAPI_CALL
end_first_later (VkDevice device, VkFence fence)
{
  return fence == first_fence && looks >= looks_until_progress
      ? VK_SUCCESS : VK_NOT_READY;
}

/* A device that has much to do does not hang: as long as one submission after
 * the other ends, the last one is waited for. */
TEST (progress)
{
  g_autoptr (Fixture) fixture = setup_card ();
  g_auto (GpuTicket) ticket = { NULL };

  looks = 0;
  looks_until_progress = 60;
  looks_until_done = 140;
  fixture->device->vk.vkWaitForFences = wait_for_long;
  fixture->device->vk.vkGetFenceStatus = end_first_later;
  submit_to (fixture->stream, fixture, NULL);
  first_fence = fixture->stream->slots[fixture->stream->next_serial % 2]
      .commands.fence;
  submit_to (fixture->stream, fixture, &ticket);
  g_assert_true (gpu_ticket_wait (&ticket, NULL));
  g_assert_cmpuint (looks, ==, looks_until_done);
  g_assert_false (gpu_device_is_lost (fixture->device));
}

static GpuTicket of_another;

static VkResult VKAPI_CALL
wait_for_another_first (VkDevice device, uint32_t n, const VkFence * fences,
    VkBool32 all, uint64_t timeout)
{
  VkFence its = of_another.stream->slots[0].commands.fence;

  if (fences[0] == its)
    return gpu_hooks_get_driver ()->vkWaitForFences (device, n, fences, all,
        G_MAXUINT64);
  if (looks == looks_until_progress)
    g_assert_true (gpu_ticket_wait (&of_another, NULL));
  return wait_for_long (device, n, fences, all, timeout);
}

GPU_HOOK_RETURNS (end_nothing, VK_NOT_READY, VkDevice device, VkFence fence);

/* Nor does one that ends what another stream gave it, whoever waits for that. */
TEST (progress_elsewhere)
{
  g_autoptr (Fixture) fixture = setup_card ();
  GpuTicket ticket = { NULL };
  GpuStream *another;

  another = gpu_stream_new (fixture->device, 1, "another", NULL);
  submit_to (another, fixture, &of_another);
  submit_to (fixture->stream, fixture, &ticket);
  looks = 0;
  looks_until_progress = 60;
  looks_until_done = 140;
  fixture->device->vk.vkWaitForFences = wait_for_another_first;
  fixture->device->vk.vkGetFenceStatus = end_nothing;
  g_assert_true (gpu_ticket_wait (&ticket, NULL));
  g_assert_cmpuint (looks, ==, looks_until_done);
  gpu_ticket_clear (&ticket);
  gpu_ticket_clear (&of_another);
  gpu_stream_unref (another);
}

/* Seconds of processor time that pass in a second. */
static gdouble processors;

static VkResult VKAPI_CALL
wait_at_work (VkDevice device, uint32_t n, const VkFence * fences,
    VkBool32 all, uint64_t timeout)
{
  processor_time += processors * timeout * (CLOCKS_PER_SEC / 1e9);
  /* For ever is long, too. */
  return ++looks < 100000 ? VK_TIMEOUT : VK_SUCCESS;
}

/* A CPU that is at work may be at anything. */
static void
check_busy (gdouble processors_had, guint looks_until_lost)
{
  Fixture *fixture = setup_loss ();
  GpuTicket ticket = { NULL };
  struct VolkDeviceTable *vk;

  fixture->device->info.kind = GPU_DEVICE_CPU;
  vk = &fixture->device->vk;
  vk->vkQueueSubmit = swallow;
  vk->vkWaitForFences = wait_at_work;
  submit_to (fixture->stream, fixture, &ticket);
  looks = 0;
  processor_time = 0;
  processors = processors_had;
  LOST (gpu_ticket_wait (&ticket, &error));
  g_assert_cmpuint (looks, ==, looks_until_lost);
  leaked[n_leaked++] = fixture->stream;
  gpu_ticket_clear (&ticket);
  gpu_stream_unref (fixture->stream);
  gpu_buffer_unref (fixture->work);
  gpu_device_unref (fixture->device);
}

/* A minute, and as much processor time: what others take is not held against it. */
TEST (busy)
{
  check_busy (1, 600);
  check_busy (0.25, 2400);
  check_busy (4, 600);
}

/* --- errors that are no loss --- */

GPU_HOOK_RETURNS (refuse_submit, VK_ERROR_OUT_OF_DEVICE_MEMORY, VkQueue queue,
    uint32_t n, const VkSubmitInfo * infos, VkFence fence);

static VkResult VKAPI_CALL
refuse_end (VkCommandBuffer commands)
{
  gpu_hooks_get_driver ()->vkEndCommandBuffer (commands);
  return VK_ERROR_OUT_OF_HOST_MEMORY;
}

TEST (no_loss)
{
  g_autoptr (Fixture) fixture = setup_loss ();
  struct VolkDeviceTable hooked;

  hooked = fixture->device->vk;
  for (guint i = 0; i < 2; i++) {
    if (i == 0)
      fixture->device->vk.vkQueueSubmit = refuse_submit;
    else
      fixture->device->vk.vkEndCommandBuffer = refuse_end;
    record (fixture);
    FAILS (GPU_ERROR_OUT_OF_MEMORY, gpu_stream_submit (fixture->stream, NULL,
            &error));
    g_assert_false (gpu_device_is_lost (fixture->device));
    fixture->device->vk = hooked;
    record (fixture);
    submit (fixture->stream, NULL);
  }
  wait_idle (fixture->stream);
}

GPU_HOOK_RETURNS (refuse_wait, VK_ERROR_OUT_OF_HOST_MEMORY, VkDevice device,
    uint32_t n, const VkFence * fences, VkBool32 all, uint64_t timeout);

/* Nothing is known of the device then; who waits again may learn it. */
TEST (no_room_to_wait)
{
  g_autoptr (Fixture) fixture = setup_loss ();
  g_auto (GpuTicket) ticket = { NULL };
  PFN_vkWaitForFences wait;

  wait = fixture->device->vk.vkWaitForFences;
  submit_to (fixture->stream, fixture, &ticket);
  fixture->device->vk.vkWaitForFences = refuse_wait;
  FAILS (GPU_ERROR_OUT_OF_MEMORY, gpu_ticket_wait (&ticket, &error));
  g_assert_false (gpu_device_is_lost (fixture->device));
  fixture->device->vk.vkWaitForFences = wait;
  g_assert_true (gpu_ticket_wait (&ticket, NULL));
  submit_to (fixture->stream, fixture, &ticket);
  g_assert_true (gpu_ticket_wait (&ticket, NULL));
}

/* --- making a stream fails --- */

GPU_HOOK_RETURNS (refuse_command_pool, VK_ERROR_OUT_OF_HOST_MEMORY,
    VkDevice device, const VkCommandPoolCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkCommandPool * pool);

GPU_HOOK_RETURNS (refuse_commands, VK_ERROR_OUT_OF_HOST_MEMORY, VkDevice device,
    const VkCommandBufferAllocateInfo * info, VkCommandBuffer * commands);

static guint fences_allowed;

static VkResult VKAPI_CALL
refuse_some_fences (VkDevice device, const VkFenceCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkFence * fence)
{
  if (fences_allowed == 0)
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  fences_allowed--;
  return gpu_hooks_get_driver ()->vkCreateFence (device, info, allocator,
      fence);
}

static void VKAPI_CALL
uncounted_destroy_fence (VkDevice device, VkFence fence,
    const VkAllocationCallbacks * allocator)
{
  if (fence)
    fences_allowed++;
  gpu_hooks_get_driver ()->vkDestroyFence (device, fence, allocator);
}

GPU_HOOK_RETURNS (refuse_queries, VK_ERROR_OUT_OF_DEVICE_MEMORY,
    VkDevice device, const VkQueryPoolCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkQueryPool * pool);

static void
assert_no_stream (GpuDevice * device)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (gpu_stream_new (device, 3, "hopeless", &error));
  g_assert_error (error, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY);
  g_assert_nonnull (strstr (error->message, "hopeless"));
  g_assert_cmpint (gpu_hooks_get_alive (), ==, 0);
}

GPU_HOOK_RETURNS (refuse_buffer, VK_ERROR_OUT_OF_HOST_MEMORY, VkDevice device,
    const VkBufferCreateInfo * info, const VkAllocationCallbacks * allocator,
    VkBuffer * buffer);

TEST (failing_start)
{
  g_autoptr (GpuDevice) device = gpu_fixture_open_another ();
  struct VolkDeviceTable hooked;

  gpu_hooks_install (device);
  hooked = device->vk;
  device->vk.vkCreateCommandPool = refuse_command_pool;
  assert_no_stream (device);
  device->vk = hooked;
  device->vk.vkAllocateCommandBuffers = refuse_commands;
  assert_no_stream (device);
  device->vk = hooked;
  device->vk.vkCreateFence = refuse_some_fences;
  device->vk.vkDestroyFence = uncounted_destroy_fence;
  fences_allowed = 2;
  assert_no_stream (device);
  g_assert_cmpuint (fences_allowed, ==, 2);
  device->vk = hooked;
  device->vk.vkCreateDescriptorPool = refuse_pool;
  assert_no_stream (device);
  device->vk = hooked;
  if (device->info.timestamp_period > 0) {
    device->vk.vkCreateQueryPool = refuse_queries;
    assert_no_stream (device);
    device->vk = hooked;
    device->queries_wait = TRUE;
    device->vk.vkCreateBuffer = refuse_buffer;
    assert_no_stream (device);
  }
}

GPU_FIXTURE_MAIN ("/loss/", gpu_fixture_add_test)
