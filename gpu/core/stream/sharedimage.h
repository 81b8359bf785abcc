/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Images in memory that another library of this process has, too, such as GL by
 * EXT_memory_object_fd. Vulkan has them by VK_KHR_external_memory_fd; GpuDeviceInfo.exports_memory
 * says whether a device does. An image belongs to the other side, in the layout GENERAL, except
 * between gpu_stream_take_image() and gpu_stream_return_image(). */
#pragma once

#include "images.h"

G_BEGIN_DECLS

typedef struct
{
  guint texel, width, height;   /* bytes of a texel (1, 2 or 4), and texels */
  GpuDevice *device;            /* a reference; NULL: there is no image */
  GpuImage image;
  VkDeviceMemory memory;        /* for this image alone */
  gsize size;                   /* bytes of the memory */
} GpuSharedImage;

/* Makes an image for copies. The texel and the size of @shared are set, the rest is zero. Sets *@fd
 * to a file descriptor of the memory, which the caller owns. Waits for the device. Returns FALSE
 * with @error set on failure (OUT_OF_MEMORY, LOST, FAILED, or as gpu_process_enter()); @shared is
 * all zero then. */
gboolean gpu_shared_image_init (GpuSharedImage * shared, GpuDevice * device,
    gint * fd, GError ** error);
/* Frees the image, and leaves @shared all zero. No submission may use it any more; the other side
 * keeps the memory as long as it has it. */
void gpu_shared_image_clear (GpuSharedImage * shared);

/* Take the image from the other side, and return it. All that the other side did is done before the
 * submission; it goes on when the submission is done. */
void gpu_stream_take_image (GpuStream * stream, const GpuSharedImage * shared);
void gpu_stream_return_image (GpuStream * stream,
    const GpuSharedImage * shared);

G_END_DECLS
