/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "create.h"
#include "gpu/core/device/bindings.h"
#include "extensions.h"

gboolean
gpu_device_create (GpuDevice * device, GError ** error)
{
  GpuExtensions extensions = { 0 };
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
  VkResult result;

  gpu_extensions_choose (&extensions, device);
  info.pNext = extensions.features;
  info.enabledExtensionCount = extensions.n_names;
  info.ppEnabledExtensionNames = extensions.names;
  result = vkCreateDevice (device->physical, &info, NULL, &device->device);
  if (!gpu_result_check (result, device->info.name, error))
    return FALSE;
  volkLoadDeviceTable (&device->vk, device->device);
  device->vk.vkGetDeviceQueue (device->device, device->queue_family, 0,
      &device->queue);
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
