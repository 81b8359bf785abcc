/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "slicer.h"
#include "pieces.h"
#include "shaders/core/slices.h"
#include "gpu/core/rounding.h"

#include <string.h>

#define GROUP 256

/* Units of work of an item, if the caller does not say how many. */
#define ITEM_UNITS 4

/* On slow devices a slice of an indirect dispatch has at most so many times the units of a
 * first dispatch of unknown work, whatever was measured: the host does not know how many of
 * the items there were. */
#define MOST_OF_FIRST 5

static GpuDevice *
device_of (const GpuSlicer * slicer)
{
  return gpu_stream_get_device (slicer->stream);
}

static guint
count_units (guint given)
{
  return given > 0 ? given : ITEM_UNITS;
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
pieces_of (const GpuSlicer * slicer, gconstpointer work, guint n, guint most)
{
  guint slice = slicer->slice ? MIN (slicer->slice, most) : GROUP;

  return (GpuPieces) {
    .work = work,
    .units = count_units (slicer->units),
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

static void
begin_slice (const GpuSlicer * slicer, const GpuDispatch * dispatch,
    const GpuRowBinding * rows, const GpuItemRange * range, Slice * slice)
{
  GError *error = NULL;

  *slice = (Slice) {.dispatch = *dispatch};
  slice->dispatch.push = slice->push;
  if (dispatch->push)
    memcpy (slice->push, dispatch->push,
        gpu_kernel_get_push_size (dispatch->kernel));
  slice->push[0] = range->first;
  slice->push[1] = range->end;
  if (rows->width == 0)
    return;
  slice->push[2] = 0;
  if (!gpu_slicer_binds_parts (slicer, rows, dispatch->buffers))
    return;
  slice->push[2] = gpu_row_binding_get_first (rows, range->first);
  slice->owns_buffers = gpu_row_binding_take (rows, dispatch->buffers, range,
      part_limit (slicer), slice->dispatch.buffers, &error);
  if (error)
    gpu_stream_fail (slicer->stream, error);
}

static void
end_slice (Slice * slice)
{
  for (guint i = 0; slice->owns_buffers && i < GPU_MAX_BINDINGS; i++)
    g_clear_pointer (&slice->dispatch.buffers[i], gpu_buffer_unref);
}

/* --- dispatches --- */

void
gpu_slicer_run_over_rows (const GpuSlicer * slicer,
    const GpuDispatch * dispatch, const GpuRowBinding * rows, guint n)
{
  guint most = gpu_slicer_binds_parts (slicer, rows, dispatch->buffers)
      ? gpu_row_binding_get_most (rows, part_limit (slicer))
      : most_items (slicer);
  GpuPieces pieces = pieces_of (slicer, dispatch->kernel, n, most);
  Slice slice;

  while (gpu_pieces_next (&pieces, slicer->stream)) {
    const GpuItemRange range = { pieces.first, pieces.end };

    begin_slice (slicer, dispatch, rows, &range, &slice);
    gpu_stream_dispatch (slicer->stream, &slice.dispatch,
        DIV_UP (range.end - range.first, GROUP), 1, 1);
    end_slice (&slice);
  }
}

void
gpu_slicer_run (const GpuSlicer * slicer, const GpuDispatch * dispatch, guint n)
{
  const GpuRowBinding none = { 0 };

  gpu_slicer_run_over_rows (slicer, dispatch, &none, n);
}

void
gpu_slicer_run_group (const GpuSlicer * slicer, const GpuDispatch * dispatch,
    guint64 n)
{
  gpu_stream_pace (slicer->stream, dispatch->kernel, n);
  gpu_stream_dispatch (slicer->stream, dispatch, 1, 1, 1);
}

/* --- indirect --- */

static guint64
count_slice_units (const GpuSlicer * slicer, gconstpointer work)
{
  guint64 units = gpu_stream_get_dispatch_units (slicer->stream, work);
  guint64 most =
      MOST_OF_FIRST * gpu_stream_get_dispatch_units (slicer->stream, NULL);

  if (!gpu_device_is_slow (device_of (slicer)))
    return units;
  return work ? MIN (units, most) : most;
}

void
gpu_slicer_choose_slice (const GpuSlicer * slicer, GpuSlicerItems * items)
{
  const GpuRowBinding *rows = &items->rows;
  guint64 paced =
      count_slice_units (slicer, items->work) / count_units (items->units);
  guint slice = CLAMP (paced / GROUP, 1, most_items (slicer) / GROUP) * GROUP;

  if (slicer->slice)
    slice = slicer->slice;
  if ((gsize) rows->width * rows->height * 4 > part_limit (slicer))
    slice = MIN (slice, gpu_row_binding_get_most (rows, part_limit (slicer)));
  items->slice =
      MAX (slice, (items->most / MAX_SLICES + GROUP) & ~(GROUP - 1u));
}

void
gpu_slicer_run_indirect (const GpuSlicer * slicer,
    const GpuDispatch * dispatch, const GpuSlicerItems * items,
    GpuSlicerGroups groups)
{
  GpuItemRange range;
  Slice slice;

  gpu_stream_begin_disjoint (slicer->stream);
  for (range.first = 0; range.first < items->most; range.first = range.end) {
    guint64 paced;

    range.end = MIN (items->most - range.first, items->slice) + range.first;
    paced = CLAMP (items->bound, range.first, range.end) - range.first;
    paced *= count_units (items->units);
    gpu_stream_pace (slicer->stream, items->work, paced);
    begin_slice (slicer, dispatch, &items->rows, &range, &slice);
    gpu_stream_dispatch_indirect (slicer->stream, &slice.dispatch,
        groups.buffer, groups.offset);
    end_slice (&slice);
    groups.offset += 3 * sizeof (guint32);
  }
  gpu_stream_end_disjoint (slicer->stream);
}

/* --- fills --- */

/* Bytes of a unit of work. Devices fill memory far faster than they run kernels. */
#define FILL_BYTES 256

void
gpu_slicer_fill (const GpuSlicer * slicer, GpuBuffer * buffer, gsize size,
    guint32 word)
{
  GpuPieces pieces = {
    .work = "fill",
    .units = 1,
    .n = DIV_UP (size, FILL_BYTES),
    .step = 1,
    .most = G_MAXUINT64,
  };

  while (gpu_pieces_next (&pieces, slicer->stream)) {
    const gsize begin = pieces.first * FILL_BYTES;

    gpu_stream_fill (slicer->stream, buffer, begin,
        MIN (pieces.end * FILL_BYTES, size) - begin, word);
  }
}
