/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pixels.h"
#include "components.h"

#include <string.h>
#include <sys/types.h>          /* uint, as in GLSL */

typedef struct
{
  PIXELS_PUSH (uint)
} Push;

gboolean
gpu_pixels_are_supported (GpuPixels pixels)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (pixels);

  if (format->sample != SAMPLE_BYTE || format->grouping != GPU_SINGLE)
    return FALSE;
  return format->model == GPU_MODEL_YUV
      ? gpu_pixel_format_has_fewer_rows (format) && format->cb < format->cr
      && format->alpha < 0 : format->n_planes == 1;
}

void
gpu_pixels_get_constants (GpuDevice * device, GpuPixels in, GpuPixels out,
    const GpuYuv * yuv, guint32 * constants)
{
  gpu_components_get_constants (in, out, 0, constants);
  gpu_yuv_get_constants (yuv, 8, constants + FORMAT_YUV);
  constants[FORMAT_VECTORS] = !gpu_device_is_slow (device);
}

/* Sets offsets and strides in words. @is_part: the buffer is bound from its first bound
 * row on, rounded down to GPU_BUFFER_PART_ALIGNMENT. */
static void
fill_planes (const GpuFrameInfo * info, gboolean is_part, guint32 * offset,
    guint32 * stride)
{
  for (guint i = 0; i < PIXELS_PLANES; i++) {
    offset[i] = info->offset[i] / 4;
    stride[i] = info->stride[i] / 4;
  }
  if (is_part && gpu_row_binding_frame (info))
    offset[0] %= GPU_BUFFER_PART_ALIGNMENT / 4;
}

static Push
push_of (const GpuPixelsBound * pixels, gboolean are_parts)
{
  const GpuFrameInfo *in = pixels->in;
  Push push = {
    .width = in->width,
    .height = in->height,
    .least_alpha = pixels->least_alpha,
    .is_interlaced = in->is_interlaced,
  };

  fill_planes (in, are_parts, push.in_offset, push.in_stride);
  if (pixels->out)
    fill_planes (pixels->out, are_parts, push.out_offset, push.out_stride);
  return push;
}

/* Returns the row binding without its items and step, which the caller sets. */
static GpuRowBinding
rows_of (const GpuPixelsBound * pixels)
{
  const GpuFrameInfo *out = pixels->out;

  return (GpuRowBinding) {
    .width = pixels->in->width,
    .height = pixels->in->height,
    .arrays = pixels->arrays,
    .halo = pixels->halo,
    .frames = {
      gpu_row_binding_frame (pixels->in),
      out ? gpu_row_binding_frame (out) : NULL,
    },
  };
}

/* @n_rows: of items. They may exceed height / step, because each of two fields has its own
 * last row. */
static void
run_over_items (const GpuSlicer * slicer, const GpuDispatch * dispatch,
    const GpuPixelsBound * pixels, const GpuRowBinding * rows, guint n_rows)
{
  const Push push = push_of (pixels, gpu_slicer_binds_parts (slicer, rows,
          dispatch->buffers));
  guint32 words[GPU_MAX_PUSH / 4] = { 0 };
  GpuDispatch with_push = *dispatch;

  if (dispatch->push)
    memcpy (words, dispatch->push, gpu_kernel_get_push_size (dispatch->kernel));
  memcpy (words, &push, sizeof push);
  with_push.push = words;
  gpu_slicer_run_over_rows (slicer, &with_push, rows, rows->items * n_rows);
}

/* An item is four pixels of a row. If the output is subsampled, an item is eight columns
 * of two rows and also reads up to three rows above and below them, because the rows of
 * two fields alternate. */
void
gpu_pixels_run (const GpuSlicer * slicer, const GpuDispatch * dispatch,
    const GpuPixelsBound * pixels)
{
  const GpuFrameInfo *out = pixels->out;
  GpuRowBinding rows = rows_of (pixels);
  guint n_rows = rows.height;

  rows.items = (rows.width + 3) / 4;
  rows.step = 1;
  if (out
      && gpu_pixel_format_is_subsampled (gpu_pixels_get_format (out->pixels))) {
    rows.items = (rows.width + 7) / 8;
    rows.step = 2;
    rows.halo = 3;
    n_rows = gpu_frame_info_plane_height (out, 1);
  }
  run_over_items (slicer, dispatch, pixels, &rows, n_rows);
}

void
gpu_pixels_run_over_blocks (const GpuSlicer * slicer,
    const GpuDispatch * dispatch, const GpuPixelsBound * pixels,
    const GpuPixelBlocks * blocks)
{
  GpuRowBinding rows = rows_of (pixels);

  rows.items = 256 * blocks->columns;
  rows.step = 1 << blocks->shift;
  run_over_items (slicer, dispatch, pixels, &rows, blocks->rows);
}
