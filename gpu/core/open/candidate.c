/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "candidate.h"
#include "extensions.h"

static GpuDeviceKind
kind_of (VkPhysicalDeviceType type)
{
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return GPU_DEVICE_DISCRETE;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return GPU_DEVICE_INTEGRATED;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return GPU_DEVICE_VIRTUAL;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return GPU_DEVICE_CPU;
    default:
      return GPU_DEVICE_OTHER;
  }
}

static void
format_uuid (const guint8 * bytes, gchar * text)
{
  for (guint i = 0; i < VK_UUID_SIZE; i++) {
    if (i == 4 || i == 6 || i == 8 || i == 10)
      *text++ = '-';
    g_snprintf (text, 3, "%02x", bytes[i]);
    text += 2;
  }
}

static void
fill_subgroups (GpuDeviceInfo * info, const GpuCandidate * candidate)
{
  guint required = candidate->subgroups.lanes;
  guint lanes = required ? required : candidate->subgroup.subgroupSize;

  info->subgroup_fault =
      gpu_device_find_subgroup_fault (&candidate->subgroup, lanes);
  info->subgroup_size = info->subgroup_fault ? 0 : lanes;
  info->requires_lanes = info->subgroup_size > 0 && required;
}

static void
fill_info (GpuDeviceInfo * info, const GpuCandidate * candidate, guint index)
{
  const VkPhysicalDeviceLimits *limits = &candidate->properties.limits;

  g_strlcpy (info->name, candidate->properties.deviceName, sizeof info->name);
  info->kind = kind_of (candidate->properties.deviceType);
  info->index = index;
  fill_subgroups (info, candidate);
  info->max_buffers = gpu_device_count_buffers (limits);
  info->max_group_threads = limits->maxComputeWorkGroupInvocations;
  for (guint i = 0; i < 3; i++)
    info->max_groups[i] = limits->maxComputeWorkGroupCount[i];
  info->max_binding = limits->maxStorageBufferRange;
  info->max_shared = limits->maxComputeSharedMemorySize;
  info->timestamp_period = limits->timestampPeriod;
}

/* A driver that does not report its name is described by its version number, whose
 * format depends on the vendor. */
static void
describe_driver (GpuDeviceInfo * info,
    const VkPhysicalDeviceDriverProperties * driver,
    const VkPhysicalDeviceProperties * properties)
{
  const guint32 vulkan = properties->apiVersion;
  g_autofree gchar *name = driver->driverName[0] ?
      g_strdup_printf ("%s %s", driver->driverName, driver->driverInfo)
      : g_strdup_printf ("version 0x%x", properties->driverVersion);

  g_snprintf (info->driver, sizeof info->driver, "%s, Vulkan %u.%u.%u", name,
      VK_API_VERSION_MAJOR (vulkan), VK_API_VERSION_MINOR (vulkan),
      VK_API_VERSION_PATCH (vulkan));
}

/* Sets the subgroup size to require. @control was read with the properties. The extension
 * must be present even if the device supports Vulkan 1.3, because the instance has
 * version 1.1. */
static void
choose_subgroups (GpuCandidate * candidate,
    VkPhysicalDeviceSubgroupSizeControlProperties * control)
{
  VkPhysicalDeviceSubgroupSizeControlFeatures sizes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
  };
  VkPhysicalDeviceFeatures2 features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = &sizes,
  };

  if (!gpu_physical_has_extension (candidate->physical,
          VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME))
    return;
  vkGetPhysicalDeviceFeatures2 (candidate->physical, &features);
  if (!sizes.subgroupSizeControl)
    return;
  candidate->subgroups.lanes =
      gpu_device_choose_lanes (&candidate->properties, &candidate->subgroup,
      control);
  candidate->subgroups.max_subgroups = control->maxComputeWorkgroupSubgroups;
  candidate->subgroups.can_be_full = sizes.computeFullSubgroups;
}

static void
read_candidate (GpuCandidate * candidate, VkPhysicalDevice physical,
    guint index)
{
  VkPhysicalDeviceDriverProperties driver = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES,
  };
  VkPhysicalDeviceFloatControlsProperties controls = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES,
    .pNext = gpu_physical_has_extension (physical,
        VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME)
        ? &driver : NULL,
  };
  VkPhysicalDeviceSubgroupSizeControlProperties sizes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES,
    .pNext = &controls,
  };
  VkPhysicalDeviceSubgroupProperties subgroup = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
    .pNext = &sizes,
  };
  VkPhysicalDeviceMaintenance3Properties memory = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES,
    .pNext = &subgroup,
  };
  VkPhysicalDeviceIDProperties id = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES,
    .pNext = &memory,
  };
  VkPhysicalDeviceProperties2 properties = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
    .pNext = &id,
  };

  vkGetPhysicalDeviceProperties2 (physical, &properties);
  candidate->physical = physical;
  candidate->properties = properties.properties;
  candidate->driver = driver.driverID;
  candidate->subgroup = subgroup;
  choose_subgroups (candidate, &sizes);
  format_uuid (id.deviceUUID, candidate->info.uuid);
  format_uuid (id.driverUUID, candidate->info.driver_uuid);
  fill_info (&candidate->info, candidate, index);
  candidate->info.max_buffer = memory.maxMemoryAllocationSize;
  candidate->info.has_float16 = gpu_physical_has_float16 (physical, &controls);
  candidate->info.has_atomic_int64 = gpu_physical_has_atomic_int64 (physical);
  candidate->info.has_memory_budget =
      gpu_physical_has_extension (physical,
      VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
  describe_driver (&candidate->info, &driver, &candidate->properties);
}

GArray *
gpu_candidates_list (GpuInstance * instance, GError ** error)
{
  g_autoptr (GArray) candidates = NULL;
  guint32 n = 0;
  VkResult result = vkEnumeratePhysicalDevices (instance->handle, &n, NULL);

  if (!gpu_result_check (result, "listing Vulkan devices", error))
    return NULL;

  g_autofree VkPhysicalDevice *list = g_new0 (VkPhysicalDevice, n + 1);

  result = vkEnumeratePhysicalDevices (instance->handle, &n, list);
  if (result != VK_INCOMPLETE
      && !gpu_result_check (result, "listing Vulkan devices", error))
    return NULL;
  candidates = g_array_new (FALSE, TRUE, sizeof (GpuCandidate));
  g_array_set_size (candidates, n);
  for (guint i = 0; i < n; i++)
    read_candidate (&g_array_index (candidates, GpuCandidate, i), list[i], i);
  return g_steal_pointer (&candidates);
}
