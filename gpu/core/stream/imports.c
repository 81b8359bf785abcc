/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "imports.h"
#include "gpu/core/memory/bufferhandle.h"
#include "ring.h"

/* Takes the memory from other devices, or with @is_returned, gives it back. */
static void
transfer (GpuStream * stream, GpuBuffer * import, VkAccessFlags access,
    gboolean is_returned)
{
  const guint32 ours = stream->device->queue_family;
  const VkBufferMemoryBarrier barrier = {
    .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
    .srcAccessMask = is_returned ? access : 0,
    .dstAccessMask = is_returned ? 0 : access,
    .srcQueueFamilyIndex = is_returned ? ours : VK_QUEUE_FAMILY_FOREIGN_EXT,
    .dstQueueFamilyIndex = is_returned ? VK_QUEUE_FAMILY_FOREIGN_EXT : ours,
    .buffer = import->handle,
    .size = VK_WHOLE_SIZE,
  };

  if (gpu_stream_can_record (stream))
    stream->device->vk.vkCmdPipelineBarrier (stream->recording->commands.buffer,
        VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
        NULL, 1, &barrier, 0, NULL);
}

static void
copy (GpuStream * stream, GpuBuffer * import, VkAccessFlags access,
    GpuBuffer * from, gsize from_offset, GpuBuffer * to, gsize to_offset,
    gsize size)
{
  if (size == 0)
    return;
  transfer (stream, import, access, FALSE);
  gpu_stream_copy (stream, from, from_offset, to, to_offset, size);
  transfer (stream, import, access, TRUE);
}

void
gpu_stream_copy_from_import (GpuStream * stream, GpuBuffer * import,
    gsize offset, GpuBuffer * to, gsize to_offset, gsize size)
{
  copy (stream, import, VK_ACCESS_TRANSFER_READ_BIT, import, offset, to,
      to_offset, size);
}

void
gpu_stream_copy_to_import (GpuStream * stream, GpuBuffer * from,
    gsize from_offset, GpuBuffer * import, gsize offset, gsize size)
{
  copy (stream, import, VK_ACCESS_TRANSFER_WRITE_BIT, from, from_offset,
      import, offset, size);
}
