/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "candidate.h"

#include "create.h"

#include <string.h>

/* --- the devices that there are --- */

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

/* Returns a new array of GpuCandidate with all devices of @instance, in the order of the
 * loader; it may be empty. The caller owns it. Returns NULL with @error set on failure
 * (NO_VULKAN, OUT_OF_MEMORY, LOST, FAILED). */
static GArray *
list_candidates (GpuInstance * instance, GError ** error)
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

/* --- those that match a selector --- */

static gboolean
is_index (const gchar * selector, guint n_listed, guint * index)
{
  guint64 value;

  if (n_listed == 0 || !g_ascii_string_to_unsigned (selector, 10, 0,
          n_listed - 1, &value, NULL))
    return FALSE;
  *index = value;
  return TRUE;
}

/* An index or a UUID must match exactly. Anything else is matched as a part of the name,
 * including a number that is no valid index. */
static gboolean
info_matches (const GpuDeviceInfo * info, guint n_listed,
    const gchar * selector)
{
  guint index;

  if (!selector || !*selector)
    return TRUE;
  if (is_index (selector, n_listed, &index))
    return index == info->index;
  if (!g_ascii_strcasecmp (selector, info->uuid))
    return TRUE;

  /* Independent of the locale, which may define other lower-case letters. */
  g_autofree gchar *wanted = g_ascii_strdown (selector, -1);
  g_autofree gchar *name = g_ascii_strdown (info->name, -1);

  return strstr (name, wanted) != NULL;
}

gboolean
gpu_device_matches (GpuDevice * device, const gchar * selector)
{
  return info_matches (&device->info, device->n_listed, selector);
}

static gint
compare_candidates (gconstpointer a, gconstpointer b)
{
  const GpuDeviceInfo *one = &((const GpuCandidate *) a)->info;
  const GpuDeviceInfo *other = &((const GpuCandidate *) b)->info;

  return one->kind != other->kind ? (gint) one->kind - (gint) other->kind
      : (gint) one->index - (gint) other->index;
}

static void
set_none_matches (const GArray * candidates, const gchar * selector,
    GError ** error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < candidates->len; i++) {
    const GpuDeviceInfo *info =
        &g_array_index (candidates, GpuCandidate, i).info;

    g_string_append_printf (names, "%s%u: %s (%s)", i ? "; " : "", i,
        info->name, info->uuid);
  }
  if (candidates->len == 0)
    g_set_error_literal (error, GPU_ERROR, GPU_ERROR_NO_DEVICE,
        "there is no Vulkan device; install a driver (for the CPU: "
        "mesa-vulkan-drivers)");
  else
    g_set_error (error, GPU_ERROR, GPU_ERROR_NO_DEVICE,
        "no Vulkan device matches \"%s\"; choose one by index, UUID or a part of its name: %s",
        selector, names->str);
}

/* Returns the candidates that match @selector, best first. */
static GArray *
choose_candidates (GpuDevice * device, const gchar * selector, GError ** error)
{
  g_autoptr (GArray) all = list_candidates (device->instance, error);
  g_autoptr (GArray) chosen = NULL;

  if (!all)
    return NULL;
  device->n_listed = all->len;
  chosen = g_array_new (FALSE, FALSE, sizeof (GpuCandidate));
  for (guint i = 0; i < all->len; i++) {
    GpuCandidate *candidate = &g_array_index (all, GpuCandidate, i);

    if (info_matches (&candidate->info, all->len, selector))
      g_array_append_vals (chosen, candidate, 1);
  }
  g_array_sort (chosen, compare_candidates);
  if (chosen->len > 0)
    return g_steal_pointer (&chosen);
  set_none_matches (all, selector, error);
  return NULL;
}

static void
set_instance (GpuDevice * device, GpuInstance * instance)
{
  g_clear_pointer (&device->instance, gpu_instance_unref);
  device->instance = instance;
  device->set_object_name = instance->set_object_name;
}

/* An instance knows only the drivers, and often only the devices, that existed when it
 * was created. If nothing matches, searches a new instance as well. */
GArray *
gpu_device_find_candidates (GpuDevice * device, const gchar * selector,
    GError ** error)
{
  g_autoptr (GError) missing = NULL;
  GpuInstance *instance;
  GArray *candidates;
  gboolean is_new;

  instance = gpu_instance_get (&is_new, error);
  if (!instance)
    return NULL;
  set_instance (device, instance);
  candidates = choose_candidates (device, selector, &missing);
  if (candidates)
    return candidates;
  if (is_new || missing->code != GPU_ERROR_NO_DEVICE) {
    g_propagate_error (error, g_steal_pointer (&missing));
    return NULL;
  }
  instance = gpu_instance_renew (error);
  if (!instance)
    return NULL;
  set_instance (device, instance);
  return choose_candidates (device, selector, error);
}
