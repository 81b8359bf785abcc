/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "commands.h"

static void
name_objects (const GpuCommands * commands, GpuDevice * device,
    const gchar * name)
{
  gpu_device_name_object (device, VK_OBJECT_TYPE_COMMAND_BUFFER,
      (guint64) (gsize) commands->buffer, name);
  gpu_device_name_object (device, VK_OBJECT_TYPE_FENCE,
      (guint64) commands->fence, name);
  gpu_device_name_object (device, VK_OBJECT_TYPE_COMMAND_POOL,
      (guint64) commands->pool, name);
}

gboolean
gpu_commands_init (GpuCommands * commands, GpuDevice * device,
    const gchar * name, GError ** error)
{
  struct VolkDeviceTable *vk = &device->vk;
  VkCommandPoolCreateInfo pool = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
    .queueFamilyIndex = device->queue_family,
  };
  VkCommandBufferAllocateInfo buffer = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
    .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
    .commandBufferCount = 1,
  };
  VkFenceCreateInfo fence = {
    .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
  };

  if (!gpu_device_check (device, vk->vkCreateCommandPool (device->device,
              &pool, NULL, &commands->pool), name, error))
    return FALSE;
  buffer.commandPool = commands->pool;
  if (!gpu_device_check (device, vk->vkAllocateCommandBuffers (device->device,
              &buffer, &commands->buffer), name, error)
      || !gpu_device_check (device, vk->vkCreateFence (device->device, &fence,
              NULL, &commands->fence), name, error))
    return FALSE;
  name_objects (commands, device, name);
  return TRUE;
}

void
gpu_commands_clear (GpuCommands * commands, GpuDevice * device)
{
  struct VolkDeviceTable *vk = &device->vk;

  vk->vkDestroyFence (device->device, commands->fence, NULL);
  vk->vkDestroyCommandPool (device->device, commands->pool, NULL);
}

VkResult
gpu_commands_begin (GpuCommands * commands, GpuDevice * device)
{
  VkCommandBufferBeginInfo info = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
    .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
  };
  VkResult result =
      device->vk.vkResetCommandPool (device->device, commands->pool, 0);

  return result ? result : device->vk.vkBeginCommandBuffer (commands->buffer,
      &info);
}
