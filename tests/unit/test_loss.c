/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A lost device is a state: told once, clearly, and for good; whatever the
 * device still does meanwhile finds its buffers. */
#include "affine.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "test_shaders.h"

#include <string.h>

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
  g_autoptr (GError) error = NULL;

  fixture->device = gpu_fixture_open_another ();
  gpu_hooks_install (fixture->device);
  fixture->stream = gpu_stream_new (fixture->device, 2, "a test", &error);
  g_assert_no_error (error);
  fixture->kernel = affine_kernel_get (fixture->device);
  fixture->buffer = gpu_buffer_new (fixture->device, GPU_BUFFER_DEVICE, N * 4,
      "test", &error);
  g_assert_no_error (error);
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
  gpu_stream_barrier (fixture->stream);
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

static VkResult VKAPI_CALL
lose_submit (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
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
see_wait_idle (VkQueue queue)
{
  device_is_idle = TRUE;
  return gpu_hooks_get_driver ()->vkQueueWaitIdle (queue);
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
  vk->vkQueueWaitIdle = see_wait_idle;
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
    g_autoptr (GError) error = NULL;

    if (i == 0)
      fixture.device->vk.vkQueueSubmit = refuse_submit;
    else
      fixture.device->vk.vkEndCommandBuffer = refuse_end;
    record (&fixture);
    g_assert_false (gpu_stream_submit (fixture.stream, NULL, &error));
    g_assert_error (error, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY);
    g_assert_false (gpu_device_is_lost (fixture.device));
    fixture.device->vk = hooked;
    record (&fixture);
    g_assert_true (gpu_stream_submit (fixture.stream, NULL, NULL));
  }
  g_assert_true (gpu_stream_wait_idle (fixture.stream, NULL));
  teardown (&fixture);
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  gpu_fixture_add_test ("/loss/submit", test_submit);
  gpu_fixture_add_test ("/loss/wait", test_wait);
  gpu_fixture_add_test ("/loss/time-out", test_time_out);
  gpu_fixture_add_test ("/loss/while-recording", test_while_recording);
  gpu_fixture_add_test ("/loss/begin", test_begin);
  gpu_fixture_add_test ("/loss/still-at-work", test_still_at_work);
  gpu_fixture_add_test ("/loss/no-loss", test_no_loss);
  result = g_test_run ();
  gpu_fixture_close ();
  return result;
}
