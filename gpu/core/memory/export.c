/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "export.h"
#include "bufferhandle.h"
#include "gpu/core/device/process.h"
#include "gpu/core/device/vulkan.h"

gint
gpu_buffer_export (GpuBuffer * buffer, gsize * size, GError ** error)
{
  GpuDevice *device = buffer->device;
  const VkMemoryGetFdInfoKHR info = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
    .memory = buffer->piece.memory,
    .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
  };
  gint fd = -1;
  gboolean done;

  g_return_val_if_fail (buffer->kind == GPU_BUFFER_EXPORTED, -1);
  if (!gpu_process_enter (error))
    return -1;
  done = gpu_device_check (device, device->vk.vkGetMemoryFdKHR (device->device,
          &info, &fd), "exporting memory", error);
  gpu_process_leave ();
  *size = buffer->piece.size;
  return done ? fd : -1;
}

static VkResult
create_semaphore (GpuDevice * device, VkSemaphore * semaphore)
{
  const VkExportSemaphoreCreateInfo export = {
    .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
    .handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
  };
  const VkSemaphoreTypeCreateInfo timeline = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
    .pNext = &export,
    .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
  };
  const VkSemaphoreCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
    .pNext = &timeline,
  };

  return device->vk.vkCreateSemaphore (device->device, &info, NULL, semaphore);
}

static VkResult
get_file (GpuDevice * device, VkSemaphore semaphore, gint * fd)
{
  const VkSemaphoreGetFdInfoKHR info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
    .semaphore = semaphore,
    .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
  };

  return device->vk.vkGetSemaphoreFdKHR (device->device, &info, fd);
}

VkSemaphore
gpu_semaphore_new_exported (GpuDevice * device, gint * fd, GError ** error)
{
  VkSemaphore semaphore = VK_NULL_HANDLE;
  VkResult result;

  g_return_val_if_fail (device->info.exports_semaphores, VK_NULL_HANDLE);
  if (!gpu_process_enter (error))
    return VK_NULL_HANDLE;
  result = create_semaphore (device, &semaphore);
  if (result == VK_SUCCESS)
    result = get_file (device, semaphore, fd);
  gpu_process_leave ();
  if (gpu_device_check (device, result, "exporting a semaphore", error))
    return semaphore;
  gpu_semaphore_free (semaphore, device);
  return VK_NULL_HANDLE;
}

void
gpu_semaphore_free (VkSemaphore semaphore, GpuDevice * device)
{
  if (!gpu_process_enter (NULL))
    return;
  device->vk.vkDestroySemaphore (device->device, semaphore, NULL);
  gpu_process_leave ();
}
