/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "extensions.h"
#include "gpu/core/device/instance.h"

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
add_name (GpuExtensions * extensions, const gchar * name)
{
  extensions->names[extensions->n_names++] = name;
}

static void
add_float16 (GpuExtensions * extensions)
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
add_atomic_int64 (GpuExtensions * extensions)
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
add_subgroup_sizes (GpuExtensions * extensions, gboolean can_be_full)
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

void
gpu_extensions_choose (GpuExtensions * extensions, GpuDevice * device)
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
