/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A lost device is a state: told once, clearly, and for good; whatever the
 * device still does meanwhile finds its buffers. */
#include "affine.h"
#include "gpu/core/stream/ring.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "test_shaders.h"

#include <string.h>
#include <time.h>

#define N 64

typedef struct
{
  GpuDevice *device;
  GpuStream *stream;
  GpuKernel *kernel;
  GpuBuffer *buffer;
} Fixture;

static void
setup (Fixture * fixture)
{
  fixture->device = gpu_fixture_open_another ();
  gpu_hooks_install (fixture->device);
  fixture->stream = OK (gpu_stream_new (fixture->device, 2, "a test", &error));
  fixture->kernel = affine_kernel_get (fixture->device);
  fixture->buffer =
      OK (gpu_buffer_new (fixture->device, GPU_BUFFER_DEVICE, N * 4, "test",
          &error));
}

static void
teardown (Fixture * fixture)
{
  g_clear_pointer (&fixture->buffer, gpu_buffer_unref);
  g_clear_pointer (&fixture->stream, gpu_stream_unref);
  g_assert_cmpint (gpu_hooks_get_alive (), ==, 0);
  g_clear_pointer (&fixture->device, gpu_device_unref);
  g_assert_cmpint (gpu_hooks_get_allocations (), ==, 0);
}

static void
record (Fixture * fixture)
{
  g_assert_true (gpu_stream_begin (fixture->stream, NULL));
  gpu_stream_fill (fixture->stream, fixture->buffer, 0, N * 4, 1);
  affine_record (fixture->stream, fixture->kernel, fixture->buffer, N, 1);
}

static void
assert_lost (GError ** error)
{
  g_assert_error (*error, GPU_ERROR, GPU_ERROR_LOST);
  /* What to do about it. */
  g_assert_nonnull (strstr ((*error)->message, "restart the pipeline"));
  g_clear_error (error);
}

/* Every call that needs the device fails, and at once: not one of them asks
 * the driver. */
static void
assert_sticks (Fixture * fixture)
{
  GError *error = NULL;
  guint made = gpu_hooks_get_made ();

  g_assert_true (gpu_device_is_lost (fixture->device));
  g_assert_false (gpu_device_check_alive (fixture->device, &error));
  assert_lost (&error);
  g_assert_false (gpu_stream_begin (fixture->stream, &error));
  assert_lost (&error);
  g_assert_null (gpu_buffer_new (fixture->device, GPU_BUFFER_HOST, 4, "test",
          &error));
  assert_lost (&error);
  g_assert_null (gpu_stream_new (fixture->device, 1, "test", &error));
  assert_lost (&error);
  g_assert_null (gpu_kernel_get (fixture->device, &gpu_shader_affine, NULL, 0,
          &error));
  assert_lost (&error);
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

static VkResult VKAPI_CALL
lose_wait (VkDevice device, uint32_t n, const VkFence * fences, VkBool32 all,
    uint64_t timeout)
{
  return VK_ERROR_DEVICE_LOST;
}

static VkResult VKAPI_CALL
time_out (VkDevice device, uint32_t n, const VkFence * fences, VkBool32 all,
    uint64_t timeout)
{
  return VK_TIMEOUT;
}

static VkResult VKAPI_CALL
be_signalled (VkDevice device, VkFence fence)
{
  return VK_SUCCESS;
}

static void
test_submit (void)
{
  Fixture fixture;
  GError *error = NULL;
  GpuTicket earlier = { NULL }, ticket = { NULL };

  setup (&fixture);
  record (&fixture);
  g_assert_true (gpu_stream_submit (fixture.stream, &earlier, NULL));
  g_assert_true (gpu_ticket_wait (&earlier, NULL));
  record (&fixture);
  fixture.device->vk.vkQueueSubmit = lose_submit;
  g_assert_false (gpu_stream_submit (fixture.stream, &ticket, &error));
  assert_lost (&error);
  g_assert_null (ticket.stream);
  assert_sticks (&fixture);
  /* What was known to be done before is done. */
  g_assert_true (gpu_ticket_wait (&earlier, NULL));
  g_assert_true (gpu_ticket_is_done (&earlier));
  gpu_ticket_clear (&earlier);
  teardown (&fixture);
}

static void
check_wait (PFN_vkWaitForFences wait)
{
  Fixture fixture;
  GError *error = NULL;
  GpuTicket ticket = { NULL };

  setup (&fixture);
  record (&fixture);
  g_assert_true (gpu_stream_submit (fixture.stream, &ticket, NULL));
  fixture.device->vk.vkWaitForFences = wait;
  g_assert_false (gpu_ticket_wait (&ticket, &error));
  assert_lost (&error);
  assert_sticks (&fixture);
  /* Also when the driver has second thoughts. */
  fixture.device->vk.vkWaitForFences = gpu_hooks_get_driver ()->vkWaitForFences;
  g_assert_false (gpu_ticket_wait (&ticket, &error));
  assert_lost (&error);
  g_assert_false (gpu_stream_wait_idle (fixture.stream, &error));
  assert_lost (&error);
  fixture.device->vk.vkGetFenceStatus = be_signalled;
  g_assert_false (gpu_ticket_is_done (&ticket));
  /* The device that was said to hang is not waited for. */
  gpu_hooks_get_driver ()->vkQueueWaitIdle (fixture.device->queue);
  gpu_ticket_clear (&ticket);
  teardown (&fixture);
}

static void
test_wait (void)
{
  check_wait (lose_wait);
}

static void
test_time_out (void)
{
  check_wait (time_out);
}

/* Another thread, or another stream, finds out while this one records. */
static void
test_while_recording (void)
{
  Fixture fixture;
  GError *error = NULL;
  GpuTicket ticket = { NULL };

  setup (&fixture);
  record (&fixture);
  gpu_device_mark_lost (fixture.device);
  affine_record (fixture.stream, fixture.kernel, fixture.buffer, N, 1);
  g_assert_false (gpu_stream_submit (fixture.stream, &ticket, &error));
  assert_lost (&error);
  g_assert_null (ticket.stream);
  assert_sticks (&fixture);
  teardown (&fixture);
}

/* A ring that is full waits in begin. */
static void
test_begin (void)
{
  Fixture fixture;
  GError *error = NULL;

  setup (&fixture);
  for (guint i = 0; i < 2; i++) {
    record (&fixture);
    g_assert_true (gpu_stream_submit (fixture.stream, NULL, NULL));
  }
  fixture.device->vk.vkWaitForFences = lose_wait;
  g_assert_false (gpu_stream_begin (fixture.stream, &error));
  assert_lost (&error);
  assert_sticks (&fixture);
  /* What is freed now is in use, whatever was said. */
  fixture.device->vk.vkWaitForFences = gpu_hooks_get_driver ()->vkWaitForFences;
  teardown (&fixture);
}

/* Vulkan: what a device was lost with is in use no longer, so that nothing is
 * leaked. */
static void
test_end (void)
{
  Fixture fixture;

  setup (&fixture);
  record (&fixture);
  g_assert_true (gpu_stream_submit (fixture.stream, NULL, NULL));
  gpu_hooks_get_driver ()->vkQueueWaitIdle (fixture.device->queue);
  fixture.device->vk.vkWaitForFences = lose_wait;
  teardown (&fixture);
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
  Fixture fixture;
  GError *error = NULL;
  GpuTicket ticket = { NULL };
  struct VolkDeviceTable *vk;

  setup (&fixture);
  vk = &fixture.device->vk;
  device_is_idle = FALSE;
  vk->vkWaitForFences = see_wait;
  vk->vkDestroyBuffer = destroy_buffer_when_idle;
  vk->vkDestroyPipeline = destroy_pipeline_when_idle;
  vk->vkDestroyFence = destroy_fence_when_idle;
  if (at_submit)
    vk->vkQueueSubmit = submit_and_lose;
  else
    vk->vkWaitForFences = lose_wait;

  g_assert_true (gpu_stream_begin (fixture.stream, NULL));
  affine_record (fixture.stream, fixture.kernel, fixture.buffer, N, 1);
  g_assert_cmpint (gpu_stream_submit (fixture.stream, &ticket, &error), ==,
      !at_submit);
  if (!at_submit)
    g_assert_false (gpu_ticket_wait (&ticket, &error));
  assert_lost (&error);
  vk->vkWaitForFences = see_wait;

  /* The caller clears up in any order. */
  g_clear_pointer (&fixture.buffer, gpu_buffer_unref);
  gpu_ticket_clear (&ticket);
  g_assert_false (device_is_idle);
  g_clear_pointer (&fixture.stream, gpu_stream_unref);
  g_assert_true (device_is_idle);
  gpu_device_unref (fixture.device);
  g_assert_cmpint (gpu_hooks_get_allocations (), ==, 0);
}

static void
test_still_at_work (void)
{
  check_still_at_work (TRUE);
  check_still_at_work (FALSE);
}

/* --- a device that hangs --- */

static guint64 waited;          /* ns, as the driver was told to */
static gboolean is_device_destroyed;

static VkResult VKAPI_CALL
swallow (VkQueue queue, uint32_t n, const VkSubmitInfo * infos, VkFence fence)
{
  return VK_SUCCESS;
}

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
  g_assert_true (gpu_stream_begin (stream, NULL));
  affine_record (stream, fixture->kernel, fixture->buffer, N, 1);
  g_assert_true (gpu_stream_submit (stream, ticket, NULL));
}

/* In place of the C library's, for gpu/ is linked into this program. */
static clock_t processor_time;

clock_t
clock (void)
{
  return processor_time;
}

/* How long one waits for a CPU depends on what else it does. */
static void
setup_card (Fixture * fixture)
{
  setup (fixture);
  fixture->device->info.kind = GPU_DEVICE_DISCRETE;
}

/* Ten seconds in all, whoever waits and whoever stops; no wait without end,
 * nothing freed that the device may use. */
static void
check_hang (gboolean somebody_waits)
{
  Fixture fixture;
  GpuStream *second, *idle;
  GpuTicket tickets[2] = { {NULL}, {NULL} };
  GError *error = NULL;
  struct VolkDeviceTable *vk;
  gint alive;

  setup_card (&fixture);
  vk = &fixture.device->vk;
  second = gpu_stream_new (fixture.device, 2, "another", NULL);
  vk->vkQueueSubmit = swallow;
  vk->vkWaitForFences = wait_in_vain;
  vk->vkQueueWaitIdle = wait_for_queue;
  vk->vkDeviceWaitIdle = wait_for_device;
  vk->vkDestroyDevice = see_destroy_device;
  waited = 0;
  is_device_destroyed = FALSE;
  submit_to (fixture.stream, &fixture, &tickets[0]);
  submit_to (second, &fixture, &tickets[1]);
  alive = gpu_hooks_get_alive ();
  idle = gpu_stream_new (fixture.device, 1, "idle", NULL);
  if (somebody_waits) {
    g_assert_false (gpu_ticket_wait (&tickets[1], &error));
    g_assert_nonnull (strstr (error->message, "10 seconds"));
    assert_lost (&error);
    assert_sticks (&fixture);
  }
  leaked[n_leaked++] = fixture.stream;
  leaked[n_leaked++] = second;
  gpu_ticket_clear (&tickets[0]);
  gpu_ticket_clear (&tickets[1]);
  gpu_stream_unref (idle);
  gpu_stream_unref (second);
  gpu_stream_unref (fixture.stream);
  gpu_buffer_unref (fixture.buffer);
  gpu_device_unref (fixture.device);
  g_assert_cmpuint (waited, >, 0);
  g_assert_cmpuint (waited, <=, 10 * G_GUINT64_CONSTANT (1000000000));
  g_assert_cmpint (gpu_hooks_get_alive (), ==, alive);
  g_assert_false (is_device_destroyed);
}

static void
test_hang (void)
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
static void
test_progress (void)
{
  Fixture fixture;
  GpuTicket ticket = { NULL };

  setup_card (&fixture);
  looks = 0;
  looks_until_progress = 60;
  looks_until_done = 140;
  fixture.device->vk.vkWaitForFences = wait_for_long;
  fixture.device->vk.vkGetFenceStatus = end_first_later;
  submit_to (fixture.stream, &fixture, NULL);
  first_fence = fixture.stream->slots[1].commands.fence;
  submit_to (fixture.stream, &fixture, &ticket);
  g_assert_true (gpu_ticket_wait (&ticket, NULL));
  g_assert_cmpuint (looks, ==, looks_until_done);
  g_assert_false (gpu_device_is_lost (fixture.device));
  gpu_ticket_clear (&ticket);
  teardown (&fixture);
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

static VkResult VKAPI_CALL
end_nothing (VkDevice device, VkFence fence)
{
  return VK_NOT_READY;
}

/* Nor does one that ends what another stream gave it, whoever waits for that. */
static void
test_progress_elsewhere (void)
{
  Fixture fixture;
  GpuTicket ticket = { NULL };
  GpuStream *another;

  setup_card (&fixture);
  another = gpu_stream_new (fixture.device, 1, "another", NULL);
  submit_to (another, &fixture, &of_another);
  submit_to (fixture.stream, &fixture, &ticket);
  looks = 0;
  looks_until_progress = 60;
  looks_until_done = 140;
  fixture.device->vk.vkWaitForFences = wait_for_another_first;
  fixture.device->vk.vkGetFenceStatus = end_nothing;
  g_assert_true (gpu_ticket_wait (&ticket, NULL));
  g_assert_cmpuint (looks, ==, looks_until_done);
  gpu_ticket_clear (&ticket);
  gpu_ticket_clear (&of_another);
  gpu_stream_unref (another);
  teardown (&fixture);
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
  Fixture fixture;
  GpuTicket ticket = { NULL };
  GError *error = NULL;
  struct VolkDeviceTable *vk;

  setup (&fixture);
  fixture.device->info.kind = GPU_DEVICE_CPU;
  vk = &fixture.device->vk;
  vk->vkQueueSubmit = swallow;
  vk->vkWaitForFences = wait_at_work;
  submit_to (fixture.stream, &fixture, &ticket);
  looks = 0;
  processor_time = 0;
  processors = processors_had;
  g_assert_false (gpu_ticket_wait (&ticket, &error));
  assert_lost (&error);
  g_assert_cmpuint (looks, ==, looks_until_lost);
  leaked[n_leaked++] = fixture.stream;
  gpu_ticket_clear (&ticket);
  gpu_stream_unref (fixture.stream);
  gpu_buffer_unref (fixture.buffer);
  gpu_device_unref (fixture.device);
}

/* A minute, and as much processor time: what others take is not held against it. */
static void
test_busy (void)
{
  check_busy (1, 600);
  check_busy (0.25, 2400);
  check_busy (4, 600);
}

/* --- errors that are no loss --- */

static VkResult VKAPI_CALL
refuse_submit (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

static VkResult VKAPI_CALL
refuse_end (VkCommandBuffer commands)
{
  gpu_hooks_get_driver ()->vkEndCommandBuffer (commands);
  return VK_ERROR_OUT_OF_HOST_MEMORY;
}

static void
test_no_loss (void)
{
  Fixture fixture;
  struct VolkDeviceTable hooked;

  setup (&fixture);
  hooked = fixture.device->vk;
  for (guint i = 0; i < 2; i++) {
    if (i == 0)
      fixture.device->vk.vkQueueSubmit = refuse_submit;
    else
      fixture.device->vk.vkEndCommandBuffer = refuse_end;
    record (&fixture);
    FAILS (GPU_ERROR_OUT_OF_MEMORY, gpu_stream_submit (fixture.stream, NULL,
            &error));
    g_assert_false (gpu_device_is_lost (fixture.device));
    fixture.device->vk = hooked;
    record (&fixture);
    g_assert_true (gpu_stream_submit (fixture.stream, NULL, NULL));
  }
  g_assert_true (gpu_stream_wait_idle (fixture.stream, NULL));
  teardown (&fixture);
}

static VkResult VKAPI_CALL
refuse_wait (VkDevice device, uint32_t n, const VkFence * fences, VkBool32 all,
    uint64_t timeout)
{
  return VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* Nothing is known of the device then; who waits again may learn it. */
static void
test_no_room_to_wait (void)
{
  Fixture fixture;
  GpuTicket ticket = { NULL };
  GError *error = NULL;
  PFN_vkWaitForFences wait;

  setup (&fixture);
  wait = fixture.device->vk.vkWaitForFences;
  submit_to (fixture.stream, &fixture, &ticket);
  fixture.device->vk.vkWaitForFences = refuse_wait;
  g_assert_false (gpu_ticket_wait (&ticket, &error));
  g_assert_error (error, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY);
  g_clear_error (&error);
  g_assert_false (gpu_device_is_lost (fixture.device));
  fixture.device->vk.vkWaitForFences = wait;
  g_assert_true (gpu_ticket_wait (&ticket, NULL));
  submit_to (fixture.stream, &fixture, &ticket);
  g_assert_true (gpu_ticket_wait (&ticket, NULL));
  gpu_ticket_clear (&ticket);
  teardown (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gpu_fixture_add_test ("/loss/submit", test_submit);
  gpu_fixture_add_test ("/loss/wait", test_wait);
  gpu_fixture_add_test ("/loss/time-out", test_time_out);
  gpu_fixture_add_test ("/loss/while-recording", test_while_recording);
  gpu_fixture_add_test ("/loss/begin", test_begin);
  gpu_fixture_add_test ("/loss/end", test_end);
  gpu_fixture_add_test ("/loss/still-at-work", test_still_at_work);
  gpu_fixture_add_test ("/loss/hang", test_hang);
  gpu_fixture_add_test ("/loss/busy", test_busy);
  gpu_fixture_add_test ("/loss/progress", test_progress);
  gpu_fixture_add_test ("/loss/progress-elsewhere", test_progress_elsewhere);
  gpu_fixture_add_test ("/loss/no-loss", test_no_loss);
  gpu_fixture_add_test ("/loss/no-room-to-wait", test_no_room_to_wait);
  return gpu_fixture_run_tests ();
}
