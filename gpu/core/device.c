/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "vulkan.h"
#include "buffer.h"
#include "kernelhandle.h"
#include "pipelinecache.h"

#include <string.h>

#define NEEDED_SUBGROUP_OPERATIONS (VK_SUBGROUP_FEATURE_BASIC_BIT \
    | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT \
    | VK_SUBGROUP_FEATURE_SHUFFLE_BIT)

/* *INDENT-OFF* */
G_DEFINE_QUARK (gpu-error-quark, gpu_error)
/* *INDENT-ON* */

/* volk keeps the functions of the newest instance in globals, which only code
 * under this lock may use. */
static GMutex volk_lock;

static gint
error_code_of (VkResult result)
{
  switch (result) {
    case VK_ERROR_DEVICE_LOST:
      return GPU_ERROR_LOST;
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_TOO_MANY_OBJECTS:
      return GPU_ERROR_OUT_OF_MEMORY;
    case VK_ERROR_INCOMPATIBLE_DRIVER:
      return GPU_ERROR_NO_VULKAN;
    default:
      return GPU_ERROR_FAILED;
  }
}

static const gchar *
explain (VkResult result)
{
  switch (result) {
    case VK_ERROR_DEVICE_LOST:
      return "the device was lost (reset or removed); restart the pipeline, "
          "and if it happens again update the driver or choose another device";
    case VK_ERROR_OUT_OF_HOST_MEMORY:
      return "out of host memory; close other programs or use smaller frames";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
      return "out of device memory; close other programs that use the device, "
          "or use smaller frames";
    case VK_ERROR_TOO_MANY_OBJECTS:
      return "the driver ran out of allocations; use fewer elements";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
      return "no Vulkan driver was found; install one (for the CPU: "
          "mesa-vulkan-drivers)";
    case VK_ERROR_INITIALIZATION_FAILED:
      return "the driver could not be initialised; check it with vulkaninfo";
    default:
      return "the driver reported an error; check it with vulkaninfo";
  }
}

static gboolean
check_result (VkResult result, const gchar * what, GError ** error)
{
  if (result == VK_SUCCESS)
    return TRUE;
  g_set_error (error, GPU_ERROR, error_code_of (result),
      "%s: %s (VkResult %d)", what, explain (result), result);
  return FALSE;
}

gboolean
gpu_device_check (GpuDevice * device, VkResult result, const gchar * what,
    GError ** error)
{
  if (result == VK_ERROR_DEVICE_LOST)
    gpu_device_mark_lost (device);
  return check_result (result, what, error);
}

gboolean
gpu_device_is_lost (GpuDevice * device)
{
  return g_atomic_int_get (&device->lost);
}

void
gpu_device_mark_lost (GpuDevice * device)
{
  g_atomic_int_set (&device->lost, TRUE);
}

gboolean
gpu_device_check_alive (GpuDevice * device, GError ** error)
{
  return !gpu_device_is_lost (device)
      || check_result (VK_ERROR_DEVICE_LOST, device->info.name, error);
}

void
gpu_device_name_object (GpuDevice * device, VkObjectType type,
    guint64 handle, const gchar * name)
{
  VkDebugUtilsObjectNameInfoEXT info = {
    .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
    .objectType = type,
    .objectHandle = handle,
    .pObjectName = name,
  };

  if (device->set_object_name)
    device->set_object_name (device->device, &info);
}

/* --- instance --- */

static gboolean
instance_has_debug_utils (void)
{
  guint32 n = 0;
  gboolean found = FALSE;

  if (vkEnumerateInstanceExtensionProperties (NULL, &n, NULL) != VK_SUCCESS)
    return FALSE;

  g_autofree VkExtensionProperties *list = g_new0 (VkExtensionProperties, n);

  if (vkEnumerateInstanceExtensionProperties (NULL, &n, list) < 0)
    return FALSE;
  for (guint i = 0; i < n; i++)
    found |= !strcmp (list[i].extensionName, VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  return found;
}

static gboolean
create_instance (GpuDevice * device, GError ** error)
{
  static const gchar *extensions[] = { VK_EXT_DEBUG_UTILS_EXTENSION_NAME };
  VkApplicationInfo application = {
    .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
    .pEngineName = "gst-gpu-video-filters",
    .apiVersion = VK_API_VERSION_1_1,
  };
  VkInstanceCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
    .pApplicationInfo = &application,
    .ppEnabledExtensionNames = extensions,
  };
  gboolean has_debug_utils;
  VkResult result;

  if (volkInitialize () != VK_SUCCESS) {
    g_set_error_literal (error, GPU_ERROR, GPU_ERROR_NO_VULKAN,
        "the Vulkan loader (libvulkan.so.1) could not be opened; install "
        "libvulkan1 and a Vulkan driver (for the CPU: mesa-vulkan-drivers)");
    return FALSE;
  }
  if (volkGetInstanceVersion () < VK_API_VERSION_1_1) {
    g_set_error_literal (error, GPU_ERROR, GPU_ERROR_NO_VULKAN,
        "the Vulkan loader is older than 1.1; update libvulkan1");
    return FALSE;
  }
  has_debug_utils = instance_has_debug_utils ();
  info.enabledExtensionCount = has_debug_utils ? 1 : 0;
  result = vkCreateInstance (&info, NULL, &device->instance);
  if (!check_result (result, "creating a Vulkan instance", error))
    return FALSE;
  volkLoadInstanceOnly (device->instance);
  device->destroy_instance = vkDestroyInstance;
  if (has_debug_utils)
    device->set_object_name = vkSetDebugUtilsObjectNameEXT;
  return TRUE;
}

/* --- choosing a physical device --- */

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
read_info (VkPhysicalDevice physical, guint index, GpuDeviceInfo * info)
{
  VkPhysicalDeviceSubgroupProperties subgroup = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
  };
  VkPhysicalDeviceIDProperties id = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES,
    .pNext = &subgroup,
  };
  VkPhysicalDeviceProperties2 properties = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
    .pNext = &id,
  };
  const VkPhysicalDeviceLimits *limits = &properties.properties.limits;

  vkGetPhysicalDeviceProperties2 (physical, &properties);
  g_strlcpy (info->name, properties.properties.deviceName, sizeof info->name);
  format_uuid (id.deviceUUID, info->uuid);
  info->kind = kind_of (properties.properties.deviceType);
  info->index = index;
  info->subgroup_size = subgroup.subgroupSize;
  info->max_group_threads = limits->maxComputeWorkGroupInvocations;
  for (guint i = 0; i < 3; i++)
    info->max_groups[i] = limits->maxComputeWorkGroupCount[i];
  info->max_binding = limits->maxStorageBufferRange;
  info->max_shared = limits->maxComputeSharedMemorySize;
  info->timestamp_period = limits->timestampPeriod;
}

/* An index and a UUID are exact; anything else is a part of the name. */
static gboolean
info_matches (const GpuDeviceInfo * info, const gchar * selector)
{
  guint64 index;

  if (!selector || !*selector)
    return TRUE;
  if (g_ascii_string_to_unsigned (selector, 10, 0, G_MAXUINT, &index, NULL))
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
  return info_matches (&device->info, selector);
}

static gboolean
choose_physical (GpuDevice * device, const gchar * selector, GError ** error)
{
  guint32 n = 0;
  g_autoptr (GString) names = g_string_new (NULL);
  VkResult result = vkEnumeratePhysicalDevices (device->instance, &n, NULL);

  if (!check_result (result, "listing Vulkan devices", error))
    return FALSE;

  g_autofree VkPhysicalDevice *list = g_new0 (VkPhysicalDevice, n + 1);

  result = vkEnumeratePhysicalDevices (device->instance, &n, list);
  if (result != VK_INCOMPLETE
      && !check_result (result, "listing Vulkan devices", error))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    GpuDeviceInfo info = { 0 };

    read_info (list[i], i, &info);
    g_string_append_printf (names, "%s%u: %s (%s)", i ? "; " : "", i,
        info.name, info.uuid);
    if (info_matches (&info, selector)
        && (!device->physical || info.kind < device->info.kind)) {
      device->physical = list[i];
      device->info = info;
    }
  }
  if (n == 0)
    g_set_error_literal (error, GPU_ERROR, GPU_ERROR_NO_DEVICE,
        "there is no Vulkan device; install a driver (for the CPU: "
        "mesa-vulkan-drivers)");
  else if (!device->physical)
    g_set_error (error, GPU_ERROR, GPU_ERROR_NO_DEVICE,
        "no Vulkan device matches \"%s\"; there are: %s", selector, names->str);
  return device->physical != NULL;
}

/* --- what every kernel relies on --- */

static gboolean
check_capabilities (GpuDevice * device, GError ** error)
{
  VkPhysicalDeviceSubgroupProperties subgroup = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
  };
  VkPhysicalDeviceProperties2 properties = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
    .pNext = &subgroup,
  };
  const VkPhysicalDeviceLimits *limits = &properties.properties.limits;
  const gchar *missing = NULL;

  vkGetPhysicalDeviceProperties2 (device->physical, &properties);
  if (properties.properties.apiVersion < VK_API_VERSION_1_1)
    missing = "Vulkan 1.1";
  else if (!(subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT)
      || (~subgroup.supportedOperations & NEEDED_SUBGROUP_OPERATIONS))
    missing = "subgroup basic, arithmetic, ballot and shuffle operations "
        "in compute shaders";
  else if (limits->maxPerStageDescriptorStorageBuffers < GPU_MAX_BINDINGS)
    missing = G_STRINGIFY (GPU_MAX_BINDINGS) " storage buffers per shader";
  else if (limits->maxComputeWorkGroupInvocations < 256
      || limits->maxComputeWorkGroupSize[0] < 256)
    missing = "workgroups of 256 threads";
  if (missing)
    g_set_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
        "%s lacks %s; update its driver or choose another device",
        device->info.name, missing);
  device->atom = limits->nonCoherentAtomSize;
  return missing == NULL;
}

static gboolean
choose_queue_family (GpuDevice * device, GError ** error)
{
  guint32 n = 0;

  vkGetPhysicalDeviceQueueFamilyProperties (device->physical, &n, NULL);

  g_autofree VkQueueFamilyProperties *list =
      g_new0 (VkQueueFamilyProperties, n + 1);

  vkGetPhysicalDeviceQueueFamilyProperties (device->physical, &n, list);
  for (guint i = 0; i < n; i++) {
    if (!(list[i].queueFlags & VK_QUEUE_COMPUTE_BIT))
      continue;
    device->queue_family = i;
    if (list[i].timestampValidBits == 0)
      device->info.timestamp_period = 0;
    else
      device->timestamp_mask = G_MAXUINT64 >> (64 - list[i].timestampValidBits);
    return TRUE;
  }
  g_set_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
      "%s has no queue for compute; choose another device", device->info.name);
  return FALSE;
}

static gboolean
create_device (GpuDevice * device, GError ** error)
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
    .queueCreateInfoCount = 1,
    .pQueueCreateInfos = &queue,
  };
  VkResult result =
      vkCreateDevice (device->physical, &info, NULL, &device->device);

  if (!check_result (result, device->info.name, error))
    return FALSE;
  volkLoadDeviceTable (&device->vk, device->device);
  device->vk.vkGetDeviceQueue (device->device, device->queue_family, 0,
      &device->queue);
  return TRUE;
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

GpuDevice *
gpu_device_open (const gchar * selector, GError ** error)
{
  GpuDevice *device = g_new0 (GpuDevice, 1);
  gboolean opened;

  device->refs = 1;
  g_mutex_init (&device->queue_lock);
  g_mutex_init (&device->kernels_lock);
  device->kernels =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gpu_kernel_free);
  g_mutex_lock (&volk_lock);
  opened = create_instance (device, error)
      && choose_physical (device, selector, error)
      && check_capabilities (device, error)
      && choose_queue_family (device, error)
      && create_device (device, error)
      && create_layouts (device, error)
      && gpu_buffer_create_heaps (device, error);
  if (opened)
    gpu_pipeline_cache_load (device);
  g_mutex_unlock (&volk_lock);
  if (!opened)
    g_clear_pointer (&device, gpu_device_unref);
  return device;
}

GpuDevice *
gpu_device_ref (GpuDevice * device)
{
  g_atomic_int_inc (&device->refs);
  return device;
}

static void
destroy_device (GpuDevice * device)
{
  struct VolkDeviceTable *vk = &device->vk;

  /* Whatever still runs refers to what is freed below; a lost device returns
   * from this at once. */
  vk->vkDeviceWaitIdle (device->device);
  gpu_pipeline_cache_save (device);
  g_ptr_array_set_size (device->kernels, 0);
  for (guint i = 0; i < G_N_ELEMENTS (device->heaps); i++)
    g_clear_pointer (&device->heaps[i], gpu_heap_free);
  vk->vkDestroyPipelineCache (device->device, device->pipeline_cache, NULL);
  vk->vkDestroyPipelineLayout (device->device, device->pipeline_layout, NULL);
  vk->vkDestroyDescriptorSetLayout (device->device, device->set_layout, NULL);
  vk->vkDestroyDevice (device->device, NULL);
}

/* The first instance stays: with the last one drivers are unloaded, and some can
 * be loaded but some thirty times in a process (NVIDIA 580 takes thread-local
 * storage that it never gives back). */
static void
destroy_instance (GpuDevice * device)
{
  static gint is_one_kept;

  if (!g_atomic_int_compare_and_exchange (&is_one_kept, FALSE, TRUE))
    device->destroy_instance (device->instance, NULL);
}

void
gpu_device_unref (GpuDevice * device)
{
  if (!g_atomic_int_dec_and_test (&device->refs))
    return;
  if (device->device)
    destroy_device (device);
  if (device->instance)
    destroy_instance (device);
  g_ptr_array_unref (device->kernels);
  g_mutex_clear (&device->kernels_lock);
  g_mutex_clear (&device->queue_lock);
  g_free (device->pipeline_cache_file);
  g_free (device);
}

const GpuDeviceInfo *
gpu_device_get_info (GpuDevice * device)
{
  return &device->info;
}

gboolean
gpu_device_is_slow (GpuDevice * device)
{
  return device->info.kind == GPU_DEVICE_CPU
      || device->info.kind == GPU_DEVICE_OTHER;
}

guint64
gpu_device_get_allocated (GpuDevice * device)
{
  guint64 sum = 0;

  for (guint i = 0; i < G_N_ELEMENTS (device->heaps); i++)
    sum += gpu_heap_get_allocated (device->heaps[i]);
  return sum;
}
