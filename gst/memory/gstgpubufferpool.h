/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gstgpumemory.h"
#include <gst/video/video.h>

G_BEGIN_DECLS

/* A GstVideoBufferPool with a fixed allocator: the allocator of a configuration is
 * ignored. A configuration that the allocator does not support is refused, and the
 * previous one is kept. */
#define GST_TYPE_GPU_BUFFER_POOL (gst_gpu_buffer_pool_get_type ())
G_DECLARE_FINAL_TYPE (GstGpuBufferPool, gst_gpu_buffer_pool, GST,
    GPU_BUFFER_POOL, GstVideoBufferPool)

/* Returns a new pool, whose reference the caller owns. It holds a reference to
 * @allocator. */
GstBufferPool *gst_gpu_buffer_pool_new (GstAllocator * allocator);

/* Returns a new reference to a pool configured for at least @min frames of @caps, with
 * GstVideoMeta if @with_meta. Returns NULL if @caps are not video or the configuration is
 * refused. */
GstBufferPool *gst_gpu_buffer_pool_new_for_caps (GstAllocator * allocator,
    GstCaps * caps, guint min, gboolean with_meta);

/* Returns the device of the allocator; the allocator owns the reference. */
GpuDevice *gst_gpu_buffer_pool_get_device (GstGpuBufferPool * pool);

/* Deactivates *@pool, a pool of any type or NULL, drops the reference, and sets *@pool to
 * NULL. */
void gst_gpu_buffer_pool_release (GstBufferPool ** pool);

G_END_DECLS
