/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a device must have and do, and how it is opened then. */
#include "affine.h"
#include "gpu/core/device/vulkan.h"
#include "gpu_fixture.h"
#include "loader_fixture.h"
#include "tests.h"

#include <string.h>
#include <time.h>

/* What a device lacks: a field of its properties that is less, or of its subgroups' that has
 * no other bits. */
static const struct
{
  gboolean of_subgroups;
  gsize field;
  guint32 value;
  const gchar *lacks;
} faults[] = {
#define PROPERTY(name) FALSE, offsetof (VkPhysicalDeviceProperties, name)
#define LIMIT(name) PROPERTY (limits.name)
#define SUBGROUPS(name) \
  TRUE, offsetof (VkPhysicalDeviceSubgroupProperties, supported##name)
  {PROPERTY (apiVersion), VK_API_VERSION_1_0, "Vulkan 1.1"},
  {SUBGROUPS (Stages), VK_SHADER_STAGE_FRAGMENT_BIT, "subgroup"},
  {SUBGROUPS (Operations), ~VK_SUBGROUP_FEATURE_BASIC_BIT, "subgroup"},
  {SUBGROUPS (Operations), ~VK_SUBGROUP_FEATURE_ARITHMETIC_BIT, "subgroup"},
  {SUBGROUPS (Operations), ~VK_SUBGROUP_FEATURE_BALLOT_BIT, "subgroup"},
  {SUBGROUPS (Operations), ~VK_SUBGROUP_FEATURE_SHUFFLE_BIT, "subgroup"},
  {LIMIT (maxPerStageDescriptorStorageBuffers), 8, "storage buffers"},
  {LIMIT (maxComputeWorkGroupInvocations), 128, "256 threads"},
  {LIMIT (maxComputeWorkGroupSize[0]), 128, "256 threads"},
  {LIMIT (maxDescriptorSetStorageBuffers), 15, "storage buffers"},
  {LIMIT (maxPerStageResources), 15, "storage buffers"},
  {LIMIT (maxComputeSharedMemorySize), 16383, "shared memory"},
  {LIMIT (maxPushConstantsSize), 64, "push constants"},
};

static guint fault;

static void
break_properties (VkPhysicalDeviceProperties2 * properties, guint index)
{
  VkPhysicalDeviceSubgroupProperties *subgroup = properties->pNext;

  while (subgroup && subgroup->sType
      != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES)
    subgroup = subgroup->pNext;
  g_assert_nonnull (subgroup);
  if (faults[fault].of_subgroups)
    G_STRUCT_MEMBER (guint32, subgroup, faults[fault].field) &=
        faults[fault].value;
  else
    G_STRUCT_MEMBER (guint32, &properties->properties, faults[fault].field) =
        faults[fault].value;
}

TEST (capabilities)
{
  const GpuDeviceInfo *info = gpu_device_get_info (gpu_fixture_device ());

  fake->edit_properties = break_properties;
  for (fault = 0; fault < G_N_ELEMENTS (faults); fault++) {
    assert_refused (test_selector (), GPU_ERROR_UNSUPPORTED,
        faults[fault].lacks);
    assert_refused (test_selector (), GPU_ERROR_UNSUPPORTED, info->name);
  }
  /* With nothing broken the same device opens. */
  fake->edit_properties = NULL;
  gpu_device_unref (open_device (test_selector ()));
}

/* What only some engines need does not keep others from a device. */
TEST (needs)
{
  static const struct
  {
    guint fault;
    gboolean subgroups;
    guint buffers;
  } cases[] = {
    {1, FALSE, 16}, {2, FALSE, 16}, {3, FALSE, 16}, {4, FALSE, 16},
    {5, FALSE, 16}, {6, TRUE, 8}, {9, TRUE, 15}, {10, TRUE, 15},
  };

  fake->edit_properties = break_properties;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const GpuNeeds most = { cases[i].buffers, cases[i].subgroups };
    g_autoptr (GError) error = NULL;
    g_autoptr (GpuDevice) device = NULL;

    fault = cases[i].fault;
    device = gpu_device_open_own (test_selector (), &most, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (device->info.max_buffers, ==, cases[i].buffers);
    g_assert_cmpint (device->info.subgroup_size > 0, ==, cases[i].subgroups);
    affine_kernel_get (device);
    g_assert_false (gpu_device_meets (device, &all_needs, &error));
    g_assert_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED);
    g_assert_nonnull (strstr (error->message, cases[i].subgroups
            ? "lacks 16 storage buffers per shader" : "lacks subgroup basic"));
  }
}

/* A device is asked by a dispatch how it numbers lanes; one that runs none
 * does not say what it should. */
TEST (lanes)
{
  g_autoptr (GpuDevice) device = NULL;

  fake->skips_dispatches = TRUE;
  assert_refused (test_selector (), GPU_ERROR_UNSUPPORTED,
      "in the order of the threads");
  device = gpu_device_open_own (test_selector (), NULL, NULL);
  g_assert_cmpuint (device->info.subgroup_size, ==, 0);
}

static guint vendor;

static void
set_vendor (VkPhysicalDeviceProperties2 * properties, guint index)
{
  properties->properties.vendorID = vendor;
}

/* A device that builds kernels of other sizes than it reports is one that runs them,
 * for each is built with a size that is asked for. */
TEST (subgroup_sizes)
{
  static const struct
  {
    guint vendor, reported, least, most, max_subgroups;
    VkShaderStageFlags stages;
    guint required;             /* 0: it is refused */
    const gchar *refusal;
  } cases[] = {
    {0x8086, 32, 8, 32, 64, VK_SHADER_STAGE_COMPUTE_BIT, 16},
    {0x10005, 32, 8, 32, 64, VK_SHADER_STAGE_COMPUTE_BIT, 32},
    {0x5143, 128, 64, 128, 16, VK_SHADER_STAGE_COMPUTE_BIT, 64},
    {0x1002, 64, 32, 64, G_MAXUINT, VK_SHADER_STAGE_COMPUTE_BIT, 64},
    {0x10de, 2, 1, 8, 64, VK_SHADER_STAGE_COMPUTE_BIT, 4},
    /* Those that report what a kernel may not be built for. */
    {0x8086, 32, 8, 32, 64, 0, 0, "order of the threads"},
    {0x8086, 32, 8, 32, 15, VK_SHADER_STAGE_COMPUTE_BIT, 0,
        "order of the threads"},
    {0x5143, 128, 0, 0, 0, 0, 0, "4 to 64 lanes"},
    {0x5143, 2, 0, 0, 0, 0, 0, "4 to 64 lanes"},
    {0x5143, 128, 128, 128, 16, VK_SHADER_STAGE_COMPUTE_BIT, 0,
        "VK_EXT_subgroup_size_control"},
  };

  fake->edit_properties = set_vendor;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GpuDevice) device = NULL;

    vendor = cases[i].vendor;
    fake->reported_lanes = cases[i].reported;
    fake->least_lanes = cases[i].least;
    fake->most_lanes = cases[i].most;
    fake->max_subgroups = cases[i].max_subgroups;
    fake->sized_stages = cases[i].stages;
    fake->sizes = fake->full = 0;
    if (cases[i].required) {
      device = open_device (test_selector ());
      g_assert_cmpuint (device->info.subgroup_size, ==, cases[i].required);
      g_assert_true (device->info.requires_lanes);
      /* Another driver than Mesa's for the CPU: it is not built on another device, too. */
      device->driver = 0;
      affine_kernel_get (device);
      g_assert_cmpuint (fake->sizes, ==, cases[i].required);
      g_assert_cmpuint (fake->full, ==, device->subgroups.can_be_full ? 2 : 0);
    } else {
      assert_refused (test_selector (), GPU_ERROR_UNSUPPORTED,
          cases[i].refusal);
    }
  }
}

/* What it may still be at work on is kept until it is known to be done, whatever
 * waiting for it comes to; no other device is taken for it. */
TEST (lanes_wait)
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
    {VK_ERROR_UNKNOWN, GPU_ERROR_FAILED, 1},
    {VK_ERROR_DEVICE_LOST, GPU_ERROR_LOST, 2},
  };

  list_devices (2, VK_PHYSICAL_DEVICE_TYPE_CPU, VK_PHYSICAL_DEVICE_TYPE_CPU);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    fake->wait = cases[i].result;
    fake->destroyed = 0;
    assert_refused (NULL, cases[i].code, "");
    g_assert_cmpuint (fake->destroyed, ==, cases[i].destroyed);
  }
}

/* One that hangs is waited for once. As long as it does, those who ask for it
 * learn so at once, and those who ask for any get the next. When it came round,
 * or was reset, it is tried again. */
TEST (hanging)
{
  static const VkResult ends[] = { VK_SUCCESS, VK_ERROR_DEVICE_LOST };

  list_devices (2, VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU,
      VK_PHYSICAL_DEVICE_TYPE_CPU);
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++) {
    g_autoptr (GpuDevice) next = NULL;
    g_autoptr (GpuDevice) best = NULL;

    /* Another driver's word for the same card counts by itself. */
    fake->edit_properties = i == 0 ? number_uuids : number_drivers;
    fake->wait = VK_TIMEOUT;
    assert_refused (NULL, GPU_ERROR_LOST, "finished nothing for 10 seconds");
    fake->wait = VK_SUCCESS;

    fake->fence_status = VK_NOT_READY;
    fake->waits = 0;
    for (guint k = 0; k < 2; k++)
      assert_refused ("0", GPU_ERROR_LOST, "hangs");
    assert_refused ("0", GPU_ERROR_LOST, "restart the program");
    g_assert_cmpuint (fake->waits, ==, 0);
    g_test_expect_message ("gst-gpu", G_LOG_LEVEL_INFO, "passed over: *hangs*");
    next = open_device (NULL);
    g_test_assert_expected_messages ();
    g_assert_cmpuint (next->info.index, ==, 1);

    fake->fence_status = ends[i];
    fake->destroyed = 0;
    best = open_device (NULL);
    g_assert_cmpuint (best->info.index, ==, 0);
    /* What was kept of it, and of its opening now. */
    g_assert_cmpuint (fake->destroyed, ==, 2);
    affine_kernel_get (best);
    fake->fence_status = VK_SUCCESS;
  }
}

/* In place of the C library's, for gpu/ is linked into this program: all the
 * time that goes by this process is at work. */
clock_t
clock (void)
{
  static clock_t processor_time;

  return processor_time += CLOCKS_PER_SEC / 4;
}

/* A CPU that is at work may be compiling, for it is its first dispatch; a card
 * that takes as long hangs. */
TEST (slow)
{
  g_autoptr (GpuDevice) device = NULL;

  list_devices (1, VK_PHYSICAL_DEVICE_TYPE_CPU);
  /* There are ten waits to a look (commands.c). */
  fake->looks_in_vain = 1500;
  device = open_device (NULL);
  g_clear_pointer (&device, gpu_device_unref);

  fake->types[0] = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  fake->waits = 0;
  assert_refused (NULL, GPU_ERROR_LOST, "finished nothing for 10 seconds");
  /* Which has come round by now. */
  device = open_device (NULL);
}

static void
take_compute (VkQueueFamilyProperties * family)
{
  family->queueFlags &= ~VK_QUEUE_COMPUTE_BIT;
}

TEST (no_compute)
{
  fake->edit_queue_family = take_compute;
  assert_refused (test_selector (), GPU_ERROR_UNSUPPORTED, "queue");
}

#define COMPUTE (VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT)

/* A family that does nothing but compute comes first. */
TEST (queue_families)
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

  fake->n_families = 3;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GpuDevice) device = NULL;

    memcpy (fake->family_flags, cases[i].flags, sizeof cases[i].flags);
    device = open_device (test_selector ());
    g_assert_cmpuint (device->queue_family, ==, cases[i].chosen);
  }
}

#define DRAWING (VK_QUEUE_GRAPHICS_BIT | COMPUTE)
#define COPYING (VK_QUEUE_TRANSFER_BIT | VK_QUEUE_SPARSE_BINDING_BIT)
#define DECODING (VK_QUEUE_TRANSFER_BIT | 0x20)

/* A transfer family does nothing else, and has two queues. Without one the work's stands
 * for it. */
static void
test_transfer_family (void)
{
  static const struct
  {
    VkQueueFamilyProperties list[4];
    guint work, transfer;
  } cases[] = {
    {{{DRAWING, 16}, {COPYING, 2}, {COMPUTE, 8}, {DECODING, 8}}, 2, 1},
    {{{DRAWING, 16}, {COPYING, 1}, {COMPUTE, 8}, {DECODING, 8}}, 2, 2},
    {{{DECODING, 2}, {VK_QUEUE_TRANSFER_BIT, 1}, {COPYING, 2}, {DRAWING, 1}},
        3, 2},
    {{{DRAWING, 1}, {DECODING, 2}, {DECODING, 2},
            {COPYING | VK_QUEUE_PROTECTED_BIT, 2}}, 0, 3},
  };
  static const VkQueueFamilyProperties no_compute[] = {
    {VK_QUEUE_GRAPHICS_BIT, 1}, {COPYING, 2}
  };
  guint32 work, transfer;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_assert_true (gpu_queues_choose (cases[i].list, 4, &work, &transfer));
    g_assert_cmpuint (work, ==, cases[i].work);
    g_assert_cmpuint (transfer, ==, cases[i].transfer);
  }
  g_assert_false (gpu_queues_choose (no_compute, 2, &work, &transfer));
}

/* Drivers that lack a part of Vulkan are listed for those who ask, and their
 * devices want to be told. */
TEST (portability)
{
  g_autoptr (GpuDevice) device = NULL;

  fake->is_portability = TRUE;
  device = open_device (test_selector ());
  affine_kernel_get (device);
  /* It is all that these have besides. */
  g_assert_false (device->info.has_float16);
  g_assert_false (device->info.has_atomic_int64);
}

static guint timestamp_bits;

static void
set_timestamp_bits (VkQueueFamilyProperties * family)
{
  family->timestampValidBits = timestamp_bits;
}

TEST (timestamp_bits)
{
  static const struct
  {
    guint bits;
    guint64 mask;
  } expected[] = { {36, 0xfffffffff}, {63, G_MAXINT64}, {64, G_MAXUINT64} };
  g_autoptr (GpuDevice) without = NULL;

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
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  tests_add ("/requirements/", loader_fixture_add_test);
  gpu_fixture_add_test ("/requirements/transfer-family", test_transfer_family);
  return gpu_fixture_run_tests ();
}
