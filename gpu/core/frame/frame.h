/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/memory/buffer.h"
#include "gpu/core/stream/stream.h"
#include "format.h"

G_BEGIN_DECLS

/* How a video frame lies in a buffer. Shaders read and write frames as
 * 32-bit words, so every plane begins at a whole word and has a stride of
 * whole words. */

typedef struct
{
  GpuPixels pixels;
  guint width, height;          /* of the frame, in pixels */
  gboolean is_interlaced;       /* two fields, whose rows alternate; where rows
                                   are subsampled, each field has its own */
  gsize offset[GPU_MAX_PLANES]; /* bytes from the start of the buffer */
  gsize stride[GPU_MAX_PLANES]; /* bytes from row to row */
  gsize size;                   /* bytes, all planes and paddings */
} GpuFrameInfo;

/* Fills @info with the layout that GStreamer gives progressive frames by
 * default. */
void gpu_frame_info_init (GpuFrameInfo * info, GpuPixels pixels, guint width,
    guint height);

/* Whether planes are of the same format and sizes, wherever they lie. */
gboolean gpu_frame_info_is_alike (const GpuFrameInfo * a,
    const GpuFrameInfo * b);

/* Whether shaders can work on this layout in place: word-aligned planes
 * inside info->size that do not overlap. */
gboolean gpu_frame_info_is_usable (const GpuFrameInfo * info);

/* Size of a plane in its own pixels: half the frame's, rounded up, where it is
 * subsampled; of an interlaced frame, half of each field's rows. A palette has
 * 256 rows of one. */
guint gpu_frame_info_plane_width (const GpuFrameInfo * info, guint plane);
guint gpu_frame_info_plane_height (const GpuFrameInfo * info, guint plane);

/* Fields of an interlaced frame: one where it has one row. */
guint gpu_frame_info_count_fields (const GpuFrameInfo * info);

/* Fills in @field with field @i of an interlaced frame, 0 is that of its first row, as a
 * progressive frame in the same buffer: every other row. */
void gpu_frame_info_get_field (const GpuFrameInfo * info, guint i,
    GpuFrameInfo * field);

/* A frame in device memory. */
typedef struct
{
  GpuFrameInfo info;
  GpuBuffer *buffer;            /* at least info.size bytes; not owned */
} GpuFrame;

/* What is read, and what is written. */
typedef struct
{
  const GpuFrame *in, *out;     /* different buffers; neither is owned */
} GpuFrames;

G_END_DECLS
