/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "planekind.h"

GpuBlurPrecision
gpu_blur_choose_precision (const GpuBlurSettings * settings,
    const GpuPixelFormat * format)
{
  if (settings->precision != GPU_BLUR_PRECISION_AUTO)
    return settings->precision;
  /* Halves hold 8-bit samples exactly. Of values, narrow kernels would miss by
   * more than 1e-3, and alphas above 1 be more than halves hold. */
  return format->sample == GPU_SAMPLE_BYTE ? GPU_BLUR_HALF : GPU_BLUR_FLOAT;
}

gboolean
gpu_blur_is_of_light (const GpuBlurSettings * settings,
    const GpuPixelFormat * format)
{
  return settings->light && format->sample == GPU_SAMPLE_BYTE;
}

gboolean
gpu_blur_can_sum_integers (const GpuBlurSettings * settings,
    const GpuPixelFormat * format)
{
  return settings->kernel == GPU_BLUR_BOX
      && format->sample == GPU_SAMPLE_BYTE && !settings->light;
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
