/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "create.h"
#include "gpu/core/device/bindings.h"
#include "extensions.h"
#include "queues.h"

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
  GpuExtensions extensions = { 0 };
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

  gpu_extensions_choose (&extensions, device);
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
