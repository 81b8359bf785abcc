/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "planekind.h"

/* The largest number of bits of a code whose sums may be stored in halves. Halves have 11
 * significant bits, and the largest is below 65535. */
#define HALF_BITS 8

gboolean
gpu_blur_is_of_bytes (const GpuPixelFormat * format)
{
  return format->sample == SAMPLE_BYTE;
}

GpuBlurPrecision
gpu_blur_choose_precision (const GpuBlurSettings * settings,
    const GpuPixelFormat * format)
{
  guint bits = gpu_pixel_format_get_code_bits (format);

  if (settings->kernel == GPU_BLUR_BILATERAL || bits > HALF_BITS)
    return GPU_BLUR_FLOAT;
  if (settings->precision != GPU_BLUR_PRECISION_AUTO)
    return settings->precision;
  /* With samples that are halves or floats, sums in halves would give narrow kernels an
   * error above 1e-3, and products with an alpha above 1 could exceed the range. */
  return bits > 0 ? GPU_BLUR_HALF : GPU_BLUR_FLOAT;
}

gboolean
gpu_blur_can_weigh_colours (const GpuPixelFormat * format)
{
  return gpu_blur_is_of_bytes (format)
      && (format->model == GPU_MODEL_RGB ? format->n_planes == 1
      : format->alpha < 0);
}

gboolean
gpu_blur_is_of_light (const GpuBlurSettings * settings,
    const GpuPixelFormat * format)
{
  return settings->light && gpu_blur_is_of_bytes (format);
}

gboolean
gpu_blur_can_sum_integers (const GpuBlurSettings * settings,
    const GpuPixelFormat * format)
{
  return settings->kernel == GPU_BLUR_BOX && !settings->light
      && gpu_blur_is_of_bytes (format);
}

GpuBlurPlaneKind
gpu_blur_plane_kind (const GpuBlurSettings * settings,
    const GpuPixelFormat * format, guint plane)
{
  const GpuBlurPlaneKind kind = {
    .format = format,
    .plane = plane,
    .half = gpu_blur_choose_precision (settings, format) == GPU_BLUR_HALF,
    .linear = gpu_blur_is_of_light (settings, format),
  };

  return kind;
}
