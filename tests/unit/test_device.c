/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "affine.h"
#include "fake_loader.h"
#include "gpu/core/vulkan.h"
#include "gpu_fixture.h"

#include <dlfcn.h>
#include <string.h>

/* --- the loader, or what stands in for it --- */

typedef enum
{
  LOADER_REAL,
  LOADER_MISSING,
  LOADER_FAKE,
} LoaderChoice;

static LoaderChoice loader_choice;
static FakeLoader *fake;
static const FakeLoader unchanged;

typedef void *(*OpenFunction) (const char *file, int mode);

/* In place of the C library's, for gpu/ is linked into this program. */
void *
dlopen (const char *file, int mode)
{
  OpenFunction open_module = (OpenFunction) dlsym (RTLD_NEXT, "dlopen");
  void *module;

  if (loader_choice == LOADER_REAL || !file
      || !g_str_has_prefix (file, "libvulkan.so"))
    return open_module (file, mode);
  if (loader_choice == LOADER_MISSING)
    return NULL;
  module = open_module (FAKE_LOADER, mode);
  g_assert_nonnull (module);
  fake = dlsym (module, "fake_loader");
  return module;
}

/* Only while it is chosen: the device is the real one's before and after. */
static void
use_fake_loader (void)
{
  loader_choice = LOADER_FAKE;
  g_assert_nonnull (dlopen ("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL));
  *fake = unchanged;
}

static void
use_real_loader (void)
{
  if (fake)
    *fake = unchanged;
  loader_choice = LOADER_REAL;
}

static const gchar *
test_selector (void)
{
  return g_getenv ("GPU_TEST_DEVICE");
}

/* Whatever @selector asks for is not to be had, for a reason that names
 * @words. */
static void
assert_refused (const gchar * selector, gint code, const gchar * words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (gpu_device_open (selector, &error));
  g_assert_error (error, GPU_ERROR, code);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_no_loader (void)
{
  loader_choice = LOADER_MISSING;
  assert_refused (NULL, GPU_ERROR_NO_VULKAN, "libvulkan.so.1");
  assert_refused (NULL, GPU_ERROR_NO_VULKAN, "install");
  use_real_loader ();
}

static void
test_old_loader (void)
{
  use_fake_loader ();
  fake->version = VK_API_VERSION_1_0;
  assert_refused (NULL, GPU_ERROR_NO_VULKAN, "1.1");
  use_real_loader ();
}

static void
test_no_driver (void)
{
  use_fake_loader ();
  fake->create_instance = VK_ERROR_INCOMPATIBLE_DRIVER;
  assert_refused (NULL, GPU_ERROR_NO_VULKAN, "install");
  use_real_loader ();
}

static void
test_no_device (void)
{
  use_fake_loader ();
  fake->replaces_devices = TRUE;
  assert_refused (NULL, GPU_ERROR_NO_DEVICE, "install");
  assert_refused ("0", GPU_ERROR_NO_DEVICE, "install");
  use_real_loader ();
}

/* --- choosing --- */

static GpuDevice *
open_device (const gchar * selector)
{
  g_autoptr (GError) error = NULL;
  GpuDevice *device = gpu_device_open (selector, &error);

  g_assert_no_error (error);
  return device;
}

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
  g_autofree gchar *next_index = g_strdup_printf ("%u", info->index + 1);
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
  g_assert_false (gpu_device_matches (device, next_index));
  g_assert_false (gpu_device_matches (device, "no such device"));
  g_assert_false (gpu_device_matches (device, info->uuid + 1));
  /* Not text at all. */
  g_assert_false (gpu_device_matches (device, "\xf0"));
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

/* The best kind first, among equals the first. */
static void
test_order (void)
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

  use_fake_loader ();
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
  use_real_loader ();
}

/* --- what a device must have --- */

static guint fault;

static void
break_properties (VkPhysicalDeviceProperties2 * properties)
{
  VkPhysicalDeviceLimits *limits = &properties->properties.limits;
  VkPhysicalDeviceSubgroupProperties *subgroup = properties->pNext;

  while (subgroup && subgroup->sType
      != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES)
    subgroup = subgroup->pNext;
  g_assert_nonnull (subgroup);
  switch (fault) {
    case 0:
      properties->properties.apiVersion = VK_API_VERSION_1_0;
      break;
    case 1:
      subgroup->supportedStages = VK_SHADER_STAGE_FRAGMENT_BIT;
      break;
    case 2:
      subgroup->supportedOperations &= ~VK_SUBGROUP_FEATURE_BASIC_BIT;
      break;
    case 3:
      subgroup->supportedOperations &= ~VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
      break;
    case 4:
      subgroup->supportedOperations &= ~VK_SUBGROUP_FEATURE_BALLOT_BIT;
      break;
    case 5:
      subgroup->supportedOperations &= ~VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
      break;
    case 6:
      limits->maxPerStageDescriptorStorageBuffers = 8;
      break;
    case 7:
      limits->maxComputeWorkGroupInvocations = 128;
      break;
    case 8:
      limits->maxComputeWorkGroupSize[0] = 128;
      break;
  }
}

static void
test_capabilities (void)
{
  static const gchar *names[] = {
    "Vulkan 1.1", "subgroup", "subgroup", "subgroup", "subgroup", "subgroup",
    "storage buffers", "256 threads", "256 threads",
  };
  const GpuDeviceInfo *info = gpu_device_get_info (gpu_fixture_device ());

  use_fake_loader ();
  fake->edit_properties = break_properties;
  for (fault = 0; fault < G_N_ELEMENTS (names); fault++) {
    assert_refused (test_selector (), GPU_ERROR_UNSUPPORTED, names[fault]);
    assert_refused (test_selector (), GPU_ERROR_UNSUPPORTED, info->name);
  }
  /* With nothing broken the same device opens. */
  gpu_device_unref (open_device (test_selector ()));
  use_real_loader ();
}

static void
take_compute (VkQueueFamilyProperties * family)
{
  family->queueFlags &= ~VK_QUEUE_COMPUTE_BIT;
}

static void
test_no_compute (void)
{
  use_fake_loader ();
  fake->edit_queue_family = take_compute;
  assert_refused (test_selector (), GPU_ERROR_UNSUPPORTED, "queue");
  use_real_loader ();
}

static guint timestamp_bits;

static void
set_timestamp_bits (VkQueueFamilyProperties * family)
{
  family->timestampValidBits = timestamp_bits;
}

static void
test_timestamp_bits (void)
{
  static const struct
  {
    guint bits;
    guint64 mask;
  } expected[] = { {36, 0xfffffffff}, {63, G_MAXINT64}, {64, G_MAXUINT64} };
  g_autoptr (GpuDevice) without = NULL;

  use_fake_loader ();
  fake->edit_queue_family = set_timestamp_bits;
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    g_autoptr (GpuDevice) device = NULL;

    timestamp_bits = expected[i].bits;
    device = open_device (test_selector ());
    g_assert_cmphex (device->timestamp_mask, ==, expected[i].mask);
  }
  timestamp_bits = 0;
  without = open_device (test_selector ());
  g_assert_cmpfloat (without->info.timestamp_period, ==, 0);
  use_real_loader ();
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
  fake->create_instance = VK_ERROR_INITIALIZATION_FAILED;
  assert_refused (NULL, GPU_ERROR_FAILED, "instance");
  affine_kernel_get (device);
  g_clear_pointer (&device, gpu_device_unref);
  use_real_loader ();
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
count_opening (VkPhysicalDeviceProperties2 * properties)
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
  use_fake_loader ();
  fake->edit_properties = count_opening;
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("opens", open_and_close, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_cmpint (most_opening, ==, 1);
  use_real_loader ();
}

static void
test_info (void)
{
  const GpuDeviceInfo *info = gpu_device_get_info (gpu_fixture_device ());

  g_test_message ("%s, %u lanes", info->name, info->subgroup_size);
  /* What Vulkan guarantees, or this layer asks for. */
  g_assert_cmpuint (info->subgroup_size, >=, 1);
  g_assert_cmpuint (info->subgroup_size, <=, 128);
  g_assert_cmpuint (info->max_group_threads, >=, 256);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (info->max_groups[i], >=, 65535);
  g_assert_cmpuint (info->max_binding, >=, 128 << 20);
  g_assert_cmpuint (info->max_shared, >=, 16384);
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/device/no-loader", test_no_loader);
  g_test_add_func ("/device/old-loader", test_old_loader);
  g_test_add_func ("/device/no-driver", test_no_driver);
  gpu_fixture_add_test ("/device/no-device", test_no_device);
  gpu_fixture_add_test ("/device/info", test_info);
  gpu_fixture_add_test ("/device/selector", test_selector_kinds);
  gpu_fixture_add_test ("/device/name", test_name);
  gpu_fixture_add_test ("/device/unknown", test_unknown);
  gpu_fixture_add_test ("/device/order", test_order);
  gpu_fixture_add_test ("/device/capabilities", test_capabilities);
  gpu_fixture_add_test ("/device/no-compute", test_no_compute);
  gpu_fixture_add_test ("/device/timestamp-bits", test_timestamp_bits);
  gpu_fixture_add_test ("/device/several", test_several);
  gpu_fixture_add_test ("/device/poorer-loader", test_poorer_loader);
  gpu_fixture_add_test ("/device/again-and-again", test_again_and_again);
  gpu_fixture_add_test ("/device/threads", test_threads);
  result = g_test_run ();
  gpu_fixture_close ();
  return result;
}
