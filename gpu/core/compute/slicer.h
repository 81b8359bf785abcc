/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Splits dispatches over many items, 256 per workgroup, into slices. A slice is short
 * enough for the pacer and binds no more of a buffer than the device can bind. */
#pragma once

#include "gpu/core/stream/stream.h"
#include "rowbinding.h"

G_BEGIN_DECLS

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
 * constants is set to the first bound row. If they cannot be bound
 * (gpu_row_binding_take()), gpu_stream_submit() fails. */
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
