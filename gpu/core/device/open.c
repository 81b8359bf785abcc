/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How a device is chosen and opened: what there is, which of it was asked for and
 * has what kernels need. */
#include "ending.h"
#include "instance.h"
#include "process.h"

#include <string.h>

/* In vulkan_beta.h, which nobody includes. */
#define PORTABILITY_SUBSET "VK_KHR_portability_subset"

void (*gpu_device_edit) (GpuDevice * device);

/* volk keeps the functions of the newest instance in globals, which only code
 * under this lock may use. */
static GMutex volk_lock;

static gboolean
device_has (VkPhysicalDevice physical, const gchar * name)
{
  guint32 n = 0;

  if (vkEnumerateDeviceExtensionProperties (physical, NULL, &n, NULL)
      != VK_SUCCESS)
    return FALSE;

  g_autofree VkExtensionProperties *list = g_new0 (VkExtensionProperties, n);

  return vkEnumerateDeviceExtensionProperties (physical, NULL, &n, list) >= 0
      && gpu_extensions_have (list, n, name);
}

/* --- what there is --- */

typedef struct
{
  VkPhysicalDevice physical;
  VkPhysicalDeviceProperties properties;
  VkDriverId driver;
  VkPhysicalDeviceSubgroupProperties subgroup;
  GpuSubgroupControl subgroups;
  GpuDeviceInfo info;
} Candidate;

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
fill_info (GpuDeviceInfo * info, const Candidate * candidate, guint index)
{
  const VkPhysicalDeviceLimits *limits = &candidate->properties.limits;

  g_strlcpy (info->name, candidate->properties.deviceName, sizeof info->name);
  info->kind = kind_of (candidate->properties.deviceType);
  info->index = index;
  info->subgroup_size = candidate->subgroups.lanes
      ? candidate->subgroups.lanes : candidate->subgroup.subgroupSize;
  info->requires_lanes = candidate->subgroups.lanes > 0;
  info->max_group_threads = limits->maxComputeWorkGroupInvocations;
  for (guint i = 0; i < 3; i++)
    info->max_groups[i] = limits->maxComputeWorkGroupCount[i];
  info->max_binding = limits->maxStorageBufferRange;
  info->max_shared = limits->maxComputeSharedMemorySize;
  info->timestamp_period = limits->timestampPeriod;
}

/* What shaders that sum in halves need, to the nearest half each time. Others stand in
 * for them. */
static const gchar *const float16_extensions[] = {
  VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME,
  VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME,
};

#define N_FLOAT16_EXTENSIONS G_N_ELEMENTS (float16_extensions)

static gboolean
has_float16 (VkPhysicalDevice physical,
    const VkPhysicalDeviceFloatControlsProperties * controls)
{
  VkPhysicalDeviceShaderFloat16Int8Features halves = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
  };
  VkPhysicalDeviceFeatures2 features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = &halves,
  };

  for (guint i = 0; i < N_FLOAT16_EXTENSIONS; i++)
    if (!device_has (physical, float16_extensions[i]))
      return FALSE;
  vkGetPhysicalDeviceFeatures2 (physical, &features);
  return halves.shaderFloat16 && controls->shaderRoundingModeRTEFloat16
      && controls->roundingModeIndependence
      != VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE;
}

/* Where a driver does not say who it is, its version, which each numbers in its own
 * way. */
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

/* What can be asked for; @control is read with the properties. Always as an extension:
 * an instance of Vulkan 1.1 has nothing that became a part of 1.3. */
static void
choose_subgroups (Candidate * candidate,
    VkPhysicalDeviceSubgroupSizeControlProperties * control)
{
  VkPhysicalDeviceSubgroupSizeControlFeatures sizes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
  };
  VkPhysicalDeviceFeatures2 features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = &sizes,
  };

  if (!device_has (candidate->physical,
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
read_candidate (Candidate * candidate, VkPhysicalDevice physical, guint index)
{
  VkPhysicalDeviceDriverProperties driver = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES,
  };
  VkPhysicalDeviceFloatControlsProperties controls = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES,
    .pNext = device_has (physical, VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME)
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
  candidate->info.has_float16 = has_float16 (physical, &controls);
  candidate->info.has_memory_budget =
      device_has (physical, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
  describe_driver (&candidate->info, &driver, &candidate->properties);
}

static GArray *
list_candidates (GpuDevice * device, GError ** error)
{
  g_autoptr (GArray) candidates = NULL;
  guint32 n = 0;
  VkResult result =
      vkEnumeratePhysicalDevices (device->instance->handle, &n, NULL);

  if (!gpu_result_check (result, "listing Vulkan devices", error))
    return NULL;

  g_autofree VkPhysicalDevice *list = g_new0 (VkPhysicalDevice, n + 1);

  result = vkEnumeratePhysicalDevices (device->instance->handle, &n, list);
  if (result != VK_INCOMPLETE
      && !gpu_result_check (result, "listing Vulkan devices", error))
    return NULL;
  candidates = g_array_new (FALSE, TRUE, sizeof (Candidate));
  g_array_set_size (candidates, n);
  for (guint i = 0; i < n; i++)
    read_candidate (&g_array_index (candidates, Candidate, i), list[i], i);
  return g_steal_pointer (&candidates);
}

/* --- which of it was asked for --- */

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

/* An index and a UUID are exact; anything else is a part of the name, also a
 * number that no device has. */
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

  /* Not by the locale, which may have lower case letters of its own. */
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
  const GpuDeviceInfo *one = &((const Candidate *) a)->info;
  const GpuDeviceInfo *other = &((const Candidate *) b)->info;

  return one->kind != other->kind ? (gint) one->kind - (gint) other->kind
      : (gint) one->index - (gint) other->index;
}

static void
set_none_matches (const GArray * candidates, const gchar * selector,
    GError ** error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < candidates->len; i++) {
    const GpuDeviceInfo *info = &g_array_index (candidates, Candidate, i).info;

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

/* Those that @selector names, best first. */
static GArray *
choose_candidates (GpuDevice * device, const gchar * selector, GError ** error)
{
  g_autoptr (GArray) all = list_candidates (device, error);
  g_autoptr (GArray) chosen = NULL;

  if (!all)
    return NULL;
  device->n_listed = all->len;
  chosen = g_array_new (FALSE, FALSE, sizeof (Candidate));
  for (guint i = 0; i < all->len; i++) {
    Candidate *candidate = &g_array_index (all, Candidate, i);

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

/* An instance knows the drivers that were there when it was made, and with many
 * drivers the devices: who asks for one that it does not know has a fresh
 * instance looked through, too. */
static GArray *
find_candidates (GpuDevice * device, const gchar * selector, GError ** error)
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

/* --- opening it --- */

/* A family for compute alone, where there is one, else any that computes: on
 * cards the former does not wait for what a desktop draws. */
static gboolean
choose_queue_family (GpuDevice * device)
{
  guint32 n = 0;
  gint best = -1;

  vkGetPhysicalDeviceQueueFamilyProperties (device->physical, &n, NULL);

  g_autofree VkQueueFamilyProperties *list =
      g_new0 (VkQueueFamilyProperties, n + 1);

  vkGetPhysicalDeviceQueueFamilyProperties (device->physical, &n, list);
  for (guint i = n; i-- > 0;)
    if ((list[i].queueFlags & VK_QUEUE_COMPUTE_BIT)
        && (best < 0 || !(list[i].queueFlags & VK_QUEUE_GRAPHICS_BIT)
            || (list[best].queueFlags & VK_QUEUE_GRAPHICS_BIT)))
      best = i;
  if (best < 0)
    return FALSE;
  device->queue_family = best;
  device->timestamp_mask = 0;
  if (list[best].timestampValidBits == 0)
    device->info.timestamp_period = 0;
  else
    device->timestamp_mask =
        G_MAXUINT64 >> (64 - list[best].timestampValidBits);
  return TRUE;
}

/* @features: a chain of structures. */
static gboolean
create_device_with (GpuDevice * device, const GPtrArray * extensions,
    const void *features, GError ** error)
{
  gfloat priority = 1;
  VkDeviceQueueCreateInfo queue = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
    .queueFamilyIndex = device->queue_family,
    .queueCount = 1,
    .pQueuePriorities = &priority,
  };
  VkDeviceCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
    .pNext = features,
    .queueCreateInfoCount = 1,
    .pQueueCreateInfos = &queue,
    .enabledExtensionCount = extensions->len,
    .ppEnabledExtensionNames = (const gchar * const *) extensions->pdata,
  };
  VkResult result =
      vkCreateDevice (device->physical, &info, NULL, &device->device);

  if (!gpu_result_check (result, device->info.name, error))
    return FALSE;
  volkLoadDeviceTable (&device->vk, device->device);
  device->vk.vkGetDeviceQueue (device->device, device->queue_family, 0,
      &device->queue);
  if (gpu_device_edit)
    gpu_device_edit (device);
  return TRUE;
}

static gboolean
create_device (GpuDevice * device, GError ** error)
{
  VkPhysicalDeviceShaderFloat16Int8Features halves = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
    .shaderFloat16 = VK_TRUE,
  };
  VkPhysicalDeviceSubgroupSizeControlFeatures sizes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
    .subgroupSizeControl = VK_TRUE,
    .computeFullSubgroups = device->subgroups.can_be_full,
  };
  g_autoptr (GPtrArray) extensions = g_ptr_array_new ();
  void *features = NULL;

  /* Vulkan wants it enabled wherever it is there. */
  if (device_has (device->physical, PORTABILITY_SUBSET))
    g_ptr_array_add (extensions, (gpointer) PORTABILITY_SUBSET);
  if (device->info.has_float16) {
    for (guint i = 0; i < N_FLOAT16_EXTENSIONS; i++)
      g_ptr_array_add (extensions, (gpointer) float16_extensions[i]);
    halves.pNext = features;
    features = &halves;
  }
  if (device->subgroups.lanes) {
    g_ptr_array_add (extensions,
        (gpointer) VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
    sizes.pNext = features;
    features = &sizes;
  }
  device->get_memory_budget = NULL;
  if (device->info.has_memory_budget) {
    g_ptr_array_add (extensions,
        (gpointer) VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    device->get_memory_budget = vkGetPhysicalDeviceMemoryProperties2;
  }
  return create_device_with (device, extensions, features, error);
}

/* --- the objects that all kernels share --- */

static gboolean
create_layouts (GpuDevice * device, GError ** error)
{
  VkDescriptorSetLayoutBinding bindings[GPU_MAX_BINDINGS];
  VkPushConstantRange push = {
    .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
    .size = GPU_MAX_PUSH,
  };
  VkDescriptorSetLayoutCreateInfo set = {
    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
    .bindingCount = GPU_MAX_BINDINGS,
    .pBindings = bindings,
  };
  VkPipelineLayoutCreateInfo layout = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
    .setLayoutCount = 1,
    .pSetLayouts = &device->set_layout,
    .pushConstantRangeCount = 1,
    .pPushConstantRanges = &push,
  };

  for (guint i = 0; i < GPU_MAX_BINDINGS; i++) {
    VkDescriptorSetLayoutBinding binding = {
      .binding = i,
      .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
      .descriptorCount = 1,
      .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
    };

    bindings[i] = binding;
  }
  return gpu_device_check (device,
      device->vk.vkCreateDescriptorSetLayout (device->device, &set, NULL,
          &device->set_layout), "creating a descriptor set layout", error)
      && gpu_device_check (device,
      device->vk.vkCreatePipelineLayout (device->device, &layout, NULL,
          &device->pipeline_layout), "creating a pipeline layout", error);
}

static gboolean
check_requirements (GpuDevice * device, const Candidate * candidate,
    GError ** error)
{
  g_autofree gchar *missing = gpu_device_list_missing (&candidate->properties,
      &candidate->subgroup, candidate->info.subgroup_size);

  if (!choose_queue_family (device)) {
    gchar *more = g_strconcat (missing ? missing : "", missing ? ", " : "",
        "a queue for compute", NULL);

    g_free (missing);
    missing = more;
  }
  if (missing)
    g_set_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
        "%s lacks %s", device->info.name, missing);
  return missing == NULL;
}

static gboolean
open_candidate (GpuDevice * device, const Candidate * candidate,
    GError ** error)
{
  device->physical = candidate->physical;
  device->properties = candidate->properties;
  device->driver = candidate->driver;
  device->info = candidate->info;
  device->subgroups = candidate->subgroups;
  device->atom = candidate->properties.limits.nonCoherentAtomSize;
  vkGetPhysicalDeviceMemoryProperties (device->physical, &device->memory);
  if (!check_requirements (device, candidate, error)
      || !gpu_device_check_not_hanging (&device->info, error)
      || !create_device (device, error) || !create_layouts (device, error)
      || !gpu_device_check_lanes (device, error)) {
    gpu_device_close (device);
    return FALSE;
  }
  return TRUE;
}

/* What was wrong with each; the code is the best one's. */
static gchar *
describe_refused (const GString * reasons, gint code)
{
  return g_strconcat (reasons->str, code == GPU_ERROR_UNSUPPORTED
      ? "; update the driver or choose another device" : "", NULL);
}

static void
set_refused (const GString * reasons, gint code, GError ** error)
{
  g_autofree gchar *message = describe_refused (reasons, code);

  g_set_error_literal (error, GPU_ERROR, code, message);
}

/* The first reasons stay, for others may be reading them. */
static void
keep_refused (GpuDevice * device, const GString * reasons, gint code)
{
  if (reasons->len > 0 && !device->passed_over)
    g_atomic_pointer_set (&device->passed_over,
        describe_refused (reasons, code));
}

static GpuDevice *
open_locked (const gchar * selector, gboolean is_shared, GError ** error)
{
  g_autoptr (GpuDevice) device = gpu_device_new ();
  g_autoptr (GString) reasons = g_string_new (NULL);
  g_autoptr (GArray) candidates = NULL;
  gint code = 0;

  candidates = find_candidates (device, selector, error);
  if (!candidates)
    return NULL;
  for (guint i = 0; i < candidates->len; i++) {
    Candidate *candidate = &g_array_index (candidates, Candidate, i);
    GpuDevice *opened =
        is_shared ? gpu_device_find_shared (&candidate->info) : NULL;
    g_autoptr (GError) refusal = NULL;

    if (!opened && open_candidate (device, candidate, &refusal)) {
      gpu_device_watch_exit (device);
      if (is_shared)
        gpu_device_share (device);
      opened = g_steal_pointer (&device);
    }
    if (opened) {
      keep_refused (opened, reasons, code);
      return opened;
    }
    /* What may be otherwise the next time is no reason to take a worse one. One
     * that still hangs since an earlier opening is: it was the error then. */
    if (refusal->code == GPU_ERROR_OUT_OF_MEMORY || gpu_device_is_lost (device)) {
      g_propagate_error (error, g_steal_pointer (&refusal));
      return NULL;
    }
    g_info ("passed over: %s", refusal->message);
    if (i == 0)
      code = refusal->code;
    g_string_append_printf (reasons, "%s%s", i ? "; " : "", refusal->message);
  }
  set_refused (reasons, code, error);
  return NULL;
}

static GpuDevice *
open_device (const gchar * selector, gboolean is_shared, GError ** error)
{
  GpuDevice *device;

  gpu_process_watch_forks ();
  if (!gpu_process_enter (error))
    return NULL;
  g_mutex_lock (&volk_lock);
  device = open_locked (selector, is_shared, error);
  g_mutex_unlock (&volk_lock);
  gpu_process_leave ();
  return device;
}

GpuDevice *
gpu_device_open (const gchar * selector, GError ** error)
{
  return open_device (selector, TRUE, error);
}

GpuDevice *
gpu_device_open_own (const gchar * selector, GError ** error)
{
  return open_device (selector, FALSE, error);
}
