/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory and semaphores of a device for another library of this process, such as CUDA, which
 * gets them by opaque file descriptors. Vulkan has them by VK_KHR_external_memory_fd
 * (GpuDeviceInfo.exports_memory), and VK_KHR_external_semaphore_fd and VK_KHR_timeline_semaphore
 * (exports_semaphores). */
#pragma once

#include "buffer.h"
#include <vulkan/vulkan_core.h>

G_BEGIN_DECLS

/* Returns a file descriptor of the memory of @buffer, of kind EXPORTED, which begins at the first
 * byte of the buffer. Sets *@size to the bytes of the memory. The caller owns the file descriptor;
 * the memory lives as long as either side has it. Returns -1 with @error set on failure. */
gint gpu_buffer_export (GpuBuffer * buffer, gsize * size, GError ** error);

/* Returns a new timeline semaphore of value 0, for gpu_stream_wait_for_semaphore() and
 * gpu_stream_signal_semaphore(), and sets *@fd to a file descriptor of it. The caller owns both.
 * Returns VK_NULL_HANDLE with @error set on failure. */
VkSemaphore gpu_semaphore_new_exported (GpuDevice * device, gint * fd,
    GError ** error);
/* Frees a semaphore, which may be VK_NULL_HANDLE. No submission may use it any more. */
void gpu_semaphore_free (VkSemaphore semaphore, GpuDevice * device);

/* Images that others have, too (gpu/core/stream/sharedimage.h): their formats, by the bytes of a
 * texel, and what they are used for. GL may copy by drawing. */
#define GPU_SHARED_IMAGE_FORMATS { \
  [1] = VK_FORMAT_R8_UNORM, \
  [2] = VK_FORMAT_R8G8_UNORM, \
  [4] = VK_FORMAT_R8G8B8A8_UNORM, \
}
#define GPU_SHARED_IMAGE_USAGE \
  (VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT \
      | VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)

G_END_DECLS
