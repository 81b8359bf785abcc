/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Binding by rows: where a buffer with a word or more for each pixel is larger than a
 * device can bind, each dispatch is bound to the rows of pixels that it looks at. */
#pragma once

#include "gpu/core/frame/frame.h"

G_BEGIN_DECLS

/* Which rows of pixels the items of a kernel look at, and in which buffers. Items lie in
 * rows as well, each of which covers @step rows of pixels. */
typedef struct
{
  guint width, height;          /* of the rows of pixels, in pixels; 0: no binding by
                                   rows */
  guint items;                  /* in a row of items */
  guint step;                   /* rows of pixels that a row of items covers */
  guint halo;                   /* rows of pixels above and below these that it reads */
  guint arrays;                 /* bit i: binding i has a word for each pixel */
  const GpuFrameInfo *frames[2];        /* of bindings 0 and 1, frames of one plane;
                                           NULL: bound as a whole */
} GpuRowBinding;

/* Items @first to @end - 1. */
typedef struct
{
  guint first, end;
} GpuItemRange;

/* Of arrays of @n words, @per_item of which an item looks at. @arrays: as above. */
GpuRowBinding gpu_row_binding_of_array (guint n, guint per_item,
    guint arrays);

/* @info, if frames like it can be bound by rows; NULL if they have several planes. */
const GpuFrameInfo *gpu_row_binding_frame (const GpuFrameInfo * info);

/* Whether one of @buffers, by binding, that has rows has more bytes than @limit. */
gboolean gpu_row_binding_needs_parts (const GpuRowBinding * rows,
    GpuBuffer * const *buffers, gsize limit);

/* Items of a dispatch at most, a multiple of 256, so that no part has more bytes than
 * @limit. */
guint gpu_row_binding_get_most (const GpuRowBinding * rows, gsize limit);

/* First row of pixels of the parts for items from @first on. */
guint gpu_row_binding_get_first (const GpuRowBinding * rows, guint first);

/* Sets @parts, by binding, to what a dispatch over @range, which is not empty, is bound
 * to: of @buffers with rows, the rows that it looks at, from
 * gpu_row_binding_get_first() on; other buffers as they are; NULL where @buffers have
 * NULL. The part of a frame begins at the last multiple of GPU_BUFFER_PART_ALIGNMENT
 * before its first row. The caller unrefs @parts. FALSE with @error set (TOO_LARGE), and
 * no references, where @limit bytes hold too few rows. */
gboolean gpu_row_binding_take (const GpuRowBinding * rows,
    GpuBuffer * const *buffers, const GpuItemRange * range, gsize limit,
    GpuBuffer ** parts, GError ** error);

G_END_DECLS
