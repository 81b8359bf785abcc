/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "components.h"
#include "gpu/core/rounding.h"

#include <string.h>
#include <sys/types.h>          /* uint, as in GLSL */

typedef struct
{
  FORMAT_PUSH (uint)
} Push;

G_STATIC_ASSERT (GPU_MAX_PLANES == 4);

/* --- specialization constants --- */

static guint
get_bits (const GpuPixelFormat * format, guint c)
{
  guint bits = gpu_pixel_format_get_code_bits (format);

  if (format->sample == SAMPLE_TENS && c == 3)
    return 2;
  return bits > 0 ? bits : 8 * SAMPLE_SIZE (format->sample);
}

/* Returns the bits from a sample to the next one of the same pixel. */
static guint
get_sample_bits (const GpuPixelFormat * format)
{
  return format->sample == SAMPLE_TENS ? 10 : 8 * SAMPLE_SIZE (format->sample);
}

static guint32
describe_component (const GpuPixelFormat * format, guint c)
{
  guint plane = format->place[c] / 4, index = format->place[c] % 4;
  guint bits = get_sample_bits (format);

  if (format->place[c] == GPU_NOWHERE)
    return 0;
  return COMPONENT (plane, index * bits + SAMPLE_LOW_BITS (format->sample),
      get_bits (format, c), gpu_pixel_format_get_size (format, plane),
      format->grouping == GPU_PAIRS && c == 0 ? 2 * bits : 0,
      format->shift_x[plane], format->shift_y[plane]);
}

/* Returns what sample @index of the pixels of a plane is. */
static guint
find_slot (const GpuPixelFormat * format, guint plane, guint index)
{
  gint place = 4 * plane + index;

  for (guint c = 0; c < 4; c++)
    if (format->place[c] == place)
      return c;
  if (place == format->unused)
    return SLOT_UNUSED;
  if (format->grouping == GPU_PAIRS && place == format->luma + 2)
    return SLOT_SECOND;
  /* Chroma with samples of alpha of its own. */
  return format->alpha == 3 && index == 3 ? 3 : SLOT_EMPTY;
}

static guint32
describe_plane (const GpuPixelFormat * format, guint plane)
{
  guint samples = format->sample == SAMPLE_TENS ? 4 : format->components[plane];

  return PLANE (samples, get_sample_bits (format),
      SAMPLE_LOW_BITS (format->sample), find_slot (format, plane, 0),
      find_slot (format, plane, 1), find_slot (format, plane, 2),
      find_slot (format, plane, 3), plane);
}

void
gpu_components_get_constants (GpuPixels in, GpuPixels out, guint plane,
    guint32 * constants)
{
  G_STATIC_ASSERT (FORMAT_YUV + GPU_YUV_CONSTANTS == FORMAT_VECTORS);
  memset (constants, 0, FORMAT_CONSTANTS * sizeof *constants);
  for (guint c = 0; c < 4; c++) {
    constants[FORMAT_IN + c] =
        describe_component (gpu_pixels_get_format (in), c);
    constants[FORMAT_OUT + c] =
        describe_component (gpu_pixels_get_format (out), c);
  }
  constants[FORMAT_PLANE] = describe_plane (gpu_pixels_get_format (out), plane);
}

/* --- dispatches --- */

gboolean
gpu_components_check_size (GpuDevice * device, const GpuFrameInfo * info,
    GError ** error)
{
  gsize most = gpu_device_get_info (device)->max_binding;

  if (info->size <= most)
    return TRUE;
  g_set_error (error, GPU_ERROR, GPU_ERROR_TOO_LARGE,
      "frames of %u x %u in %s have %" G_GSIZE_FORMAT " bytes, and the device "
      "binds at most %" G_GSIZE_FORMAT "; use smaller frames or another device",
      info->width, info->height, gpu_pixels_get_format (info->pixels)->name,
      info->size, most);
  return FALSE;
}

static guint
count_row_words (const GpuFrameInfo * info, guint plane)
{
  return DIV_UP (gpu_frame_info_plane_width (info, plane)
      * gpu_pixel_format_get_size (gpu_pixels_get_format (info->pixels), plane),
      4);
}

static Push
make_push (const GpuFrameInfo * in, const GpuFrameInfo * out, guint plane)
{
  Push push = {
    .row_words = count_row_words (out, plane),
    .width = out->width,
    .height = out->height,
    .plane_width = gpu_frame_info_plane_width (out, plane),
    .out_offset = out->offset[plane] / 4,
    .out_stride = out->stride[plane] / 4,
  };

  for (guint i = 0; i < GPU_MAX_PLANES; i++) {
    push.in_offset[i] = in->offset[i] / 4;
    push.in_stride[i] = in->stride[i] / 4;
  }
  return push;
}

void
gpu_components_run_over (const GpuSlicer * slicer,
    const GpuDispatch * dispatch, const GpuFrameInfo * in,
    const GpuFrameInfo * out, const GpuComponentsItems * items)
{
  const Push push = make_push (in, out, items->plane);
  guint32 words[GPU_MAX_PUSH / 4] = { 0 };
  GpuDispatch with_push = *dispatch;

  if (dispatch->push)
    memcpy (words, dispatch->push, gpu_kernel_get_push_size (dispatch->kernel));
  memcpy (words, &push, sizeof push);
  with_push.push = words;
  gpu_slicer_run (slicer, &with_push, items->n);
}

void
gpu_components_run (const GpuSlicer * slicer, const GpuDispatch * dispatch,
    const GpuFrameInfo * in, const GpuFrameInfo * out, guint plane)
{
  const GpuComponentsItems words = {
    .plane = plane,
    .n = count_row_words (out, plane) * gpu_frame_info_plane_height (out,
        plane),
  };

  gpu_components_run_over (slicer, dispatch, in, out, &words);
}
