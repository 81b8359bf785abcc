/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "import.h"
#include "bufferhandle.h"
#include "gpu/core/device/process.h"
#include "gpu/core/device/vulkan.h"
#include "gpu/core/rounding.h"

#include <fcntl.h>
#include <unistd.h>

#define DMA_BUF VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT

static VkResult
create_handle (GpuBuffer * buffer)
{
  const VkExternalMemoryBufferCreateInfo external = {
    .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
    .handleTypes = DMA_BUF,
  };
  const VkBufferCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
    .pNext = &external,
    .size = buffer->size,
    .usage = GPU_IMPORT_USAGE,
  };

  return buffer->device->vk.vkCreateBuffer (buffer->device->device, &info,
      NULL, &buffer->handle);
}

/* Sets @info to what the buffer needs, and to a type of memory that the dma-buf can be, too. */
static VkResult
find_memory (GpuBuffer * buffer, gint fd, VkMemoryAllocateInfo * info)
{
  GpuDevice *device = buffer->device;
  VkMemoryFdPropertiesKHR properties = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR,
  };
  VkMemoryRequirements needs;
  VkResult result = device->vk.vkGetMemoryFdPropertiesKHR (device->device,
      DMA_BUF, fd, &properties);

  if (result != VK_SUCCESS)
    return result;
  device->vk.vkGetBufferMemoryRequirements (device->device, buffer->handle,
      &needs);
  /* Memory has whole pages. */
  if (!(needs.memoryTypeBits & properties.memoryTypeBits)
      || needs.size > ROUND_UP (buffer->size, (gsize) sysconf (_SC_PAGESIZE)))
    return VK_ERROR_INVALID_EXTERNAL_HANDLE;
  info->allocationSize = needs.size;
  info->memoryTypeIndex =
      g_bit_nth_lsf (needs.memoryTypeBits & properties.memoryTypeBits, -1);
  return VK_SUCCESS;
}

/* On success the driver owns the file descriptor, so it gets a copy. */
static VkResult
take_memory (GpuBuffer * buffer, gint fd, VkMemoryAllocateInfo * info)
{
  GpuDevice *device = buffer->device;
  const VkMemoryDedicatedAllocateInfo dedicated = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
    .buffer = buffer->handle,
  };
  const VkImportMemoryFdInfoKHR import = {
    .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
    .pNext = &dedicated,
    .handleType = DMA_BUF,
    .fd = fcntl (fd, F_DUPFD_CLOEXEC, 0),
  };
  VkResult result;

  if (import.fd < 0)
    return VK_ERROR_TOO_MANY_OBJECTS;
  info->pNext = &import;
  result = device->vk.vkAllocateMemory (device->device, info, NULL,
      &buffer->imported);
  if (result != VK_SUCCESS)
    close (import.fd);
  return result;
}

static VkResult
import (GpuBuffer * buffer, gint fd)
{
  GpuDevice *device = buffer->device;
  VkMemoryAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
  };
  VkResult result = create_handle (buffer);

  if (result == VK_SUCCESS)
    result = find_memory (buffer, fd, &info);
  if (result == VK_SUCCESS)
    result = take_memory (buffer, fd, &info);
  if (result == VK_SUCCESS)
    result = device->vk.vkBindBufferMemory (device->device, buffer->handle,
        buffer->imported, 0);
  return result;
}

GpuBuffer *
gpu_buffer_import (GpuDevice * device, gint fd, GError ** error)
{
  const off_t size = lseek (fd, 0, SEEK_END);
  GpuBuffer *buffer;

  if (!device->info.imports_dmabufs || size <= 0
      || (guint64) size > device->info.max_buffer) {
    g_set_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
        size > 0 ? "%s has no buffers of such memory"
        : "%s cannot import what has no size", device->info.name);
    return NULL;
  }
  if (!gpu_device_check_alive (device, error) || !gpu_process_enter (error))
    return NULL;
  buffer = g_new0 (GpuBuffer, 1);
  buffer->refs = 1;
  buffer->device = gpu_device_ref (device);
  buffer->size = size;
  if (!gpu_device_check (device, import (buffer, fd), "a dma-buf", error))
    g_clear_pointer (&buffer, gpu_buffer_unref);
  gpu_process_leave ();
  return buffer;
}
