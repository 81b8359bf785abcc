/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kernels that are compiled early, for Mesa's CPU driver. Without GPU-assisted validation,
 * which makes another shader of each. */
#include "gpu/core/kernel/rehearsal.h"
#include "gpu_fixture.h"
#include "test_shaders.h"
#include "tests.h"

/* Other tests have no rehearsals. */
static GpuDevice *
get_device (void)
{
  GpuDevice *device = gpu_fixture_device ();

  gpu_rehearsal_is_allowed = TRUE;
  return device;
}

static gboolean
skip_without_llvmpipe (GpuDevice * device)
{
  if (device->driver == VK_DRIVER_ID_MESA_LLVMPIPE)
    return FALSE;
  g_test_skip ("the driver compiles kernels when they are built");
  return TRUE;
}

/* A kernel that the driver compiled is found in its cache when it is built again. */
TEST (found)
{
  GpuDevice *device = get_device ();
  const guint32 constants[] = { g_random_int (), g_random_int () };
  GpuRehearsal *rehearsal;
  gint64 usable_from;
  guint n_tries = 0;

  if (skip_without_llvmpipe (device))
    return;
  rehearsal = gpu_rehearsal_new (device);
  usable_from =
      gpu_rehearsal_run (rehearsal, GPU_KERNEL_SOON, &gpu_shader_affine,
      constants, 2);
  g_assert_cmpint (usable_from, >, g_get_monotonic_time ());
  while (g_get_monotonic_time () < usable_from)
    g_usleep (1000);
  /* Without a cache it would be compiled each time. On a busy machine loading may take as
   * long as that, but not always. */
  while (gpu_rehearsal_run (rehearsal, GPU_KERNEL_SOON, &gpu_shader_affine,
          constants, 2) != 0)
    g_assert_cmpuint (n_tries++, <, 20);
  gpu_rehearsal_free (rehearsal);
}

TEST (other_driver)
{
  g_autoptr (GpuDevice) device = gpu_fixture_open_another ();

  gpu_rehearsal_is_allowed = TRUE;
  device->driver = VK_DRIVER_ID_MESA_RADV;
  g_assert_null (gpu_rehearsal_new (device));
}

/* The second device is another VkDevice of the same kind. */
TEST (again)
{
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (GpuDevice) again = OK (gpu_device_open_again (device, &error));

  g_assert_true (again->device != device->device);
  g_assert_true (again->physical == device->physical);
  g_assert_true (gpu_device_info_is_same (&again->info, &device->info));
}

GPU_FIXTURE_MAIN ("/rehearsal/", gpu_fixture_add_test)
