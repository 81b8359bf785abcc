/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Devices that are open: what they say, who shares them, how they go. */
#include "affine.h"
#include "gpu/core/memory/buffer.h"
#include "gpu_fixture.h"
#include "loader_fixture.h"

#include <string.h>

static void
test_info (void)
{
  const GpuDeviceInfo *info = gpu_device_get_info (gpu_fixture_device ());

  g_test_message ("%s, %u lanes, %s", info->name, info->subgroup_size,
      info->driver);
  g_assert_nonnull (strstr (info->driver, ", Vulkan 1."));
  /* What Vulkan guarantees, or this layer asks for. */
  g_assert_cmpuint (info->subgroup_size, >=, 4);
  g_assert_cmpuint (info->subgroup_size, <=, 64);
  g_assert_cmpuint (info->max_group_threads, >=, 256);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (info->max_groups[i], >=, 65535);
  g_assert_cmpuint (info->max_binding, >=, 128 << 20);
  g_assert_cmpuint (info->max_buffer, >=, 1 << 30);
  g_assert_cmpuint (info->max_shared, >=, 16384);
}

/* --- one device for all --- */

static GpuDevice *
open_shared (const gchar * selector)
{
  return OK (gpu_device_open (selector, NULL, &error));
}

/* Whoever asks for a device that is open gets that one, however it is asked
 * for; one that was lost, or is somebody's own, is passed over. */
static void
test_shared (void)
{
  GpuDevice *first, *second, *third, *own;

  /* The fixture's is one of them, and is not to be spoilt. */
  gpu_fixture_close ();
  first = open_shared (test_selector ());
  second = open_shared (first->info.uuid);
  own = open_device (test_selector ());
  g_assert_true (second == first);
  g_assert_true (own != first);
  gpu_device_unref (first);
  affine_kernel_get (second);
  gpu_device_mark_lost (second);
  first = open_shared (test_selector ());
  g_assert_true (first != second);
  g_assert_true (first != own);
  g_assert_false (gpu_device_is_lost (first));
  third = open_shared (test_selector ());
  g_assert_true (third == first);
  affine_kernel_get (first);
  gpu_device_unref (second);
  gpu_device_unref (first);
  gpu_device_unref (third);
  gpu_device_unref (own);
}

/* Different devices stay different. */
static void
test_shared_by_uuid (void)
{
  GpuDevice *devices[3];

  list_devices (2, VK_PHYSICAL_DEVICE_TYPE_OTHER,
      VK_PHYSICAL_DEVICE_TYPE_OTHER);
  fake->edit_properties = number_uuids;
  devices[0] = open_shared ("0");
  devices[1] = open_shared ("1");
  devices[2] = open_shared (devices[1]->info.uuid);
  g_assert_true (devices[0] != devices[1]);
  g_assert_true (devices[1] == devices[2]);
  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    gpu_device_unref (devices[i]);
}

static gpointer
share_and_close (gpointer data)
{
  for (guint i = 0; i < 20; i++) {
    g_autoptr (GpuDevice) device = open_shared (test_selector ());

    g_assert_nonnull (device->device);
    affine_kernel_get (device);
  }
  return NULL;
}

/* Nobody gets one that is on its way out. */
static void
test_shared_by_threads (void)
{
  GThread *threads[3];

  /* The fixture's, which all would share. */
  gpu_fixture_close ();
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("shares", share_and_close, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

/* --- parts --- */

static gint made, destroyed;

static gpointer
make_part (GpuDevice * device)
{
  made++;
  return g_strdup (device->info.name);
}

static void
destroy_part (gpointer part)
{
  destroyed++;
  g_free (part);
}

/* Made once, when it is asked for; gone with the device. */
static void
test_parts (void)
{
  static const GpuDevicePart one = { make_part, destroy_part };
  static const GpuDevicePart other = { make_part, destroy_part };
  GpuDevice *device = open_device (test_selector ());
  gpointer part;

  made = destroyed = 0;
  part = gpu_device_get_part (device, &one);
  g_assert_cmpstr (part, ==, device->info.name);
  g_assert_true (gpu_device_get_part (device, &one) == part);
  g_assert_true (gpu_device_get_part (device, &other) != part);
  g_assert_cmpint (made, ==, 2);
  g_assert_cmpint (destroyed, ==, 0);
  gpu_device_unref (device);
  g_assert_cmpint (destroyed, ==, 2);
}

/* --- several devices in one process --- */

/* Each keeps working whichever of them goes first. */
static void
test_several (void)
{
  GpuDevice *devices[3];

  for (guint first = 0; first < 3; first++) {
    for (guint i = 0; i < 3; i++)
      devices[i] = open_device (test_selector ());
    for (guint i = 0; i < 3; i++) {
      GpuDevice *device = devices[(first + i) % 3];

      affine_kernel_get (device);
      gpu_device_unref (device);
    }
  }
}

/* One that is open does not depend on what the next one finds. */
static void
test_poorer_loader (void)
{
  g_autoptr (GpuDevice) device = open_device (test_selector ());
  g_autoptr (GpuDevice) poorer = NULL;

  use_fake_loader ();
  fake->hides_extensions = TRUE;
  poorer = open_device (test_selector ());
  affine_kernel_get (poorer);
  affine_kernel_get (device);
  g_clear_pointer (&poorer, gpu_device_unref);
  affine_kernel_get (device);
  use_fake_loader ();
  fake->create_instance = VK_ERROR_INITIALIZATION_FAILED;
  assert_refused (NULL, GPU_ERROR_FAILED, "instance");
  affine_kernel_get (device);
  /* What failed is tried again. */
  fake->create_instance = VK_SUCCESS;
  poorer = open_device (test_selector ());
  affine_kernel_get (poorer);
  g_clear_pointer (&device, gpu_device_unref);
  use_real_loader ();
}

/* One instance does for all of them, one after the other or at once. */
static void
test_one_instance (void)
{
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GpuDevice) device = open_device (test_selector ());

    gpu_device_unref (open_device (test_selector ()));
    affine_kernel_get (device);
  }
  g_assert_cmpuint (fake->instances, ==, 1);
}

static VkDeviceSize bytes_left;

static void
say_left (VkPhysicalDeviceMemoryBudgetPropertiesEXT * budget)
{
  for (guint i = 0; i < VK_MAX_MEMORY_HEAPS; i++) {
    budget->heapUsage[i] = 5 << 20;
    budget->heapBudget[i] = (5 << 20) + bytes_left;
  }
}

/* The driver is asked each time, and it is the device's own, whatever others were opened
 * since. */
static void
test_budget (void)
{
  g_autoptr (GpuDevice) device = NULL, other = NULL;

  fake->say_budget = say_left;
  device = open_device (test_selector ());
  bytes_left = 3 << 20;
  g_assert_cmpuint (gpu_device_get_memory_left (device), ==, bytes_left);
  g_assert_true (device->info.has_memory_budget);
  g_assert_false (device->info.requires_lanes);
  fake->say_budget = NULL;
  fake->is_portability = TRUE;
  other = open_device (test_selector ());
  g_assert_null (other->get_memory_budget);
  g_assert_false (other->info.has_memory_budget);
  g_assert_cmpuint (gpu_device_get_memory_left (other), >, bytes_left);
  fake->say_budget = say_left;
  bytes_left = 1 << 20;
  g_assert_cmpuint (gpu_device_get_memory_left (device), ==, bytes_left);
}

/* More often than drivers can be loaded. */
static void
test_again_and_again (void)
{
  for (guint i = 0; i < 50; i++)
    gpu_device_unref (open_device (test_selector ()));
}

static gint opening, most_opening;

static void
count_opening (VkPhysicalDeviceProperties2 * properties, guint index)
{
  gint now = g_atomic_int_add (&opening, 1) + 1;

  if (now > g_atomic_int_get (&most_opening))
    g_atomic_int_set (&most_opening, now);
  g_usleep (1000);
  g_atomic_int_add (&opening, -1);
}

static gpointer
open_and_close (gpointer data)
{
  for (guint i = 0; i < 5; i++) {
    g_autoptr (GpuDevice) device = open_device (test_selector ());

    affine_kernel_get (device);
  }
  return NULL;
}

/* Threads open devices one after the other, for the loader's functions are
 * kept in globals meanwhile; what is open works on. */
static void
test_threads (void)
{
  GThread *threads[4];

  most_opening = 0;
  fake->edit_properties = count_opening;
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("opens", open_and_close, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_cmpint (most_opening, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gpu_fixture_add_test ("/device/info", test_info);
  gpu_fixture_add_test ("/device/shared", test_shared);
  loader_fixture_add_test ("/device/shared-by-uuid", test_shared_by_uuid);
  gpu_fixture_add_test ("/device/shared-by-threads", test_shared_by_threads);
  gpu_fixture_add_test ("/device/parts", test_parts);
  gpu_fixture_add_test ("/device/several", test_several);
  gpu_fixture_add_test ("/device/poorer-loader", test_poorer_loader);
  loader_fixture_add_test ("/device/one-instance", test_one_instance);
  loader_fixture_add_test ("/device/budget", test_budget);
  gpu_fixture_add_test ("/device/again-and-again", test_again_and_again);
  loader_fixture_add_test ("/device/threads", test_threads);
  return gpu_fixture_run_tests ();
}
