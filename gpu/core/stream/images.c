/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "images.h"
#include "gpu/core/memory/bufferhandle.h"
#include "ring.h"

/* --- semaphores and guests --- */

static void
add_semaphore (GpuSemaphores * list, VkSemaphore handle, guint64 value)
{
  /* One is left for transfers.c. */
  g_return_if_fail (list->n < GPU_MAX_SEMAPHORES - 1);
  list->handles[list->n] = handle;
  list->values[list->n++] = value;
}

void
gpu_stream_wait_for_semaphore (GpuStream * stream, VkSemaphore semaphore,
    guint64 value)
{
  if (gpu_stream_can_record (stream))
    add_semaphore (&stream->recording->waits, semaphore, value);
}

void
gpu_stream_signal_semaphore (GpuStream * stream, VkSemaphore semaphore,
    guint64 value)
{
  if (gpu_stream_can_record (stream))
    add_semaphore (&stream->recording->signals, semaphore, value);
}

void
gpu_stream_keep (GpuStream * stream, gpointer object,
    void (*submitted) (gpointer object), GDestroyNotify release)
{
  const GpuGuest guest = { object, submitted, release };

  if (gpu_stream_can_record (stream))
    g_array_append_val (stream->recording->guests, guest);
  else
    release (object);
}

void
gpu_slot_tell_guests (const GpuSlot * slot)
{
  for (guint i = 0; i < slot->guests->len; i++) {
    const GpuGuest *guest = &g_array_index (slot->guests, GpuGuest, i);

    if (guest->submitted)
      guest->submitted (guest->object);
  }
}

/* When the fence of a submission is signalled, so are its semaphores. But Mesa's CPU device (25.0)
 * writes their values after that, so they must not be freed before. */
#define LONGEST_NOTE_NS G_GUINT64_CONSTANT (1000000000)

void
gpu_slot_wait_for_signals (const GpuSlot * slot, GpuDevice * device)
{
  const GpuSemaphores *signals = &slot->signals;
  /* Our own devices have the extension, and those of others Vulkan 1.3. */
  const PFN_vkWaitSemaphores wait = device->foreign.device
      ? device->vk.vkWaitSemaphores : device->vk.vkWaitSemaphoresKHR;
  const VkSemaphoreWaitInfo info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
    .semaphoreCount = signals->n,
    .pSemaphores = signals->handles,
    .pValues = signals->values,
  };

  if (signals->n > 0 && !gpu_device_is_lost (device))
    wait (device->device, &info, LONGEST_NOTE_NS);
}

/* --- images --- */

/* The submission waits for semaphores in all stages, which makes what others wrote visible. A
 * barrier at its beginning does the same for earlier commands of this queue. The old content of an
 * image that is written is discarded. */
void
gpu_stream_ready_image (GpuStream * stream, GpuImage * image,
    gboolean is_written)
{
  const VkImageMemoryBarrier barrier = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
    .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
    .dstAccessMask = is_written ? VK_ACCESS_TRANSFER_WRITE_BIT
        : VK_ACCESS_TRANSFER_READ_BIT,
    .oldLayout = is_written ? VK_IMAGE_LAYOUT_UNDEFINED : image->layout,
    .newLayout = is_written ? VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
        : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
    .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
    .image = image->handle,
    .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, image->layer, 1},
  };

  if (!gpu_stream_can_record (stream))
    return;
  stream->device->vk.vkCmdPipelineBarrier (stream->recording->commands.buffer,
      VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
      NULL, 0, NULL, 1, &barrier);
  image->layout = barrier.newLayout;
}

static VkBufferImageCopy
copy_of (const GpuImage * image, const GpuImageRegion * region)
{
  return (VkBufferImageCopy) {
    .bufferOffset = region->offset,
    .bufferRowLength = region->row_texels,
    .imageSubresource = {region->aspect, 0, image->layer, 1},
    .imageOffset = {region->x, region->y, 0},
    .imageExtent = {region->width, region->height, 1},
  };
}

void
gpu_stream_copy_from_image (GpuStream * stream, const GpuImage * image,
    const GpuImageRegion * region, GpuBuffer * to)
{
  const VkBufferImageCopy copy = copy_of (image, region);

  if (gpu_stream_prepare_copy (stream, NULL, 0, to, region->offset,
          region->size))
    stream->device->vk.vkCmdCopyImageToBuffer
        (stream->recording->commands.buffer, image->handle, image->layout,
        to->handle, 1, &copy);
}

void
gpu_stream_copy_to_image (GpuStream * stream, GpuBuffer * from,
    const GpuImage * image, const GpuImageRegion * region)
{
  const VkBufferImageCopy copy = copy_of (image, region);

  if (gpu_stream_prepare_copy (stream, from, region->offset, NULL, 0,
          region->size))
    stream->device->vk.vkCmdCopyBufferToImage
        (stream->recording->commands.buffer, from->handle, image->handle,
        image->layout, 1, &copy);
}
