/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Images and semaphores that are shared with others, as parts of a recording. Images are of a
 * device that was adopted from them (gpu/core/device/foreign.h). */
#pragma once

#include "stream.h"
#include <vulkan/vulkan_core.h>

G_BEGIN_DECLS

/* What the submission at hand waits for before its first command, and what it signals once all
 * of it is done: timeline semaphores, at most eight of each. A frame may have several submissions.
 * Each call is for the one that is being recorded. */
void gpu_stream_wait_for_semaphore (GpuStream * stream, VkSemaphore semaphore,
    guint64 value);
void gpu_stream_signal_semaphore (GpuStream * stream, VkSemaphore semaphore,
    guint64 value);

/* Something of others that the submission at hand uses. Calls @submitted once it was submitted,
 * on the recording thread, and in any case @release: when it is done, or was abandoned. */
void gpu_stream_keep (GpuStream * stream, gpointer object,
    void (*submitted) (gpointer object), GDestroyNotify release);

/* A colour image with one sample and one level, and without disjoint planes. Nobody else uses it
 * before the submission at hand is done. */
typedef struct
{
  VkImage handle;
  VkImageLayout layout;
  guint layer;
} GpuImage;

/* Brings @image, as it is after all semaphores that were waited for, into the layout in which it
 * is read by copies, or with @is_written, written, and changes @image->layout. */
void gpu_stream_ready_image (GpuStream * stream, GpuImage * image,
    gboolean is_written);

/* A rectangle of an image, and where its rows lie in a buffer. */
typedef struct
{
  VkImageAspectFlags aspect;    /* one of the image */
  guint x, y, width, height;    /* texels of this aspect */
  gsize offset;                 /* bytes; a multiple of 4, and of a texel */
  guint row_texels;             /* from one row to the next */
  gsize size;                   /* bytes from the first to the last texel */
} GpuImageRegion;

/* Copy a rectangle. The image is in a layout for it. */
void gpu_stream_copy_from_image (GpuStream * stream, const GpuImage * image,
    const GpuImageRegion * region, GpuBuffer * to);
void gpu_stream_copy_to_image (GpuStream * stream, GpuBuffer * from,
    const GpuImage * image, const GpuImageRegion * region);

G_END_DECLS
