/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rows of pixels: where a buffer with some for each pixel is larger than a device
 * binds, dispatches are bound to the rows that they look at. Not for users of
 * palette.h. */
#pragma once

#include "gpu/core/frame/frame.h"

G_BEGIN_DECLS

/* What items of a kernel look at, which are of rows too, and of what. */
typedef struct
{
  guint width, height;          /* of rows, in pixels; 0: items are of none */
  guint items;                  /* of a row of items */
  guint step;                   /* rows of pixels of one of items; */
  guint halo;                   /* above these and below that are looked at */
  guint arrays;                 /* bits of bindings: a word for each pixel */
  const GpuFrameInfo *frames[2];        /* of bindings 0 and 1, or NULL; of one
                                           plane */
} GpuPaletteRows;

/* Items @first to @end - 1 of a dispatch. */
typedef struct
{
  guint first, end;
} GpuPaletteRange;

/* Of an array of words, which @per_item items in a row look at. */
GpuPaletteRows gpu_palette_rows_of_array (guint n, guint per_item,
    guint arrays);

/* The binding that a frame is, if it has rows; NULL otherwise, as a frame of
 * several planes is bound as a whole. */
const GpuFrameInfo *gpu_palette_rows_of_frame (const GpuFrameInfo * info);

/* Whether one of @buffers has more bytes than @limit. */
gboolean gpu_palette_rows_are_parts (const GpuPaletteRows * rows,
    GpuBuffer * const *buffers, gsize limit);

/* Items of a dispatch at most, a multiple of 256, where they are. */
guint gpu_palette_rows_get_most (const GpuPaletteRows * rows, gsize limit);

/* Where parts for items from @first on begin. */
guint gpu_palette_rows_get_first (const GpuPaletteRows * rows, guint first);

/* Sets @parts to @buffers, both by binding and with NULL where there is none, or to
 * those of their rows that the items of @range look at, which has some, from
 * gpu_palette_rows_get_first() of its first on: a frame from
 * the last multiple of GPU_BUFFER_PART_ALIGNMENT before that on. Returns new
 * references to unref; FALSE with @error set (TOO_LARGE), and none, where @limit
 * holds too few rows. */
gboolean gpu_palette_rows_take (const GpuPaletteRows * rows,
    GpuBuffer * const *buffers, const GpuPaletteRange * range, gsize limit,
    GpuBuffer ** parts, GError ** error);

G_END_DECLS
