/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which device is opened, and what is said where there is none. */
#include "affine.h"
#include "gpu_fixture.h"
#include "loader_fixture.h"
#include "tests.h"

#include <string.h>

static void
test_no_vulkan (void)
{
  use_no_loader ();
  assert_refused (NULL, GPU_ERROR_NO_VULKAN, "libvulkan.so.1");
  assert_refused (NULL, GPU_ERROR_NO_VULKAN, "install");
  use_fake_loader ();
  fake->version = VK_API_VERSION_1_0;
  assert_refused (NULL, GPU_ERROR_NO_VULKAN, "1.1");
  use_fake_loader ();
  fake->create_instance = VK_ERROR_INCOMPATIBLE_DRIVER;
  assert_refused (NULL, GPU_ERROR_NO_VULKAN, "install");
  use_real_loader ();
}

TEST (no_device)
{
  fake->replaces_devices = TRUE;
  assert_refused (NULL, GPU_ERROR_NO_DEVICE, "install");
  assert_refused ("0", GPU_ERROR_NO_DEVICE, "install");
}

/* --- which of them --- */

static void
assert_opens (const gchar * selector, const gchar * uuid)
{
  g_autoptr (GpuDevice) device = open_device (selector);

  g_assert_cmpstr (gpu_device_get_info (device)->uuid, ==, uuid);
  g_assert_true (gpu_device_matches (device, selector));
}

static void
test_selector_kinds (void)
{
  GpuDevice *device = gpu_fixture_device ();
  const GpuDeviceInfo *info = gpu_device_get_info (device);
  g_autofree gchar *index = g_strdup_printf ("%u", info->index);
  g_autofree gchar *upper_uuid = g_ascii_strup (info->uuid, -1);
  g_autofree gchar *upper_name = g_ascii_strup (info->name, -1);
  g_autofree gchar *lower_name = g_ascii_strdown (info->name, -1);

  g_assert_cmpuint (strlen (info->uuid), ==, 36);
  assert_opens (index, info->uuid);
  assert_opens (info->uuid, info->uuid);
  assert_opens (upper_uuid, info->uuid);
  assert_opens (test_selector (), info->uuid);

  g_assert_true (gpu_device_matches (device, NULL));
  g_assert_true (gpu_device_matches (device, ""));
  g_assert_true (gpu_device_matches (device, info->name));
  g_assert_true (gpu_device_matches (device, upper_name));
  g_assert_true (gpu_device_matches (device, lower_name));
  g_assert_true (gpu_device_matches (device, info->name + 2));
  lower_name[strlen (lower_name) - 1] = '\0';
  g_assert_true (gpu_device_matches (device, lower_name));
  g_assert_false (gpu_device_matches (device, "no such device"));
  g_assert_false (gpu_device_matches (device, info->uuid + 1));
  /* Not text at all. */
  g_assert_false (gpu_device_matches (device, "\xf0"));
}

static void
number_names (VkPhysicalDeviceProperties2 * properties, guint index)
{
  g_snprintf (properties->properties.deviceName,
      sizeof properties->properties.deviceName, "Radeon RX %u", 15 + index);
}

/* Digits are an index where there is such a device, else a part of a name. */
TEST (digits)
{
  list_devices (3, VK_PHYSICAL_DEVICE_TYPE_OTHER, VK_PHYSICAL_DEVICE_TYPE_OTHER,
      VK_PHYSICAL_DEVICE_TYPE_OTHER);
  fake->edit_properties = number_names;
  for (guint i = 0; i < 3; i++) {
    g_autofree gchar *index = g_strdup_printf ("%u", i);
    g_autofree gchar *number = g_strdup_printf ("%u", 15 + i);
    g_autoptr (GpuDevice) indexed = open_device (index);
    g_autoptr (GpuDevice) named = open_device (number);

    g_assert_cmpuint (indexed->info.index, ==, i);
    g_assert_cmpuint (named->info.index, ==, i);
    g_assert_true (gpu_device_matches (named, index));
    g_assert_true (gpu_device_matches (named, number));
    /* Every name has this digit, but it is an index. */
    g_assert_cmpint (gpu_device_matches (named, "1"), ==, i == 1);
  }
  assert_refused ("18", GPU_ERROR_NO_DEVICE, "Radeon RX 17");
  assert_refused ("3", GPU_ERROR_NO_DEVICE, "Radeon RX 17");
}

static void
test_name (void)
{
  const GpuDeviceInfo *info = gpu_device_get_info (gpu_fixture_device ());
  g_autofree gchar *part = g_ascii_strup (info->name + 1, -1);
  g_autoptr (GpuDevice) device = open_device (part);

  g_assert_cmpstr (gpu_device_get_info (device)->name, ==, info->name);
}

static void
test_unknown (void)
{
  const GpuDeviceInfo *info = gpu_device_get_info (gpu_fixture_device ());

  /* What was asked for, and what there is instead. */
  assert_refused ("no such device", GPU_ERROR_NO_DEVICE, "no such device");
  assert_refused ("no such device", GPU_ERROR_NO_DEVICE, info->name);
  assert_refused ("no such device", GPU_ERROR_NO_DEVICE, info->uuid);
  assert_refused ("4000000000", GPU_ERROR_NO_DEVICE, info->name);
}

/* One that came since the instance was made is found, at the cost of another
 * instance; one that is not there is looked for once more, each time. */
TEST (plugged)
{
  g_autoptr (GpuDevice) first = NULL;
  g_autoptr (GpuDevice) second = NULL;

  list_devices (2, VK_PHYSICAL_DEVICE_TYPE_OTHER,
      VK_PHYSICAL_DEVICE_TYPE_OTHER);
  fake->n_plugged = 1;
  fake->edit_properties = number_names;
  first = open_device (NULL);
  g_assert_cmpuint (first->n_listed, ==, 1);
  g_assert_cmpuint (fake->instances, ==, 1);
  second = open_device ("RX 16");
  g_assert_cmpuint (second->info.index, ==, 1);
  g_assert_cmpuint (fake->instances, ==, 2);
  assert_refused ("no such device", GPU_ERROR_NO_DEVICE, "no such device");
  g_assert_cmpuint (fake->instances, ==, 3);
  affine_kernel_get (first);
  affine_kernel_get (second);
}

/* A card that was lost may be back as a device that the instance does not know: one loss
 * costs another instance, however often it is told of. */
TEST (replugged)
{
  list_devices (2, VK_PHYSICAL_DEVICE_TYPE_CPU,
      VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU);
  fake->n_plugged = 1;

  g_autoptr (GpuDevice) lost = open_device (NULL);

  g_assert_cmpuint (lost->info.index, ==, 0);
  g_assert_cmpuint (fake->instances, ==, 1);
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GpuDevice) device = NULL;

    gpu_device_mark_lost (lost);
    device = open_device (NULL);
    g_assert_cmpuint (device->info.index, ==, 1);
    g_assert_cmpuint (fake->instances, ==, 2);
  }
}

/* The best kind first, among equals the first. */
TEST (order)
{
  static const VkPhysicalDeviceType types[] = {
    VK_PHYSICAL_DEVICE_TYPE_CPU, VK_PHYSICAL_DEVICE_TYPE_OTHER,
    VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU,
    VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU,
    VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
  };
  static const GpuDeviceKind kinds[] = {
    GPU_DEVICE_CPU, GPU_DEVICE_OTHER, GPU_DEVICE_VIRTUAL,
    GPU_DEVICE_INTEGRATED, GPU_DEVICE_DISCRETE,
  };

  fake->replaces_devices = TRUE;
  for (guint n = 1; n <= G_N_ELEMENTS (types); n++) {
    g_autoptr (GpuDevice) best = NULL;
    g_autoptr (GpuDevice) asked = NULL;

    /* The best one first, then last of the different ones. */
    for (guint order = 0; order < 2; order++) {
      fake->n_devices = n + 1;
      for (guint i = 0; i < n; i++)
        fake->types[order == 0 ? i : n - 1 - i] = types[i];
      fake->types[n] = types[n - 1];
      best = open_device (NULL);
      g_assert_cmpint (best->info.kind, ==, kinds[n - 1]);
      g_assert_cmpuint (best->info.index, ==, order == 0 ? n - 1 : 0);
      g_clear_pointer (&best, gpu_device_unref);
    }
    asked = open_device ("1");
    g_assert_cmpuint (asked->info.index, ==, 1);
  }
}

/* A card that two drivers list is two devices; the first of the list is taken, by
 * the card's UUID too. */
TEST (drivers)
{
  const gchar *uuid = gpu_device_get_info (gpu_fixture_device ())->uuid;
  const gchar *selectors[] = { "0", "1", uuid };
  GpuDevice *devices[3];

  list_devices (2, VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
      VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU);
  fake->edit_properties = number_drivers;
  for (guint i = 0; i < G_N_ELEMENTS (devices); i++) {
    devices[i] = OK (gpu_device_open (selectors[i], NULL, &error));
    g_assert_true (gpu_device_matches (devices[i], uuid));
  }
  g_assert_true (devices[0] != devices[1]);
  g_assert_true (devices[0] == devices[2]);
  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    gpu_device_unref (devices[i]);
}

static guint n_broken;

/* The first of three is the best kind, the second the next best. */
static void
break_some (VkPhysicalDeviceProperties2 * properties, guint index)
{
  VkPhysicalDeviceLimits *limits = &properties->properties.limits;

  g_snprintf (properties->properties.deviceName,
      sizeof properties->properties.deviceName, "device %u", index);
  if (index < n_broken)
    limits->maxPushConstantsSize = limits->maxComputeSharedMemorySize = 64;
  if (index == 1 && n_broken > 1)
    limits->maxComputeWorkGroupInvocations = 128;
}

/* The best of those that have it all; where none has, what each lacks. */
TEST (next_best)
{
  list_devices (3, VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
      VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU, VK_PHYSICAL_DEVICE_TYPE_CPU);
  fake->edit_properties = break_some;
  for (n_broken = 0; n_broken < 3; n_broken++) {
    g_autoptr (GpuDevice) device = open_device (NULL);

    g_assert_cmpuint (device->info.index, ==, n_broken);
    g_assert_cmpstr (device->info.name, ==, n_broken == 0 ? "device 0"
        : n_broken == 1 ? "device 1" : "device 2");
    g_assert_cmpstr (gpu_device_get_passed_over (device), ==, n_broken == 0 ?
        NULL : n_broken == 1 ? "device 0 lacks 128 bytes of push constants, "
        "16384 bytes of shared memory; update the driver or choose another "
        "device" : "device 0 lacks 128 bytes of push "
        "constants, 16384 bytes of shared memory; device 1 lacks 128 bytes of "
        "push constants, workgroups of 256 threads, 16384 bytes of shared "
        "memory; update the driver or choose another device");
  }
  assert_refused (NULL, GPU_ERROR_UNSUPPORTED, "device 0 lacks 128 bytes of "
      "push constants, 16384 bytes of shared memory; device 1 lacks 128 bytes "
      "of push constants, workgroups of 256 threads, 16384 bytes of shared "
      "memory; device 2 lacks");
  assert_refused (NULL, GPU_ERROR_UNSUPPORTED, "choose another");
  /* Who asks for one by name gets no other. */
  n_broken = 1;
  assert_refused ("0", GPU_ERROR_UNSUPPORTED, "device 0 lacks");
}

static void
take_subgroups_of_first (VkPhysicalDeviceProperties2 * properties, guint index)
{
  VkPhysicalDeviceSubgroupProperties *subgroup = properties->pNext;

  number_names (properties, index);
  number_uuids (properties, index);
  while (subgroup->sType
      != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES)
    subgroup = subgroup->pNext;
  if (index == 0)
    subgroup->supportedOperations = VK_SUBGROUP_FEATURE_BASIC_BIT;
}

/* The best device is for whom it can serve; others get the next, also if the best one is
 * open. */
TEST (best_for_needs)
{
  g_autoptr (GpuDevice) best = NULL;
  g_autoptr (GpuDevice) next = NULL;

  list_devices (2, VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
      VK_PHYSICAL_DEVICE_TYPE_CPU);
  fake->edit_properties = take_subgroups_of_first;
  for (guint i = 0; i < 2; i++) {
    g_clear_pointer (&next, gpu_device_unref);
    next = OK (gpu_device_open (NULL, &all_needs, &error));
    g_assert_cmpuint (next->info.index, ==, 1);
    g_assert_cmpstr (gpu_device_get_passed_over (next), ==,
        "Radeon RX 15 lacks subgroup basic, arithmetic, ballot and shuffle "
        "operations in compute shaders; update the driver or choose another "
        "device");
    if (i == 0)
      best = OK (gpu_device_open (NULL, NULL, &error));
    g_assert_cmpuint (best->info.index, ==, 0);
  }
  FAILS (GPU_ERROR_UNSUPPORTED, gpu_device_open ("RX 15", &all_needs, &error));
}

static void
break_first (VkPhysicalDeviceProperties2 * properties, guint index)
{
  break_some (properties, index);
  number_uuids (properties, index);
}

/* Also of one that was open, since somebody had asked for it, it is known what was
 * passed over for it. */
TEST (passed_over_for_known)
{
  g_autoptr (GpuDevice) named = NULL;
  g_autoptr (GpuDevice) any = NULL;

  list_devices (2, VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
      VK_PHYSICAL_DEVICE_TYPE_CPU);
  fake->edit_properties = break_first;
  n_broken = 1;
  named = gpu_device_open ("1", NULL, NULL);
  g_assert_null (gpu_device_get_passed_over (named));
  any = gpu_device_open (NULL, NULL, NULL);
  g_assert_true (any == named);
  g_assert_nonnull (gpu_device_get_passed_over (any));
  g_assert_true (g_str_has_prefix (gpu_device_get_passed_over (any),
          "device 0 lacks"));
}

/* Nor is one kept that cannot be opened. */
TEST (failing_device)
{
  g_autoptr (GpuDevice) device = NULL;

  list_devices (2, VK_PHYSICAL_DEVICE_TYPE_CPU, VK_PHYSICAL_DEVICE_TYPE_CPU);
  fake->create_device = VK_ERROR_INITIALIZATION_FAILED;
  fake->n_failing = 2;
  assert_refused (NULL, GPU_ERROR_FAILED, "initialised");
  fake->n_failing = 1;
  /* Somebody wonders why. */
  g_test_expect_message ("gst-gpu", G_LOG_LEVEL_INFO,
      "passed over: *initialised*");
  device = open_device (NULL);
  g_test_assert_expected_messages ();
  g_assert_cmpuint (device->info.index, ==, 1);
  /* Which no newer driver need mend. */
  g_assert_null (strstr (gpu_device_get_passed_over (device), "update"));
  /* What may be otherwise the next time is the error. */
  fake->create_device = VK_ERROR_OUT_OF_HOST_MEMORY;
  fake->n_failing = 1;
  assert_refused (NULL, GPU_ERROR_OUT_OF_MEMORY, "out of host memory");
  affine_kernel_get (device);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/choice/no-vulkan", test_no_vulkan);
  tests_add ("/choice/", loader_fixture_add_test);
  gpu_fixture_add_test ("/choice/selector", test_selector_kinds);
  gpu_fixture_add_test ("/choice/name", test_name);
  gpu_fixture_add_test ("/choice/unknown", test_unknown);
  return gpu_fixture_run_tests ();
}
