/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Binding by rows. If a buffer with one or more words per pixel is larger than the
 * device can bind, each dispatch binds only the rows of pixels that it accesses. */
#pragma once

#include "gpu/core/frame/frame.h"

G_BEGIN_DECLS

/* Describes which rows of pixels the items of a kernel access, and in which buffers.
 * Items are also arranged in rows; a row of items covers @step rows of pixels. */
typedef struct
{
  guint width, height;          /* size in pixels; width 0: no binding by rows */
  guint items;                  /* items per row of items */
  guint step;                   /* rows of pixels per row of items */
  guint halo;                   /* rows of pixels that are also read above and below */
  guint arrays;                 /* bit i is set: binding i is an array by pixel
                                   (PIXELS_ROW_WORDS) */
  const GpuFrameInfo *frames[2];        /* bindings 0 and 1: frames with one plane;
                                           NULL: the buffer is bound as a whole */
} GpuRowBinding;

/* The items from @first to @end - 1. */
typedef struct
{
  guint first, end;
} GpuItemRange;

/* Returns the binding for arrays of @n words in which each item accesses @per_item words,
 * a multiple of 4. @arrays: see GpuRowBinding. */
GpuRowBinding gpu_row_binding_of_array (guint n, guint per_item,
    guint arrays);

/* Returns @info if its format has one plane and so can be bound by rows, else NULL. */
const GpuFrameInfo *gpu_row_binding_frame (const GpuFrameInfo * info);

/* Returns whether a buffer that is bound by rows is larger than @limit bytes. @buffers:
 * GPU_MAX_BINDINGS entries, indexed by binding. */
gboolean gpu_row_binding_needs_parts (const GpuRowBinding * rows,
    GpuBuffer * const *buffers, gsize limit);

/* Returns the maximum number of items of a dispatch, a multiple of 256, for which no
 * part is larger than @limit bytes. */
guint gpu_row_binding_get_most (const GpuRowBinding * rows, gsize limit);

/* Returns the first bound row of pixels for a dispatch that begins at item @first. */
guint gpu_row_binding_get_first (const GpuRowBinding * rows, guint first);

/* Fills in @parts, indexed by binding, with the buffers to bind for a dispatch over
 * @range, which must not be empty. For a buffer bound by rows, this is a part with the
 * accessed rows, beginning at gpu_row_binding_get_first(). Other buffers are bound as a
 * whole; NULL stays NULL. The part of a frame begins at its first bound row, rounded
 * down to GPU_BUFFER_PART_ALIGNMENT. The caller unrefs @parts. Returns FALSE with @error
 * set, and no references, if too few rows fit into @limit bytes (TOO_LARGE), or as
 * gpu_buffer_new_part(). */
gboolean gpu_row_binding_take (const GpuRowBinding * rows,
    GpuBuffer * const *buffers, const GpuItemRange * range, gsize limit,
    GpuBuffer ** parts, GError ** error);

G_END_DECLS
