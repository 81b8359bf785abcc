/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "format.h"

#include <math.h>

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

/* --- Y'CbCr --- */

static gint32
to_q16 (gdouble value)
{
  return floor (value * 65536 + 0.5);
}

void
gpu_yuv_get_constants (const GpuYuv * yuv, guint bits, guint32 * constants)
{
  gdouble kr = yuv->kr, kb = yuv->kb, kg = 1 - kr - kb;
  /* Ranges of codes, in units of a code of 8 bits. */
  gdouble step = 1u << (bits - 8), full = ((1u << bits) - 1) / step;
  gdouble luma = yuv->full_range ? full : 219;
  gdouble chroma = yuv->full_range ? full : 224;
  gdouble rv = 255 / chroma * 2 * (1 - kr), bu = 255 / chroma * 2 * (1 - kb);
  gint32 yr = to_q16 (kr * luma * step / 255);
  gint32 yb = to_q16 (kb * luma * step / 255);
  gint32 half = to_q16 (chroma * step / 255 / 2);
  gint32 ur = -to_q16 (chroma * step / 255 * kr / (2 * (1 - kb)));
  gint32 vb = -to_q16 (chroma * step / 255 * kb / (2 * (1 - kr)));
  /* The coefficient of green is the remainder of each sum, so that grey stays grey. */
  const gint32 values[GPU_YUV_CONSTANTS] = {
    yuv->h_cosited, yuv->v_cosited,
    yuv->full_range ? 0 : 16,
    to_q16 (255 / luma), to_q16 (rv), to_q16 (bu * kb / kg),
    to_q16 (rv * kr / kg), to_q16 (bu),
    yr, to_q16 (luma * step / 255) - yr - yb, yb,
    ur, -half - ur, half,
    half, -half - vb, vb
  };

  for (guint i = 0; i < GPU_YUV_CONSTANTS; i++)
    constants[i] = values[i];
}
