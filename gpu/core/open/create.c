/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "create.h"
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
