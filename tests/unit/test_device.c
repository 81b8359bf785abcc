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

  g_assert_null (gpu_device_open_own (selector, &error));
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
  GpuDevice *device = gpu_device_open_own (selector, &error);

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
static void
test_digits (void)
{
  use_fake_loader ();
  fake->replaces_devices = TRUE;
  fake->n_devices = 3;
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
  use_real_loader ();
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
break_properties (VkPhysicalDeviceProperties2 * properties, guint index)
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
    case 9:
      limits->maxDescriptorSetStorageBuffers = 15;
      break;
    case 10:
      limits->maxPerStageResources = 15;
      break;
    case 11:
      limits->maxComputeSharedMemorySize = 16383;
      break;
    case 12:
      limits->maxPushConstantsSize = 64;
      break;
    case 13:
      subgroup->subgroupSize = 128;
      break;
    case 14:
      subgroup->subgroupSize = 2;
      break;
  }
}

static void
test_capabilities (void)
{
  static const gchar *names[] = {
    "Vulkan 1.1", "subgroup", "subgroup", "subgroup", "subgroup", "subgroup",
    "storage buffers", "256 threads", "256 threads", "storage buffers",
    "storage buffers", "shared memory", "push constants", "4 to 64 lanes",
    "4 to 64 lanes",
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

/* The first of three is the best kind, the second the next best. */
static void
break_some (VkPhysicalDeviceProperties2 * properties, guint index)
{
  VkPhysicalDeviceLimits *limits = &properties->properties.limits;

  g_snprintf (properties->properties.deviceName,
      sizeof properties->properties.deviceName, "device %u", index);
  if (index < fault)
    limits->maxPushConstantsSize = limits->maxComputeSharedMemorySize = 64;
  if (index == 1 && fault > 1)
    limits->maxComputeWorkGroupInvocations = 128;
}

/* The best of those that have it all; where none has, what each lacks. */
static void
test_next_best (void)
{
  use_fake_loader ();
  fake->replaces_devices = TRUE;
  fake->n_devices = 3;
  fake->types[0] = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  fake->types[1] = VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
  fake->types[2] = VK_PHYSICAL_DEVICE_TYPE_CPU;
  fake->edit_properties = break_some;
  for (fault = 0; fault < 3; fault++) {
    g_autoptr (GpuDevice) device = open_device (NULL);

    g_assert_cmpuint (device->info.index, ==, fault);
    g_assert_cmpstr (device->info.name, ==, fault == 0 ? "device 0"
        : fault == 1 ? "device 1" : "device 2");
  }
  assert_refused (NULL, GPU_ERROR_UNSUPPORTED, "device 0 lacks 128 bytes of "
      "push constants, 16384 bytes of shared memory; device 1 lacks 128 bytes "
      "of push constants, workgroups of 256 threads, 16384 bytes of shared "
      "memory; device 2 lacks");
  assert_refused (NULL, GPU_ERROR_UNSUPPORTED, "choose another");
  /* Who asks for one by name gets no other. */
  fault = 1;
  assert_refused ("0", GPU_ERROR_UNSUPPORTED, "device 0 lacks");
  use_real_loader ();
}

/* Nor is one kept that cannot be opened. */
static void
test_failing_device (void)
{
  g_autoptr (GpuDevice) device = NULL;

  use_fake_loader ();
  fake->replaces_devices = TRUE;
  fake->n_devices = 2;
  fake->types[0] = fake->types[1] = VK_PHYSICAL_DEVICE_TYPE_CPU;
  fake->create_device = VK_ERROR_INITIALIZATION_FAILED;
  fake->n_failing = 2;
  assert_refused (NULL, GPU_ERROR_FAILED, "initialised");
  fake->n_failing = 1;
  /* Somebody wonders why. */
  g_test_expect_message (NULL, G_LOG_LEVEL_INFO, "passed over: *initialised*");
  device = open_device (NULL);
  g_test_assert_expected_messages ();
  g_assert_cmpuint (device->info.index, ==, 1);
  /* What may be otherwise the next time is the error. */
  fake->create_device = VK_ERROR_OUT_OF_HOST_MEMORY;
  fake->n_failing = 1;
  assert_refused (NULL, GPU_ERROR_OUT_OF_MEMORY, "out of host memory");
  affine_kernel_get (device);
  use_real_loader ();
}

/* A device is asked by a dispatch how it numbers lanes; one that runs none
 * does not say what it should. */
static void
test_lanes (void)
{
  use_fake_loader ();
  fake->skips_dispatches = TRUE;
  assert_refused (test_selector (), GPU_ERROR_UNSUPPORTED,
      "in the order of the threads");
  use_real_loader ();
}

/* What it may still be at work on is kept until it is known to be done, whatever
 * waiting for it comes to; no other device is taken for it. */
static void
test_lanes_wait (void)
{
  static const struct
  {
    VkResult result;
    gint code;
    guint destroyed;
  } cases[] = {
    {VK_ERROR_OUT_OF_HOST_MEMORY, GPU_ERROR_OUT_OF_MEMORY, 0},
    /* With that of the case before. */
    {VK_TIMEOUT, GPU_ERROR_LOST, 1},
    {VK_ERROR_DEVICE_LOST, GPU_ERROR_LOST, 2},
  };

  use_fake_loader ();
  fake->replaces_devices = TRUE;
  fake->n_devices = 2;
  fake->types[0] = fake->types[1] = VK_PHYSICAL_DEVICE_TYPE_CPU;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    fake->wait = cases[i].result;
    fake->destroyed = 0;
    assert_refused (NULL, cases[i].code, "");
    g_assert_cmpuint (fake->destroyed, ==, cases[i].destroyed);
  }
  use_real_loader ();
}

static void
number_uuids (VkPhysicalDeviceProperties2 * properties, guint index)
{
  VkPhysicalDeviceIDProperties *id = properties->pNext;

  while (id->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES)
    id = id->pNext;
  id->deviceUUID[0] = 0xa0 + index;
}

/* One that hangs is waited for once. As long as it does, those who ask for it
 * learn so at once, and those who ask for any get the next. When it came round,
 * or was reset, it is tried again. */
static void
test_hanging (void)
{
  static const VkResult ends[] = { VK_SUCCESS, VK_ERROR_DEVICE_LOST };

  use_fake_loader ();
  fake->replaces_devices = TRUE;
  fake->n_devices = 2;
  fake->types[0] = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  fake->types[1] = VK_PHYSICAL_DEVICE_TYPE_CPU;
  fake->edit_properties = number_uuids;
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++) {
    g_autoptr (GpuDevice) next = NULL;
    g_autoptr (GpuDevice) best = NULL;

    fake->wait = VK_TIMEOUT;
    assert_refused (NULL, GPU_ERROR_LOST, "finished nothing for 10 seconds");
    fake->wait = VK_SUCCESS;

    fake->fence_status = VK_NOT_READY;
    fake->waits = 0;
    for (guint k = 0; k < 2; k++)
      assert_refused ("0", GPU_ERROR_LOST, "hangs");
    assert_refused ("0", GPU_ERROR_LOST, "restart the program");
    g_assert_cmpuint (fake->waits, ==, 0);
    g_test_expect_message (NULL, G_LOG_LEVEL_INFO, "passed over: *hangs*");
    next = open_device (NULL);
    g_test_assert_expected_messages ();
    g_assert_cmpuint (next->info.index, ==, 1);
    g_assert_cmpuint (fake->waits, ==, 1);

    fake->fence_status = ends[i];
    fake->destroyed = 0;
    best = open_device (NULL);
    g_assert_cmpuint (best->info.index, ==, 0);
    /* What was kept of it, and of its opening now. */
    g_assert_cmpuint (fake->destroyed, ==, 2);
    affine_kernel_get (best);
    fake->fence_status = VK_SUCCESS;
  }
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

#define COMPUTE (VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT)

/* A family that does nothing but compute comes first. */
static void
test_queue_families (void)
{
  static const struct
  {
    VkQueueFlags flags[3];
    guint chosen;
  } cases[] = {
    {{VK_QUEUE_GRAPHICS_BIT | COMPUTE, COMPUTE, COMPUTE}, 1},
    {{VK_QUEUE_TRANSFER_BIT, VK_QUEUE_GRAPHICS_BIT | COMPUTE, COMPUTE}, 2},
    {{COMPUTE, VK_QUEUE_GRAPHICS_BIT | COMPUTE, COMPUTE}, 0},
    {{VK_QUEUE_GRAPHICS_BIT, VK_QUEUE_GRAPHICS_BIT | COMPUTE,
            VK_QUEUE_GRAPHICS_BIT | COMPUTE}, 1},
  };

  use_fake_loader ();
  fake->n_families = 3;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GpuDevice) device = NULL;

    memcpy (fake->family_flags, cases[i].flags, sizeof cases[i].flags);
    device = open_device (test_selector ());
    g_assert_cmpuint (device->queue_family, ==, cases[i].chosen);
  }
  use_real_loader ();
}

/* Drivers that lack a part of Vulkan are listed for those who ask, and their
 * devices want to be told. */
static void
test_portability (void)
{
  g_autoptr (GpuDevice) device = NULL;

  use_fake_loader ();
  fake->is_portability = TRUE;
  device = open_device (test_selector ());
  affine_kernel_get (device);
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

/* --- one device for all --- */

static GpuDevice *
open_shared (const gchar * selector)
{
  g_autoptr (GError) error = NULL;
  GpuDevice *device = gpu_device_open (selector, &error);

  g_assert_no_error (error);
  return device;
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

  use_fake_loader ();
  fake->replaces_devices = TRUE;
  fake->n_devices = 2;
  fake->edit_properties = number_uuids;
  devices[0] = open_shared ("0");
  devices[1] = open_shared ("1");
  devices[2] = open_shared (devices[1]->info.uuid);
  g_assert_true (devices[0] != devices[1]);
  g_assert_true (devices[1] == devices[2]);
  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    gpu_device_unref (devices[i]);
  use_real_loader ();
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
  g_assert_cmpuint (info->subgroup_size, >=, 4);
  g_assert_cmpuint (info->subgroup_size, <=, 64);
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
  gpu_fixture_add_test ("/device/digits", test_digits);
  gpu_fixture_add_test ("/device/name", test_name);
  gpu_fixture_add_test ("/device/unknown", test_unknown);
  gpu_fixture_add_test ("/device/order", test_order);
  gpu_fixture_add_test ("/device/capabilities", test_capabilities);
  gpu_fixture_add_test ("/device/next-best", test_next_best);
  gpu_fixture_add_test ("/device/lanes", test_lanes);
  gpu_fixture_add_test ("/device/lanes-wait", test_lanes_wait);
  gpu_fixture_add_test ("/device/hanging", test_hanging);
  gpu_fixture_add_test ("/device/failing-device", test_failing_device);
  gpu_fixture_add_test ("/device/no-compute", test_no_compute);
  gpu_fixture_add_test ("/device/queue-families", test_queue_families);
  gpu_fixture_add_test ("/device/portability", test_portability);
  gpu_fixture_add_test ("/device/timestamp-bits", test_timestamp_bits);
  gpu_fixture_add_test ("/device/shared", test_shared);
  gpu_fixture_add_test ("/device/shared-by-uuid", test_shared_by_uuid);
  gpu_fixture_add_test ("/device/shared-by-threads", test_shared_by_threads);
  gpu_fixture_add_test ("/device/parts", test_parts);
  gpu_fixture_add_test ("/device/several", test_several);
  gpu_fixture_add_test ("/device/poorer-loader", test_poorer_loader);
  gpu_fixture_add_test ("/device/again-and-again", test_again_and_again);
  gpu_fixture_add_test ("/device/threads", test_threads);
  result = g_test_run ();
  gpu_fixture_close ();
  return result;
}
