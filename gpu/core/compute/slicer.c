/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "slicer.h"
#include "gpu/core/rounding.h"
#include "shaders/core/pixels/format.h"
#include "shaders/core/slices.h"

#include <string.h>

/* --- pieces --- */

gboolean
gpu_pieces_next (GpuPieces * pieces, GpuStream * stream)
{
  guint64 left = pieces->n - pieces->end, items, units;

  if (left == 0) {
    if (pieces->n > 0 && !pieces->is_in_place)
      gpu_stream_end_disjoint (stream);
    return FALSE;
  }
  if (pieces->end == 0 && !pieces->is_in_place)
    gpu_stream_begin_disjoint (stream);
  units = gpu_stream_get_dispatch_units (stream, pieces->work);
  items = CLAMP (units / pieces->units / pieces->step, 1, pieces->most)
      * pieces->step;
  items = MIN (items, left);
  gpu_stream_pace (stream, pieces->work, items * pieces->units);
  if (!gpu_stream_check (stream, NULL))
    return FALSE;
  pieces->first = pieces->end;
  pieces->end += items;
  return TRUE;
}

/* --- rows --- */

/* Parts begin at multiples of this number of rows. Strides are whole words, so such an
 * offset is always a multiple of GPU_BUFFER_PART_ALIGNMENT. */
#define UNIT (GPU_BUFFER_PART_ALIGNMENT / 4)

GpuRowBinding
gpu_row_binding_of_array (guint n, guint per_item, guint arrays)
{
  return (GpuRowBinding) {
    .width = per_item,
    .height = (n - 1) / per_item + 1,
    .items = 1,
    .step = 1,
    .arrays = arrays,
  };
}

const GpuFrameInfo *
gpu_row_binding_frame (const GpuFrameInfo * info)
{
  return gpu_pixels_get_format (info->pixels)->n_planes == 1 ? info : NULL;
}

/* Returns the distance between rows of an array by pixel, in bytes. */
static gsize
array_stride (const GpuRowBinding * rows)
{
  return PIXELS_ROW_WORDS ((gsize) rows->width) * sizeof (guint32);
}

/* Offset of the first row and distance between rows, in bytes. */
typedef struct
{
  gsize offset, stride;
} Layout;

/* Returns FALSE if the binding is not bound by rows. */
static gboolean
get_layout (const GpuRowBinding * rows, guint binding, Layout * layout)
{
  const GpuFrameInfo *frame = binding < G_N_ELEMENTS (rows->frames)
      ? rows->frames[binding] : NULL;

  if (rows->arrays >> binding & 1) {
    layout->offset = 0;
    layout->stride = array_stride (rows);
    return TRUE;
  }
  if (!frame)
    return FALSE;
  layout->offset = frame->offset[0];
  layout->stride = frame->stride[0];
  return TRUE;
}

/* Returns the maximum number of items of a dispatch, a multiple of 256, for which no part is
 * larger than @limit bytes. */
static guint
get_most_items (const GpuRowBinding * rows, gsize limit)
{
  gsize around = UNIT + 1 + 2 * rows->halo;
  gsize stride = array_stride (rows), n_rows;
  guint64 items;

  for (guint i = 0; i < G_N_ELEMENTS (rows->frames); i++)
    if (rows->frames[i])
      stride = MAX (stride, rows->frames[i]->stride[0]);
  n_rows = limit / stride;
  /* A dispatch may cover only a part of its first and last rows of items. */
  items = n_rows > around + rows->step
      ? ((n_rows - around) / rows->step - 1) * (guint64) rows->items : 0;
  return CLAMP (items, 256, G_MAXINT) & ~255u;
}

/* Returns the first bound row of pixels for a dispatch that begins at item @first. */
static guint
get_first_row (const GpuRowBinding * rows, guint first)
{
  guint64 row = (guint64) (first / rows->items) * rows->step;

  return row > rows->halo ? (row - rows->halo) / UNIT * UNIT : 0;
}

static guint
get_end_row (const GpuRowBinding * rows, guint end)
{
  guint64 row = ((guint64) (end - 1) / rows->items + 1) * rows->step;

  return MIN (row + rows->halo, rows->height);
}

static GpuBuffer *
take_part (GpuBuffer * buffer, const Layout * layout, guint first, guint end,
    gsize limit, GError ** error)
{
  gsize skipped = layout->offset / GPU_BUFFER_PART_ALIGNMENT
      * GPU_BUFFER_PART_ALIGNMENT;
  gsize from = skipped + first * layout->stride;
  gsize to = MIN (layout->offset + end * layout->stride,
      gpu_buffer_get_size (buffer));

  if (to - from <= limit)
    return gpu_buffer_new_part (buffer, from, to - from, error);
  g_set_error (error, GPU_ERROR, GPU_ERROR_TOO_LARGE,
      "rows of %" G_GSIZE_FORMAT " bytes are too long for a device that binds "
      "at most %" G_GSIZE_FORMAT "; use smaller frames or another device",
      layout->stride, limit);
  return NULL;
}

/* Fills in @parts, indexed by binding, with the buffers to bind for a dispatch over @range,
 * which must not be empty: of a buffer bound by rows, the accessed rows, from get_first_row()
 * on; others as a whole; NULL stays NULL. The part of a frame begins at its first bound row,
 * rounded down to GPU_BUFFER_PART_ALIGNMENT. The caller unrefs @parts. Returns FALSE with @error
 * set, and no references, if too few rows fit into @limit bytes (TOO_LARGE), or as
 * gpu_buffer_new_part(). */
static gboolean
take_parts (const GpuRowBinding * rows, GpuBuffer * const *buffers,
    const GpuItemRange * range, gsize limit, GpuBuffer ** parts,
    GError ** error)
{
  guint first_row = get_first_row (rows, range->first);
  guint end_row = get_end_row (rows, range->end);
  Layout layout;

  for (guint i = 0; i < GPU_MAX_BINDINGS; i++) {
    parts[i] = NULL;
    if (!buffers[i])
      continue;
    parts[i] = get_layout (rows, i, &layout)
        ? take_part (buffers[i], &layout, first_row, end_row, limit, error)
        : gpu_buffer_ref (buffers[i]);
    if (!parts[i]) {
      while (i > 0)
        g_clear_pointer (&parts[--i], gpu_buffer_unref);
      return FALSE;
    }
  }
  return TRUE;
}

/* --- slices --- */

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
  Layout layout;

  for (guint i = 0; rows->width > 0 && i < GPU_MAX_BINDINGS; i++)
    if (buffers[i] && get_layout (rows, i, &layout)
        && gpu_buffer_get_size (buffers[i]) > part_limit (slicer))
      return TRUE;
  return FALSE;
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
  slice->push[2] = get_first_row (rows, range->first);
  slice->owns_buffers = take_parts (rows, dispatch->buffers, range,
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
      ? get_most_items (rows, part_limit (slicer))
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
    slice = MIN (slice, get_most_items (rows, part_limit (slicer)));
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
    if (!gpu_stream_check (slicer->stream, NULL))
      return;
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
