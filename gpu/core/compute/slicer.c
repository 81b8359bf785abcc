/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "slicer.h"
#include "pieces.h"
#include "shaders/core/slices.h"
#include "gpu/core/rounding.h"

#include <string.h>

#define GROUP 256

/* A GPU is taken to be at least this many times as fast as two CPU cores. */
#define GPU_SPEED 16

/* Estimated time to fill a word, on two CPU cores. */
#define NS_PER_WORD 2

static GpuDevice *
device_of (const GpuSlicer * slicer)
{
  return gpu_stream_get_device (slicer->stream);
}

/* Converts @ns on two CPU cores to ns on the device. */
static gdouble
ns_on_device (const GpuSlicer * slicer, gdouble ns)
{
  return gpu_device_is_slow (device_of (slicer)) ? ns : ns / GPU_SPEED;
}

/* --- slices --- */

/* Returns the maximum number of items per dispatch. */
static guint
most_items (const GpuSlicer * slicer)
{
  guint64 most =
      (guint64) gpu_device_get_info (device_of (slicer))->max_groups[0] * GROUP;

  return MIN (most, G_MAXUINT32 & ~(GROUP - 1));
}

/* Returns the slices of @n items, with at most @most items per slice. */
static GpuPieces
pieces_of (const GpuSlicer * slicer, const GpuCost * cost, guint n, guint most)
{
  guint slice = slicer->slice ? MIN (slicer->slice, most) : GROUP;

  return (GpuPieces) {
    .cost = *cost,
    .units = 1,
    .n = n,
    .step = slice,
    .most = slicer->slice ? 1 : MAX (MIN (most_items (slicer), most) / GROUP,
        1),
    .is_in_place = slicer->is_in_place,
  };
}

/* --- rows --- */

/* Returns the maximum size of a binding in bytes. */
static gsize
part_limit (const GpuSlicer * slicer)
{
  return slicer->max_part ? slicer->max_part
      : gpu_device_get_info (device_of (slicer))->max_binding;
}

gboolean
gpu_slicer_binds_parts (const GpuSlicer * slicer, const GpuRowBinding * rows,
    GpuBuffer * const *buffers)
{
  return rows->width > 0
      && gpu_row_binding_needs_parts (rows, buffers, part_limit (slicer));
}

/* The dispatch of one slice, with its own push constants. Buffers that are bound by
 * rows are replaced with parts. */
typedef struct
{
  GpuDispatch dispatch;
  guint32 push[GPU_MAX_PUSH / 4];
  gboolean owns_buffers;
} Slice;

static gboolean
begin_slice (const GpuSlicer * slicer, const GpuDispatch * dispatch,
    const GpuRowBinding * rows, const GpuItemRange * range, Slice * slice,
    GError ** error)
{
  *slice = (Slice) {.dispatch = *dispatch};
  slice->dispatch.push = slice->push;
  if (dispatch->push)
    memcpy (slice->push, dispatch->push,
        gpu_kernel_get_push_size (dispatch->kernel));
  slice->push[0] = range->first;
  slice->push[1] = range->end;
  if (rows->width == 0)
    return TRUE;
  slice->push[2] = 0;
  if (!gpu_slicer_binds_parts (slicer, rows, dispatch->buffers))
    return TRUE;
  slice->push[2] = gpu_row_binding_get_first (rows, range->first);
  slice->owns_buffers = gpu_row_binding_take (rows, dispatch->buffers, range,
      part_limit (slicer), slice->dispatch.buffers, error);
  return slice->owns_buffers;
}

static void
end_slice (Slice * slice)
{
  for (guint i = 0; slice->owns_buffers && i < GPU_MAX_BINDINGS; i++)
    g_clear_pointer (&slice->dispatch.buffers[i], gpu_buffer_unref);
}

/* --- dispatches --- */

gboolean
gpu_slicer_run_over_rows (const GpuSlicer * slicer,
    const GpuDispatch * dispatch, const GpuRowBinding * rows, guint n,
    guint ns, GError ** error)
{
  const GpuCost cost = { dispatch->kernel, ns_on_device (slicer, ns) };
  guint most = gpu_slicer_binds_parts (slicer, rows, dispatch->buffers)
      ? gpu_row_binding_get_most (rows, part_limit (slicer))
      : most_items (slicer);
  GpuPieces pieces = pieces_of (slicer, &cost, n, most);
  Slice slice;

  while (gpu_pieces_next (&pieces, slicer->stream, error)) {
    const GpuItemRange range = { pieces.first, pieces.end };

    if (!begin_slice (slicer, dispatch, rows, &range, &slice, error))
      return FALSE;
    gpu_stream_dispatch (slicer->stream, &slice.dispatch,
        DIV_UP (range.end - range.first, GROUP), 1, 1);
    end_slice (&slice);
  }
  return gpu_pieces_are_done (&pieces);
}

gboolean
gpu_slicer_run (const GpuSlicer * slicer, const GpuDispatch * dispatch,
    guint n, guint ns, GError ** error)
{
  const GpuRowBinding none = { 0 };

  return gpu_slicer_run_over_rows (slicer, dispatch, &none, n, ns, error);
}

/* Paces the next command and sets it up to be measured; records nothing itself. */
static gboolean
pace (const GpuSlicer * slicer, const GpuCost * cost, guint64 units,
    GError ** error)
{
  if (!gpu_stream_pace (slicer->stream, cost, units, error))
    return FALSE;
  if (cost->key && units > 0)
    gpu_stream_measure (slicer->stream, cost, units);
  return TRUE;
}

gboolean
gpu_slicer_run_group (const GpuSlicer * slicer, const GpuDispatch * dispatch,
    guint64 n, guint ns, GError ** error)
{
  const GpuCost cost = { dispatch->kernel, ns_on_device (slicer, ns) };

  if (!pace (slicer, &cost, n, error))
    return FALSE;
  gpu_stream_dispatch (slicer->stream, dispatch, 1, 1, 1);
  return TRUE;
}

/* --- indirect --- */

static GpuCost
cost_of_item (const GpuSlicer * slicer, const GpuSlicerItems * items)
{
  return (GpuCost) {
    items->key, ns_on_device (slicer, items->ns), items->is_by_data,
  };
}

void
gpu_slicer_choose_slice (const GpuSlicer * slicer, GpuSlicerItems * items)
{
  const GpuCost cost = cost_of_item (slicer, items);
  const GpuRowBinding *rows = &items->rows;
  guint64 paced = gpu_stream_get_dispatch_units (slicer->stream, &cost);
  guint slice = CLAMP (paced / GROUP, 1, most_items (slicer) / GROUP) * GROUP;

  if (slicer->slice)
    slice = slicer->slice;
  if ((gsize) rows->width * rows->height * 4 > part_limit (slicer))
    slice = MIN (slice, gpu_row_binding_get_most (rows, part_limit (slicer)));
  items->slice =
      MAX (slice, (items->most / MAX_SLICES + GROUP) & ~(GROUP - 1u));
}

gboolean
gpu_slicer_run_indirect (const GpuSlicer * slicer,
    const GpuDispatch * dispatch, const GpuSlicerItems * items,
    GpuSlicerGroups groups, GError ** error)
{
  const GpuCost cost = cost_of_item (slicer, items);
  GpuItemRange range;
  Slice slice;

  gpu_stream_begin_disjoint (slicer->stream);
  for (range.first = 0; range.first < items->most; range.first = range.end) {
    guint paced;

    range.end = MIN (items->most - range.first, items->slice) + range.first;
    paced = CLAMP (items->bound, range.first, range.end) - range.first;
    if (!pace (slicer, &cost, paced, error)
        || !begin_slice (slicer, dispatch, &items->rows, &range, &slice, error))
      return FALSE;
    gpu_stream_dispatch_indirect (slicer->stream, &slice.dispatch,
        groups.buffer, groups.offset);
    end_slice (&slice);
    groups.offset += 3 * sizeof (guint32);
  }
  gpu_stream_end_disjoint (slicer->stream);
  return TRUE;
}

/* --- fills --- */

gboolean
gpu_slicer_fill (const GpuSlicer * slicer, GpuBuffer * buffer, gsize size,
    guint32 word, GError ** error)
{
  GpuPieces pieces = {
    .cost = {"fill", ns_on_device (slicer, NS_PER_WORD)},
    .units = 1,
    .n = size / 4,
    .step = 1,
    .most = G_MAXUINT64,
  };

  while (gpu_pieces_next (&pieces, slicer->stream, error))
    gpu_stream_fill (slicer->stream, buffer, pieces.first * 4,
        (pieces.end - pieces.first) * 4, word);
  return gpu_pieces_are_done (&pieces);
}
