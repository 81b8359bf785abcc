/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sharedimage.h"
#include "gpu/core/device/process.h"
#include "gpu/core/memory/export.h"
#include "ring.h"

#include <unistd.h>

/* --- in a recording --- */

/* Records that the image goes from one side to the other. */
static void
hand_over (GpuStream * stream, const GpuSharedImage * shared,
    VkImageLayout layout, guint32 from, guint32 to)
{
  const VkAccessFlags copies =
      VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  gboolean comes = from == VK_QUEUE_FAMILY_EXTERNAL;
  const VkImageMemoryBarrier barrier = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
    .srcAccessMask = comes ? 0 : VK_ACCESS_TRANSFER_WRITE_BIT,
    .dstAccessMask = comes ? copies : 0,
    .oldLayout = layout,
    .newLayout = VK_IMAGE_LAYOUT_GENERAL,
    .srcQueueFamilyIndex = from,
    .dstQueueFamilyIndex = to,
    .image = shared->image.handle,
    .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
  };

  if (gpu_stream_can_record (stream))
    stream->device->vk.vkCmdPipelineBarrier (stream->recording->commands.buffer,
        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
        0, 0, NULL, 0, NULL, 1, &barrier);
}

void
gpu_stream_take_image (GpuStream * stream, const GpuSharedImage * shared)
{
  hand_over (stream, shared, VK_IMAGE_LAYOUT_GENERAL, VK_QUEUE_FAMILY_EXTERNAL,
      stream->device->queue_family);
}

void
gpu_stream_return_image (GpuStream * stream, const GpuSharedImage * shared)
{
  hand_over (stream, shared, VK_IMAGE_LAYOUT_GENERAL,
      stream->device->queue_family, VK_QUEUE_FAMILY_EXTERNAL);
}

/* A new image has no layout that the other side could use. */
static gboolean
hand_over_first (const GpuSharedImage * shared, GError ** error)
{
  g_autoptr (GpuStream) stream =
      gpu_stream_new (shared->device, 1, "shared image", error);

  if (!stream || !gpu_stream_begin (stream, error))
    return FALSE;
  hand_over (stream, shared, VK_IMAGE_LAYOUT_UNDEFINED,
      stream->device->queue_family, VK_QUEUE_FAMILY_EXTERNAL);
  return gpu_stream_submit (stream, NULL, error)
      && gpu_stream_wait_idle (stream, error);
}

/* --- its life --- */

static VkResult
create_image (GpuSharedImage * shared)
{
  static const VkFormat formats[] = GPU_SHARED_IMAGE_FORMATS;
  const VkExternalMemoryImageCreateInfo external = {
    .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO,
    .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
  };
  const VkImageCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
    .pNext = &external,
    .imageType = VK_IMAGE_TYPE_2D,
    .format = formats[shared->texel],
    .extent = {shared->width, shared->height, 1},
    .mipLevels = 1,
    .arrayLayers = 1,
    .samples = VK_SAMPLE_COUNT_1_BIT,
    .usage = GPU_SHARED_IMAGE_USAGE,
  };

  return shared->device->vk.vkCreateImage (shared->device->device, &info, NULL,
      &shared->image.handle);
}

/* Vulkan lists the faster types of memory first. */
static guint32
find_memory_type (GpuDevice * device, guint32 allowed)
{
  const VkPhysicalDeviceMemoryProperties *memory = &device->memory;

  for (guint32 i = 0; i < memory->memoryTypeCount; i++)
    if ((allowed & (1u << i)) && (memory->memoryTypes[i].propertyFlags
            & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT))
      return i;
  return g_bit_nth_lsf (allowed, -1);
}

static VkResult
allocate (GpuSharedImage * shared)
{
  GpuDevice *device = shared->device;
  const VkMemoryDedicatedAllocateInfo dedicated = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
    .image = shared->image.handle,
  };
  const VkExportMemoryAllocateInfo export = {
    .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
    .pNext = &dedicated,
    .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
  };
  VkMemoryAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
    .pNext = &export,
  };
  VkMemoryRequirements needs;
  VkResult result;

  device->vk.vkGetImageMemoryRequirements (device->device,
      shared->image.handle, &needs);
  info.allocationSize = shared->size = needs.size;
  info.memoryTypeIndex = find_memory_type (device, needs.memoryTypeBits);
  result = device->vk.vkAllocateMemory (device->device, &info, NULL,
      &shared->memory);
  return result == VK_SUCCESS ? device->vk.vkBindImageMemory (device->device,
      shared->image.handle, shared->memory, 0) : result;
}

static VkResult
export (const GpuSharedImage * shared, gint * fd)
{
  const VkMemoryGetFdInfoKHR info = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
    .memory = shared->memory,
    .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
  };

  return shared->device->vk.vkGetMemoryFdKHR (shared->device->device, &info,
      fd);
}

static gboolean
create (GpuSharedImage * shared, gint * fd, GError ** error)
{
  VkResult result;

  if (!gpu_process_enter (error))
    return FALSE;
  result = create_image (shared);
  if (result == VK_SUCCESS)
    result = allocate (shared);
  if (result == VK_SUCCESS)
    result = export (shared, fd);
  gpu_process_leave ();
  return gpu_device_check (shared->device, result, "a shared image", error);
}

gboolean
gpu_shared_image_init (GpuSharedImage * shared, GpuDevice * device, gint * fd,
    GError ** error)
{
  *fd = -1;
  shared->device = gpu_device_ref (device);
  shared->image.layout = VK_IMAGE_LAYOUT_GENERAL;
  if (create (shared, fd, error) && hand_over_first (shared, error))
    return TRUE;
  if (*fd >= 0)
    close (*fd);
  gpu_shared_image_clear (shared);
  return FALSE;
}

void
gpu_shared_image_clear (GpuSharedImage * shared)
{
  GpuDevice *device = shared->device;

  if (device && gpu_process_enter (NULL)) {
    device->vk.vkDestroyImage (device->device, shared->image.handle, NULL);
    device->vk.vkFreeMemory (device->device, shared->memory, NULL);
    gpu_device_unref (device);
    gpu_process_leave ();
  }
  *shared = (GpuSharedImage) { 0};
}
