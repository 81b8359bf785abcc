/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "format.h"

static const GpuPixelFormat formats[GPU_N_PIXELS] = {
#define ROW(name, ...) [GPU_PIXELS_##name] = { __VA_ARGS__ },
  GPU_PIXEL_FORMATS (ROW)
#undef ROW
};

const GpuPixelFormat *
gpu_pixels_get_format (GpuPixels pixels)
{
  return &formats[pixels];
}

guint
gpu_pixel_format_get_size (const GpuPixelFormat * format, guint plane)
{
  return format->components[plane] * SAMPLE_SIZE (format->sample);
}

guint
gpu_pixel_format_get_code_bits (const GpuPixelFormat * format)
{
  return SAMPLE_CODE_BITS (format->sample);
}

gboolean
gpu_pixel_format_is_subsampled (const GpuPixelFormat * format)
{
  for (guint i = 0; i < format->n_planes; i++)
    if (format->shift_x[i] > 0 || format->shift_y[i] > 0)
      return TRUE;
  return FALSE;
}

gboolean
gpu_pixel_format_has_fewer_rows (const GpuPixelFormat * format)
{
  for (guint i = 0; i < format->n_planes; i++)
    if (format->shift_y[i] > 0)
      return TRUE;
  return FALSE;
}

guint
gpu_pixel_format_get_black (const GpuPixelFormat * format, guint plane,
    gboolean full_range)
{
  guint of_bytes = plane > 0 ? 128 : full_range ? 0 : 16;

  guint bits = gpu_pixel_format_get_code_bits (format);

  if (format->model == GPU_MODEL_RGB || format->alpha >= 0 || bits == 0)
    return 0;
  return of_bytes << (bits - 8);
}
