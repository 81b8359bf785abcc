/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How the pixels of a frame lie in a buffer. */
#pragma once

#include "gpu/core/memory/buffer.h"
#include "format.h"

G_BEGIN_DECLS

/* The layout of a video frame in a buffer. Shaders read and write frames as 32-bit
 * words, so the offset and the stride of every plane are multiples of 4 bytes. */
typedef struct
{
  GpuPixels pixels;
  guint width, height;          /* of the frame, in pixels */
  gboolean is_interlaced;       /* two fields with alternating rows; chroma rows are
                                   subsampled per field */
  gsize offset[GPU_MAX_PLANES]; /* bytes from the start of the buffer */
  gsize stride[GPU_MAX_PLANES]; /* bytes from row to row */
  gsize size;                   /* bytes, with all planes and padding */
} GpuFrameInfo;

/* Fills in @info with a layout of a progressive frame: GStreamer's default, but for I422 of
 * more than 8 bits with an odd height, which gets no further row. */
void gpu_frame_info_init (GpuFrameInfo * info, GpuPixels pixels, guint width,
    guint height);

/* Returns whether both have the same format, size and interlacing. Offsets and strides
 * may differ. */
gboolean gpu_frame_info_is_alike (const GpuFrameInfo * a,
    const GpuFrameInfo * b);

/* Returns whether shaders can use this layout directly: planes are aligned to words, lie
 * inside info->size, and do not overlap. */
gboolean gpu_frame_info_is_usable (const GpuFrameInfo * info);

/* Returns whether the pixels of every row of every plane fill blocks of 16 bytes, which begin
 * at multiples of 16. */
gboolean gpu_frame_info_is_in_blocks (const GpuFrameInfo * info);

/* Return the size of a plane in pixels of the plane. That of a subsampled plane is the
 * size of the frame divided by the factor of the axis and rounded up; if the frame is
 * interlaced, rows are divided and rounded up per field. A palette has width 1 and height 256. */
guint gpu_frame_info_plane_width (const GpuFrameInfo * info, guint plane);
guint gpu_frame_info_plane_height (const GpuFrameInfo * info, guint plane);

/* Returns the number of fields of an interlaced frame: 1 if it has one row, else 2. */
guint gpu_frame_info_count_fields (const GpuFrameInfo * info);

/* Fills in @field with the layout of field @i as a progressive frame in the same buffer.
 * Field 0 begins at the first row of the frame, field 1 at the second. */
void gpu_frame_info_get_field (const GpuFrameInfo * info, guint i,
    GpuFrameInfo * field);

/* A frame in device memory. */
typedef struct
{
  GpuFrameInfo info;
  GpuBuffer *buffer;            /* at least info.size bytes; not owned */
} GpuFrame;

/* Returns field @i of an interlaced frame, see gpu_frame_info_get_field(). */
GpuFrame gpu_frame_get_field (const GpuFrame * frame, guint i);

/* The input and the output of a filter. */
typedef struct
{
  const GpuFrame *in, *out;     /* not owned; the same buffer only if a function
                                   says so */
} GpuFrames;

G_END_DECLS
