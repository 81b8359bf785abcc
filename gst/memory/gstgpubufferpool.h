/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gstgpumemory.h"
#include <gst/video/video.h>

G_BEGIN_DECLS

/* GStreamer's pool of video frames with an allocator that is fixed: one that a
 * configuration names is ignored. A configuration that the allocator cannot
 * serve is refused, and the one before stays in force. */
#define GST_TYPE_GPU_BUFFER_POOL (gst_gpu_buffer_pool_get_type ())
G_DECLARE_FINAL_TYPE (GstGpuBufferPool, gst_gpu_buffer_pool, GST,
    GPU_BUFFER_POOL, GstVideoBufferPool)

/* Returns a new reference. */
GstBufferPool *gst_gpu_buffer_pool_new (GstAllocator * allocator);

/* The same, configured for frames of @caps and at least @min of them, with
 * GstVideoMeta if @with_meta; NULL where @caps are no video. */
GstBufferPool *gst_gpu_buffer_pool_new_for_caps (GstAllocator * allocator,
    GstCaps * caps, guint min, gboolean with_meta);

GpuDevice *gst_gpu_buffer_pool_get_device (GstGpuBufferPool * pool);

/* Stops *@pool, of any kind, gives it up, and sets it to NULL; it may be NULL. */
void gst_gpu_buffer_pool_release (GstBufferPool ** pool);

G_END_DECLS
