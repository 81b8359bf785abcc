/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames in dma-bufs, by which drivers of Linux share memory, under caps of system memory. Cameras
 * make some, and sinks propose pools of them. A device that can import them copies frames from
 * them and to them by itself. Elsewhere the CPU maps them, as it does all system memory. */
#pragma once

#include "gpu/core/stream/stream.h"
#include "gstgpuframe.h"

G_BEGIN_DECLS

/* All bytes of a buffer, one memory behind the other. */
typedef struct
{
  guint n;                      /* of parts, each of one memory; 0: nothing is imported */
  struct
  {
    GpuBuffer *import;          /* a reference */
    gsize offset, size;         /* in the import */
  } parts[GPU_MAX_PLANES];
} GstGpuDmabufs;

/* Returns whether frames in dma-bufs are imported for @device at all. For a CPU device they are
 * not: its driver does not keep the CPU's cache in step with other devices, as a map does. */
gboolean gst_gpu_dmabufs_are_supported (GpuDevice * device);

/* Imports @buffer for @device, if it is of dma-bufs, and shaders can use the layout of its frame
 * of @video. Sets @info to that layout in a copy of all bytes. An import is kept with the memory
 * for its next frames. Returns FALSE if the device cannot use @buffer itself; @dmabufs is empty
 * then. Clear it in the end. */
gboolean gst_gpu_dmabufs_import (GstGpuDmabufs * dmabufs,
    GstBuffer * buffer, const GstVideoInfo * video, GpuDevice * device,
    GpuFrameInfo * info);
/* Drops the references. */
void gst_gpu_dmabufs_clear (GstGpuDmabufs * dmabufs);

/* Waits for other devices that write @buffer, which is of dma-bufs; with @is_written, also for
 * those that read it. Waits up to @ms for each memory. Returns FALSE if some are not done. */
gboolean gst_gpu_dmabufs_wait (GstBuffer * buffer, gboolean is_written,
    gint ms);

/* Records a copy of all bytes to @frame, or with @is_written, from @frame. */
void gst_gpu_dmabufs_record_copy (const GstGpuDmabufs * dmabufs,
    GpuStream * stream, GpuBuffer * frame, gboolean is_written);

/* Configures @pool, which downstream proposes, for @min or more frames of @caps, with GstVideoMeta.
 * Returns FALSE if it cannot be, or does not make dma-bufs. */
gboolean gst_gpu_dmabufs_configure_pool (GstBufferPool * pool,
    GstCaps * caps, guint min);

G_END_DECLS
