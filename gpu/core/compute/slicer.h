/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Dispatches over many items, 256 to a workgroup, in slices that are short enough for
 * the pacer and bound to no more of a buffer than a device can bind. */
#pragma once

#include "rowbinding.h"

G_BEGIN_DECLS

typedef struct
{
  GpuStream *stream;            /* recording; not owned */
  /* What tests force; 0 otherwise. */
  guint slice;                  /* items of a dispatch, a multiple of 256; 0: as many
                                   as the pacer has time for */
  gsize max_part;               /* bytes of a buffer that is bound by rows; 0: what the
                                   device can bind */
} GpuSlicer;

/* What an item takes is stated in ns on two cores of a CPU that have nothing else to
 * do, until timings tell more; GPUs are taken to be so many times as fast. All
 * functions below fail as gpu_stream_pace() does. */

/* Records @dispatch over items 0…@n-1, of @ns each, and submits where that becomes too
 * much. The first two words of its push constants become the slice's first item, a
 * multiple of 256, and its end. */
gboolean gpu_slicer_run (const GpuSlicer * slicer, const GpuDispatch * dispatch,
    guint n, guint ns, GError ** error);

/* The same, of items that look at @rows; the third word becomes the first row that is
 * bound. Also fails as gpu_row_binding_take() does. */
gboolean gpu_slicer_run_over_rows (const GpuSlicer * slicer,
    const GpuDispatch * dispatch, const GpuRowBinding * rows, guint n,
    guint ns, GError ** error);

/* Whether @rows of @buffers, by binding, have to be bound in parts. */
gboolean gpu_slicer_binds_parts (const GpuSlicer * slicer,
    const GpuRowBinding * rows, GpuBuffer * const *buffers);

/* Records one workgroup of @dispatch, which goes over @n items or so, of @ns each. */
gboolean gpu_slicer_run_group (const GpuSlicer * slicer,
    const GpuDispatch * dispatch, guint64 n, guint ns, GError ** error);

/* Items of indirect dispatches, of which the device alone knows how many there are. */
typedef struct
{
  guint most;                   /* items there can be */
  guint slice;                  /* items of a dispatch: gpu_slicer_choose_slice() */
  guint ns;                     /* of an item, as above */
  guint bound;                  /* items that the pacer is told of */
  gconstpointer key;            /* of GpuCost; NULL: dispatches teach the pacer nothing */
  gboolean is_by_data;          /* of GpuCost */
  GpuRowBinding rows;           /* that items look at; zeroed: none */
} GpuSlicerItems;

/* Where the device wrote how many workgroups each slice has, three words a slice. */
typedef struct
{
  GpuBuffer *buffer;
  gsize offset;                 /* bytes */
} GpuSlicerGroups;

/* Sets @items->slice by the rest of @items: a multiple of 256, so large that there are
 * no more than MAX_SLICES (shaders/core/slices.h). */
void gpu_slicer_choose_slice (const GpuSlicer * slicer, GpuSlicerItems * items);

/* As gpu_slicer_run(), or gpu_slicer_run_over_rows() if @items have rows: the number of
 * each slice's workgroups is read from @groups. */
gboolean gpu_slicer_run_indirect (const GpuSlicer * slicer,
    const GpuDispatch * dispatch, const GpuSlicerItems * items,
    GpuSlicerGroups groups, GError ** error);

/* Records fills of the first @size bytes of @buffer with @word, in slices. */
gboolean gpu_slicer_fill (const GpuSlicer * slicer, GpuBuffer * buffer,
    gsize size, guint32 word, GError ** error);

G_END_DECLS
