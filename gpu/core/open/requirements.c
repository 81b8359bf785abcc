/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a device must have: for every kernel, and for the engine that it is opened for.
 * Limits that Vulkan guarantees are checked too, because drivers have bugs. */
#include "gpu/core/device/vulkan.h"

#define NEEDED_SUBGROUP_OPERATIONS (VK_SUBGROUP_FEATURE_BASIC_BIT \
    | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT \
    | VK_SUBGROUP_FEATURE_SHUFFLE_BIT)

#define INTEL 0x8086            /* a vendorID */
#define INTEL_LANES 16

/* Shaders use only two of the four words of a ballot. Tables with one word per subgroup
 * have room for subgroups of at least four invocations. */
#define LEAST_LANES 4
#define MOST_LANES 64

#define GROUP_THREADS 256
#define SHARED_BYTES 16384

static gboolean
has_subgroup_operations (const VkPhysicalDeviceSubgroupProperties * subgroup)
{
  return (subgroup->supportedStages & VK_SHADER_STAGE_COMPUTE_BIT)
      && !(~subgroup->supportedOperations & NEEDED_SUBGROUP_OPERATIONS);
}

const gchar *
gpu_device_find_subgroup_fault (const VkPhysicalDeviceSubgroupProperties *
    subgroup, guint lanes)
{
  if (!has_subgroup_operations (subgroup))
    return "subgroup basic, arithmetic, ballot and shuffle operations in "
        "compute shaders";
  if (lanes < LEAST_LANES || lanes > MOST_LANES)
    return "subgroups of " G_STRINGIFY (LEAST_LANES) " to "
        G_STRINGIFY (MOST_LANES) " lanes, by default or through "
        "VK_EXT_subgroup_size_control";
  return NULL;
}

/* All bindings are in one set of one stage, so all three limits apply. */
guint
gpu_device_count_buffers (const VkPhysicalDeviceLimits * limits)
{
  return MIN (MIN (limits->maxPerStageDescriptorStorageBuffers,
          limits->maxDescriptorSetStorageBuffers),
      MIN (limits->maxPerStageResources, GPU_MAX_BINDINGS));
}

static guint
group_threads_of (const VkPhysicalDeviceLimits * limits)
{
  return MIN (limits->maxComputeWorkGroupInvocations,
      limits->maxComputeWorkGroupSize[0]);
}

/* Chooses the size that the device reports, clamped to the supported range. On AMD the
 * driver compiles for the reported size. Intel's drivers report 32 but compile for 8 or
 * 16: with 32, an invocation has half as many registers, and these kernels need many. */
guint
gpu_device_choose_lanes (const VkPhysicalDeviceProperties * properties,
    const VkPhysicalDeviceSubgroupProperties * subgroup,
    const VkPhysicalDeviceSubgroupSizeControlProperties * control)
{
  guint least = MAX (control->minSubgroupSize, LEAST_LANES);
  guint most = MIN (control->maxSubgroupSize, MOST_LANES);
  guint lanes = properties->vendorID == INTEL
      ? INTEL_LANES : subgroup->subgroupSize;

  if (!(control->requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT)
      || least > most)
    return 0;
  lanes = CLAMP (lanes, least, most);
  /* Require it for all kernels or for none, because kernels are given a single size. */
  return (guint64) lanes *control->maxComputeWorkgroupSubgroups
      >= GROUP_THREADS ? lanes : 0;
}

/* --- what is missing --- */

/* Takes ownership of @what. */
static void
expect (GPtrArray * missing, gboolean is_there, gchar * what)
{
  if (is_there)
    g_free (what);
  else
    g_ptr_array_add (missing, what);
}

static void
expect_needs (GPtrArray * missing, const GpuDeviceInfo * info,
    const GpuNeeds * needs)
{
  if (needs->subgroups)
    expect (missing, info->subgroup_size > 0, g_strdup (info->subgroup_fault));
  expect (missing, info->max_buffers >= needs->buffers,
      g_strdup_printf ("%u storage buffers per shader", needs->buffers));
}

/* Returns the texts with commas, or NULL if there are none. */
static gchar *
join (GPtrArray * missing)
{
  if (missing->len == 0)
    return NULL;
  g_ptr_array_add (missing, NULL);
  return g_strjoinv (", ", (gchar **) missing->pdata);
}

gchar *
gpu_device_list_missing (const VkPhysicalDeviceProperties * properties,
    const GpuDeviceInfo * info, const GpuNeeds * needs)
{
  const VkPhysicalDeviceLimits *limits = &properties->limits;
  g_autoptr (GPtrArray) missing = g_ptr_array_new_with_free_func (g_free);

  expect (missing, properties->apiVersion >= VK_API_VERSION_1_1,
      g_strdup ("Vulkan 1.1"));
  if (needs)
    expect_needs (missing, info, needs);
  expect (missing, limits->maxPushConstantsSize >= GPU_MAX_PUSH,
      g_strdup (G_STRINGIFY (GPU_MAX_PUSH) " bytes of push constants"));
  expect (missing, group_threads_of (limits) >= GROUP_THREADS,
      g_strdup ("workgroups of " G_STRINGIFY (GROUP_THREADS) " threads"));
  expect (missing, limits->maxComputeSharedMemorySize >= SHARED_BYTES,
      g_strdup (G_STRINGIFY (SHARED_BYTES) " bytes of shared memory"));
  return join (missing);
}

gboolean
gpu_device_meets (GpuDevice * device, const GpuNeeds * needs, GError ** error)
{
  g_autoptr (GPtrArray) missing = g_ptr_array_new_with_free_func (g_free);
  g_autofree gchar *list = NULL;

  if (needs)
    expect_needs (missing, &device->info, needs);
  list = join (missing);
  if (list)
    g_set_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED, "%s lacks %s",
        device->info.name, list);
  return list == NULL;
}
