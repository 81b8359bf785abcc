/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gpu/core/kernel/kernel.h"
#include "gpu/core/stream/stream.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "test_shaders.h"
#include "tests.h"

#include <string.h>

#define N 100

static GpuKernel *
new_kernel (GpuDevice * device, const guint32 * constants, guint n)
{
  return OK (gpu_kernel_get (device, &gpu_shader_affine, constants, n, &error));
}

/* One step over words that begin as their index plus 10. */
static void
check_step (GpuKernel * kernel, guint factor, guint index_factor, guint bias)
{
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (GpuStream) stream =
      OK (gpu_stream_new (device, 1, "test", &error));
  g_autoptr (GpuBuffer) buffer =
      OK (gpu_buffer_new (device, GPU_BUFFER_HOST, N * 4, "test", &error));
  const GpuDispatch affine = {
    .kernel = kernel,
    .buffers = {[AFFINE_WORDS] = buffer},
    .push = &(GpuAffinePush) {N, 1000},
  };
  guint32 *words;

  words = gpu_buffer_get_data (buffer);
  for (guint i = 0; i < N; i++)
    words[i] = i + 10;
  gpu_buffer_flush (buffer, NULL);
  OK (gpu_stream_begin (stream, &error));
  gpu_stream_dispatch (stream, &affine, 2, 1, 1);
  OK (gpu_stream_submit (stream, NULL, &error));
  OK (gpu_stream_wait_idle (stream, &error));
  gpu_buffer_invalidate (buffer, NULL);
  for (guint i = 0; i < N; i++)
    g_assert_cmpuint (words[i], ==,
        (i + 10) * factor + 1000 + i * index_factor + bias);
}

TEST (constants)
{
  GpuDevice *device = gpu_fixture_device ();
  gfloat bias = 7.5;
  guint32 constants[] = { 5, 11, 0 };
  GpuKernel *none = new_kernel (device, NULL, 0);
  GpuKernel *one = new_kernel (device, constants, 1);
  GpuKernel *all = NULL;

  memcpy (&constants[2], &bias, 4);
  all = new_kernel (device, constants, 3);
  check_step (none, 3, 0, 0);
  check_step (one, 5, 0, 0);
  check_step (all, 5, 11, 7);
}

/* The device has one kernel of each kind. */
TEST (shared)
{
  GpuDevice *device = gpu_fixture_device ();
  guint32 constants[] = { 21, 22 };
  GpuKernel *a = new_kernel (device, constants, 2);
  GpuKernel *same = new_kernel (device, constants, 2);
  GpuKernel *fewer = new_kernel (device, constants, 1);
  GpuKernel *other = NULL;

  constants[1] = 23;
  other = new_kernel (device, constants, 2);
  g_assert_true (a == same);
  g_assert_false (a == fewer);
  g_assert_false (a == other);
}

static gchar *last_name;

static VkResult VKAPI_CALL
see_name (VkDevice device, const VkDebugUtilsObjectNameInfoEXT * info)
{
  g_assert_cmpint (info->objectType, ==, VK_OBJECT_TYPE_PIPELINE);
  g_free (last_name);
  last_name = g_strdup (info->pObjectName);
  return VK_SUCCESS;
}

TEST (name)
{
  g_autoptr (GpuDevice) device = gpu_fixture_open_another ();

  device->set_object_name = see_name;
  new_kernel (device, NULL, 0);
  g_assert_cmpstr (last_name, ==, "affine");
  g_clear_pointer (&last_name, g_free);
}

GPU_HOOK_RETURNS (refuse_module, VK_ERROR_OUT_OF_HOST_MEMORY, VkDevice device,
    const VkShaderModuleCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkShaderModule * module);

static VkResult VKAPI_CALL
refuse_pipeline (VkDevice device, VkPipelineCache cache, uint32_t n,
    const VkComputePipelineCreateInfo * infos,
    const VkAllocationCallbacks * allocator, VkPipeline * pipelines)
{
  *pipelines = VK_NULL_HANDLE;
  return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

static void
assert_no_kernel (GpuDevice * device, gint code, const gchar * words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (gpu_kernel_get (device, &gpu_shader_affine, NULL, 0, &error));
  g_assert_error (error, GPU_ERROR, code);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_cmpint (gpu_hooks_get_alive (), ==, 0);
}

TEST (failures)
{
  g_autoptr (GpuDevice) device = gpu_fixture_open_another ();
  struct VolkDeviceTable hooked;
  const guint32 constant = 1;
  GpuKernel *before = new_kernel (device, &constant, 1);
  GpuKernel *kernel = before;
  const GpuKernelWanted wanted = { &kernel, &gpu_shader_affine };

  gpu_hooks_install (device);
  hooked = device->vk;
  device->vk.vkCreateShaderModule = refuse_module;
  assert_no_kernel (device, GPU_ERROR_OUT_OF_MEMORY, "affine");
  device->vk = hooked;
  device->vk.vkCreateComputePipelines = refuse_pipeline;
  assert_no_kernel (device, GPU_ERROR_OUT_OF_MEMORY, "affine");
  device->vk = hooked;
  gpu_device_mark_lost (device);
  assert_no_kernel (device, GPU_ERROR_LOST, "lost");
  g_assert_false (gpu_kernels_request (device, &wanted, 1, GPU_KERNEL_LATER,
          NULL));
  g_assert_true (kernel == before);
}

static GpuKernel *
request (GpuDevice * device, guint32 constant, GpuKernelUrgency urgency)
{
  return OK (gpu_kernel_request (device, &gpu_shader_affine, &constant, 1,
          urgency, &error));
}

/* Kernels are built on other threads. A build that failed is tried again by whoever waits
 * for it. */
TEST (requests)
{
  g_autoptr (GpuDevice) device = gpu_fixture_open_another ();
  GpuKernel *soon, *later, *none;
  guint built;

  soon = request (device, 7, GPU_KERNEL_SOON);
  later = request (device, 8, GPU_KERNEL_LATER);
  gpu_kernels_wait (device);
  g_assert_true (gpu_kernel_is_built (soon) && gpu_kernel_is_built (later));
  g_assert_true (soon == request (device, 7, GPU_KERNEL_LATER));
  g_assert_cmpuint (gpu_kernels_count (device, &built), ==, 1);
  g_assert_cmpuint (built, ==, 1);

  gpu_hooks_install (device);
  device->vk.vkCreateComputePipelines = refuse_pipeline;
  none = request (device, 9, GPU_KERNEL_LATER);
  gpu_kernels_wait (device);
  g_assert_false (gpu_kernel_is_built (none));
  FAILS (GPU_ERROR_OUT_OF_MEMORY, gpu_kernel_wait (none, NULL, NULL, &error));
  gpu_hooks_remove (device);
  g_assert_true (gpu_kernel_wait (none, NULL, NULL, NULL));
  g_assert_cmpuint (gpu_kernels_count (device, &built), ==, 1);
  g_assert_cmpuint (built, ==, 1);
}

/* As in programs: what is for later is built although nobody waits for it. */
TEST (later)
{
  g_autoptr (GpuDevice) device = gpu_fixture_open_another ();
  GpuKernel *later;

  gpu_kernels_later_delay = 0;
  later = request (device, 10, GPU_KERNEL_LATER);
  for (guint i = 0; i < 60000 && !gpu_kernel_is_built (later); i++)
    g_usleep (1000);
  g_assert_true (gpu_kernel_is_built (later));
  gpu_kernels_later_delay = G_TIME_SPAN_DAY;
}

static gboolean
allow_building (gpointer looks)
{
  if (++*(guint *) looks == 1)
    gpu_hooks_allow_builds ();
  return TRUE;
}

static gboolean
give_up (gpointer unused)
{
  return FALSE;
}

/* Who waits is asked whether to go on, and comes before all that wait for a thread. */
TEST (waits)
{
  g_autoptr (GpuDevice) device = gpu_fixture_open_another ();
  GpuKernel *last, *others[64];
  guint looks = 0, n_built = 0;

  gpu_hooks_watch_builds (device);
  gpu_hooks_hold_builds ();
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    others[i] = request (device, 100 + i, GPU_KERNEL_SOON);
  last = request (device, 99, GPU_KERNEL_LATER);
  FAILS (GPU_ERROR_CANCELLED, gpu_kernel_wait (last, give_up, NULL, &error));
  g_assert_true (gpu_kernel_wait (last, allow_building, &looks, NULL));
  g_assert_cmpuint (looks, >, 0);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    n_built += gpu_kernel_is_built (others[i]);
  g_assert_cmpuint (n_built, <, G_N_ELEMENTS (others));
  gpu_kernels_wait (device);
}

GPU_FIXTURE_MAIN ("/kernel/", gpu_fixture_add_test)
