/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rowbinding.h"
#include "shaders/core/pixels/constants.h"

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

gboolean
gpu_row_binding_needs_parts (const GpuRowBinding * rows,
    GpuBuffer * const *buffers, gsize limit)
{
  Layout layout;

  for (guint i = 0; i < GPU_MAX_BINDINGS; i++)
    if (buffers[i] && get_layout (rows, i, &layout)
        && gpu_buffer_get_size (buffers[i]) > limit)
      return TRUE;
  return FALSE;
}

guint
gpu_row_binding_get_most (const GpuRowBinding * rows, gsize limit)
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

guint
gpu_row_binding_get_first (const GpuRowBinding * rows, guint first)
{
  guint64 row = (guint64) (first / rows->items) * rows->step;

  return row > rows->halo ? (row - rows->halo) / UNIT * UNIT : 0;
}

static guint
get_end (const GpuRowBinding * rows, guint end)
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

gboolean
gpu_row_binding_take (const GpuRowBinding * rows, GpuBuffer * const *buffers,
    const GpuItemRange * range, gsize limit, GpuBuffer ** parts,
    GError ** error)
{
  guint first_row = gpu_row_binding_get_first (rows, range->first);
  guint end_row = get_end (rows, range->end);
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
