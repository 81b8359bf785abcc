/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Splits work into dispatches, fills and copies that are short enough for the pacer
 * (gpu/core/stream/pacer.h), and bind no more of a buffer than the device can bind. */
#pragma once

#include "gpu/core/frame/frame.h"
#include "gpu/core/stream/stream.h"

G_BEGIN_DECLS

/* --- pieces: one dispatch, fill or copy each --- */

/* The caller sets all members but @first and @end, which start at 0. */
typedef struct
{
  gconstpointer work;           /* kind of work, see gpu_stream_get_dispatch_units() */
  guint64 units;                /* units of work per item, > 0 */
  guint64 n;                    /* total number of items */
  guint64 step;                 /* > 0; the size of every piece but the last is a
                                   multiple of this number of items */
  guint64 most;                 /* maximum size of a piece, in steps, > 0 */
  gboolean is_in_place;         /* pieces read and write the same buffer, in different words: a
                                   barrier comes between them, as validation knows ranges of
                                   buffers only */
  guint64 first, end;           /* current piece: items @first to @end - 1 */
} GpuPieces;

/* Moves to the next piece. Pieces are disjoint (gpu_stream_begin_disjoint()), unless they are
 * in place. If the current submission has no time left for the piece, submits @stream, waits,
 * and begins a new submission (gpu_stream_pace()). The caller then records the piece as one
 * dispatch, fill or copy, which is measured. Returns FALSE after the last piece, or when the
 * recording has failed.
 *
 *   while (gpu_pieces_next (&pieces, stream))
 *     gpu_stream_dispatch (stream, ...);
 */
gboolean gpu_pieces_next (GpuPieces * pieces, GpuStream * stream);

/* --- rows ---
 *
 * If a buffer with one or more words per pixel is larger than the device can bind, each dispatch
 * binds only the rows of pixels that it accesses. */

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

/* --- slices: dispatches over many items, 256 per workgroup --- */

typedef struct
{
  GpuStream *stream;            /* recording; not owned */
  /* Set by tests only; otherwise 0. */
  guint slice;                  /* items per dispatch, a multiple of 256; 0: as many as
                                   the pacer allows */
  gsize max_part;               /* maximum size of a part in bytes; 0: the maximum that
                                   the device can bind */

  guint units;                  /* of work per item (gpu_stream_get_dispatch_units());
                                   0: a few, as for a pixel or a colour */
  gboolean is_in_place;         /* see GpuPieces */
} GpuSlicer;

/* Records @dispatch over items 0 to @n - 1, and submits whenever the submission would
 * become too long. The first two words of the push constants are set to the first item
 * of the slice, a multiple of 256, and to its end (exclusive). */
void gpu_slicer_run (const GpuSlicer * slicer, const GpuDispatch * dispatch,
    guint n);

/* Like gpu_slicer_run(), for items that access @rows. The third word of the push
 * constants is set to the first bound row. If too few rows fit into a binding,
 * gpu_stream_submit() fails (TOO_LARGE). */
void gpu_slicer_run_over_rows (const GpuSlicer * slicer,
    const GpuDispatch * dispatch, const GpuRowBinding * rows, guint n);

/* Returns whether @buffers, indexed by binding, must be bound in parts. */
gboolean gpu_slicer_binds_parts (const GpuSlicer * slicer,
    const GpuRowBinding * rows, GpuBuffer * const *buffers);

/* Records one workgroup of @dispatch. @n is the approximate number of units of work that it
 * does. Its push constants stay as they are. */
void gpu_slicer_run_group (const GpuSlicer * slicer,
    const GpuDispatch * dispatch, guint64 n);

/* The items of an indirect dispatch. The host does not know their number. */
typedef struct
{
  guint most;                   /* maximum number of items */
  guint slice;                  /* items per dispatch, see gpu_slicer_choose_slice() */
  guint bound;                  /* number of items that the pacer plans with */
  gconstpointer work;           /* kind of work, see gpu_stream_get_dispatch_units() */
  guint units;                  /* of that work per item; 0: a few, as above */
  GpuRowBinding rows;           /* rows that the items access; zeroed: none */
} GpuSlicerItems;

/* The workgroup counts that the device wrote: three words per slice. */
typedef struct
{
  GpuBuffer *buffer;
  gsize offset;                 /* bytes */
} GpuSlicerGroups;

/* Sets @items->slice from the other members of @items: a multiple of 256, large enough
 * that there are at most MAX_SLICES slices (shaders/core/slices.h). If @items->work is NULL,
 * the slice does not depend on what was learned. */
void gpu_slicer_choose_slice (const GpuSlicer * slicer, GpuSlicerItems * items);

/* Like gpu_slicer_run(), or gpu_slicer_run_over_rows() if @items has rows, but the device
 * reads the workgroup counts of each slice from @groups. */
void gpu_slicer_run_indirect (const GpuSlicer * slicer,
    const GpuDispatch * dispatch, const GpuSlicerItems * items,
    GpuSlicerGroups groups);

/* Fills the first @size bytes of @buffer with @word, in slices. */
void gpu_slicer_fill (const GpuSlicer * slicer, GpuBuffer * buffer,
    gsize size, guint32 word);

G_END_DECLS
