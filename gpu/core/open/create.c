/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "create.h"

#include "gpu/core/device/bindings.h"
#include "gpu/core/device/instance.h"

/* --- extensions --- */

/* Maximum number of enabled extensions. */
#define MAX_EXTENSIONS 6

/* The extensions and features to enable on a device. Zeroed before
 * choose_extensions(). */
typedef struct
{
  const gchar *names[MAX_EXTENSIONS];   /* static */
  guint n_names;
  void *features;               /* pNext chain of the members below that are enabled */
  VkPhysicalDeviceShaderFloat16Int8Features halves;
  VkPhysicalDeviceSubgroupSizeControlFeatures sizes;
  VkPhysicalDeviceShaderAtomicInt64Features atomic_int64;
  VkPhysicalDeviceFeatures2 core;
} Extensions;

/* Defined in vulkan_beta.h, which is not included here. */
#define PORTABILITY_SUBSET "VK_KHR_portability_subset"

gboolean
gpu_physical_has_extension (VkPhysicalDevice physical, const gchar * name)
{
  guint32 n = 0;

  if (vkEnumerateDeviceExtensionProperties (physical, NULL, &n, NULL)
      != VK_SUCCESS)
    return FALSE;

  g_autofree VkExtensionProperties *list = g_new0 (VkExtensionProperties, n);

  return vkEnumerateDeviceExtensionProperties (physical, NULL, &n, list) >= 0
      && gpu_extensions_have (list, n, name);
}

/* Extensions for shaders that add 16-bit floats, rounding to nearest. Without them other
 * shaders are used. */
static const gchar *const float16_extensions[] = {
  VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME,
  VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME,
};

#define N_FLOAT16_EXTENSIONS G_N_ELEMENTS (float16_extensions)

gboolean
gpu_physical_has_float16 (VkPhysicalDevice physical,
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
    if (!gpu_physical_has_extension (physical, float16_extensions[i]))
      return FALSE;
  vkGetPhysicalDeviceFeatures2 (physical, &features);
  return halves.shaderFloat16 && controls->shaderRoundingModeRTEFloat16
      && controls->roundingModeIndependence
      != VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE;
}

gboolean
gpu_physical_has_atomic_int64 (VkPhysicalDevice physical)
{
  VkPhysicalDeviceShaderAtomicInt64Features atomic = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES,
  };
  VkPhysicalDeviceFeatures2 features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = &atomic,
  };

  if (!gpu_physical_has_extension (physical,
          VK_KHR_SHADER_ATOMIC_INT64_EXTENSION_NAME))
    return FALSE;
  vkGetPhysicalDeviceFeatures2 (physical, &features);
  return features.features.shaderInt64 && atomic.shaderBufferInt64Atomics;
}

static void
add_name (Extensions * extensions, const gchar * name)
{
  extensions->names[extensions->n_names++] = name;
}

static void
add_float16 (Extensions * extensions)
{
  VkPhysicalDeviceShaderFloat16Int8Features halves = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
    .pNext = extensions->features,
    .shaderFloat16 = VK_TRUE,
  };

  for (guint i = 0; i < N_FLOAT16_EXTENSIONS; i++)
    add_name (extensions, float16_extensions[i]);
  extensions->halves = halves;
  extensions->features = &extensions->halves;
}

static void
add_atomic_int64 (Extensions * extensions)
{
  VkPhysicalDeviceShaderAtomicInt64Features atomic = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES,
    .pNext = extensions->features,
    .shaderBufferInt64Atomics = VK_TRUE,
  };
  VkPhysicalDeviceFeatures2 core = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = &extensions->atomic_int64,
    .features.shaderInt64 = VK_TRUE,
  };

  add_name (extensions, VK_KHR_SHADER_ATOMIC_INT64_EXTENSION_NAME);
  extensions->atomic_int64 = atomic;
  extensions->core = core;
  extensions->features = &extensions->core;
}

static void
add_subgroup_sizes (Extensions * extensions, gboolean can_be_full)
{
  VkPhysicalDeviceSubgroupSizeControlFeatures sizes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
    .pNext = extensions->features,
    .subgroupSizeControl = VK_TRUE,
    .computeFullSubgroups = can_be_full,
  };

  add_name (extensions, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
  extensions->sizes = sizes;
  extensions->features = &extensions->sizes;
}

/* Fills in the extensions and features to enable, and sets get_memory_budget of @device,
 * whose info and subgroups must be set. @extensions must be zeroed. It must not move
 * afterwards, because the chain points into it. */
static void
choose_extensions (Extensions * extensions, GpuDevice * device)
{
  /* Vulkan requires it to be enabled if the device supports it. */
  if (gpu_physical_has_extension (device->physical, PORTABILITY_SUBSET))
    add_name (extensions, PORTABILITY_SUBSET);
  if (device->info.has_float16)
    add_float16 (extensions);
  if (device->info.has_atomic_int64)
    add_atomic_int64 (extensions);
  if (device->subgroups.lanes)
    add_subgroup_sizes (extensions, device->subgroups.can_be_full);
  device->get_memory_budget = NULL;
  if (device->info.has_memory_budget) {
    add_name (extensions, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    device->get_memory_budget = vkGetPhysicalDeviceMemoryProperties2;
  }
}

/* --- families of queues --- */

/* Such queues drive the engines that copy. Families that also decode or encode are not for
 * copies. */
static gboolean
only_copies (const VkQueueFamilyProperties * family)
{
  const VkQueueFlags copies = VK_QUEUE_TRANSFER_BIT
      | VK_QUEUE_SPARSE_BINDING_BIT | VK_QUEUE_PROTECTED_BIT;

  return family->queueFlags & VK_QUEUE_TRANSFER_BIT
      && !(family->queueFlags & ~copies);
}

/* For the work, prefers a family that supports compute but not graphics: on a discrete
 * card, such a queue does not wait for the drawing of the desktop. */
gboolean
gpu_queues_choose (const VkQueueFamilyProperties * list, guint n,
    guint32 * work, guint32 * transfer)
{
  gint best = -1;

  for (guint i = n; i-- > 0;)
    if ((list[i].queueFlags & VK_QUEUE_COMPUTE_BIT)
        && (best < 0 || !(list[i].queueFlags & VK_QUEUE_GRAPHICS_BIT)
            || (list[best].queueFlags & VK_QUEUE_GRAPHICS_BIT)))
      best = i;
  if (best < 0)
    return FALSE;
  *work = *transfer = best;
  for (guint i = n; i-- > 0;)
    if (only_copies (&list[i]) && list[i].queueCount >= GPU_TRANSFER_QUEUES)
      *transfer = i;
  return TRUE;
}

/* --- the device --- */

static VkDeviceQueueCreateInfo
queue_info (guint32 family, guint n)
{
  static const gfloat priorities[GPU_TRANSFER_QUEUES] = { 1, 1 };
  const VkDeviceQueueCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
    .queueFamilyIndex = family,
    .queueCount = n,
    .pQueuePriorities = priorities,
  };

  return info;
}

/* @name: for debuggers and validation messages. */
static VkQueue
get_queue (GpuDevice * device, guint32 family, guint index, const gchar * name)
{
  VkQueue queue;

  device->vk.vkGetDeviceQueue (device->device, family, index, &queue);
  gpu_device_name_object (device, VK_OBJECT_TYPE_QUEUE, (guint64) (gsize) queue,
      name);
  return queue;
}

static void
get_queues (GpuDevice * device)
{
  guint32 family = device->transfer_family;

  device->queue = get_queue (device, device->queue_family, 0, "work");
  if (family == device->queue_family)
    return;
  device->upload_queue = get_queue (device, family, 0, "uploads");
  device->download_queue = get_queue (device, family, 1, "downloads");
}

gboolean
gpu_device_create (GpuDevice * device, GError ** error)
{
  Extensions extensions = { 0 };
  const VkDeviceQueueCreateInfo queues[] = {
    queue_info (device->queue_family, 1),
    queue_info (device->transfer_family, GPU_TRANSFER_QUEUES),
  };
  VkDeviceCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
    .queueCreateInfoCount =
        device->transfer_family == device->queue_family ? 1 : 2,
    .pQueueCreateInfos = queues,
  };
  VkResult result;

  choose_extensions (&extensions, device);
  info.pNext = extensions.features;
  info.enabledExtensionCount = extensions.n_names;
  info.ppEnabledExtensionNames = extensions.names;
  result = vkCreateDevice (device->physical, &info, NULL, &device->device);
  if (!gpu_result_check (result, device->info.name, error))
    return FALSE;
  volkLoadDeviceTable (&device->vk, device->device);
  get_queues (device);
  return TRUE;
}

gboolean
gpu_device_create_layouts (GpuDevice * device, GError ** error)
{
  VkPushConstantRange push = {
    .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
    .size = GPU_MAX_PUSH,
  };
  VkPipelineLayoutCreateInfo layout = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
    .setLayoutCount = 1,
    .pSetLayouts = &device->set_layout,
    .pushConstantRangeCount = 1,
    .pPushConstantRanges = &push,
  };

  return gpu_bindings_create_layout (device, error) && gpu_device_check (device,
      device->vk.vkCreatePipelineLayout (device->device, &layout, NULL,
          &device->pipeline_layout), "creating a pipeline layout", error);
}
