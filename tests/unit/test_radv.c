/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every shader through the compiler of Mesa's driver for AMD, which needs no card:
 * the environment tells it to play one. Nothing is run. */
#include "loader_fixture.h"
#include "shaders.h"

#include <string.h>

static const GpuShader *const shaders[] = { SHADERS };

static guint reported_lanes;

static void
report_lanes (VkPhysicalDeviceProperties2 * properties, guint index)
{
  VkPhysicalDeviceSubgroupProperties *subgroup = properties->pNext;

  while (subgroup->sType
      != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES)
    subgroup = subgroup->pNext;
  subgroup->subgroupSize = reported_lanes;
}

/* NULL: there is no such driver here. */
static GpuDevice *
open_null_hardware (guint lanes)
{
  g_autoptr (GError) error = NULL;
  GpuDevice *device;

  use_fake_loader ();
  fake->runs_nothing = TRUE;
  /* Of them the names of objects: there is no fence to name. */
  fake->hides_extensions = TRUE;
  fake->edit_properties = report_lanes;
  reported_lanes = lanes;
  device = gpu_device_open_own ("RADV", &error);
  if (!device)
    g_test_message ("%s", error->message);
  return device;
}

static void
test_compile (gconstpointer data)
{
  guint lanes = GPOINTER_TO_UINT (data);
  g_autoptr (GpuDevice) device = open_null_hardware (lanes);

  if (!device) {
    g_test_skip ("no driver for AMD that does without a card");
    use_real_loader ();
    return;
  }
  g_assert_cmpuint (device->info.subgroup_size, ==, lanes);
  for (guint i = 0; i < G_N_ELEMENTS (shaders); i++) {
    g_autoptr (GError) error = NULL;

    gpu_kernel_get (device, shaders[i], NULL, 0, &error);
    g_assert_no_error (error);
  }
  g_assert_cmpuint (fake->sizes, ==, lanes);
  g_assert_cmpuint (fake->full, >, G_N_ELEMENTS (shaders) / 3);
  use_real_loader ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/radv/32", GUINT_TO_POINTER (32), test_compile);
  g_test_add_data_func ("/radv/64", GUINT_TO_POINTER (64), test_compile);
  return g_test_run ();
}
