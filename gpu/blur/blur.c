/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Settings -> who does them: strips, or passes. */
#include "blur.h"
#include "method.h"
#include "passes.h"
#include "strips.h"

struct _GpuBlur
{
  GpuBlurStrips *strips;
  GpuBlurPasses *passes;
};

guint
gpu_blur_max_radius (GpuDevice * device, GpuBlurMethod method,
    GpuBlurPrecision precision, guint components)
{
  if (method == GPU_BLUR_AUTO)
    return GPU_BLUR_MAX_RADIUS;
  if (method == GPU_BLUR_STRIPS)
    return gpu_blur_strips_max_radius (device, precision);
  return gpu_blur_get_reach (device, method, components,
      BLUR_WORDS_PER_SUM (components, precision != GPU_BLUR_FLOAT));
}

GpuBlur *
gpu_blur_new (GpuDevice * device)
{
  GpuBlur *blur = g_new0 (GpuBlur, 1);

  blur->strips = gpu_blur_strips_new (device);
  blur->passes = gpu_blur_passes_new (device);
  return blur;
}

void
gpu_blur_free (GpuBlur * blur)
{
  gpu_blur_strips_free (blur->strips);
  gpu_blur_passes_free (blur->passes);
  g_free (blur);
}

gsize
gpu_blur_get_memory (GpuBlur * blur)
{
  return gpu_blur_strips_get_memory (blur->strips)
      + gpu_blur_passes_get_memory (blur->passes);
}

void
gpu_blur_wait (GpuBlur * blur)
{
  gpu_blur_strips_wait (blur->strips);
}

static gboolean
wants_strips (const GpuBlurSettings * settings, const GpuPixelFormat * format)
{
  return settings->method == GPU_BLUR_STRIPS
      || (settings->method == GPU_BLUR_AUTO
      && !gpu_blur_can_sum_integers (settings, format));
}

gboolean
gpu_blur_prepare (GpuBlur * blur, GpuPixels pixels, guint width,
    guint height, const GpuBlurSettings * settings, GError ** error)
{
  /* Passes come last: they alone forget what was prepared before. */
  return (!wants_strips (settings, gpu_pixels_get_format (pixels))
      || gpu_blur_strips_prepare (blur->strips, pixels, settings, error))
      && gpu_blur_passes_prepare (blur->passes, pixels, width, height,
      settings, error);
}

gboolean
gpu_blur_record (GpuBlur * blur, GpuStream * stream,
    const GpuBlurSettings * settings, const GpuFrame * in,
    const GpuFrame * out, GpuBlurReport * report, GError ** error)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (in->info.pixels);
  GpuBlurReport unused_report;
  gboolean recorded;

  if (!report)
    report = &unused_report;
  *report = (GpuBlurReport) {
  .precision = gpu_blur_choose_precision (settings, format)};
  if (wants_strips (settings, format)
      && gpu_blur_strips_reaches (blur->strips, settings, &in->info))
    recorded = gpu_blur_strips_record (blur->strips, stream, settings, in, out,
        report, error);
  else
    recorded = gpu_blur_passes_record (blur->passes, stream, settings, in,
        out, report, error);
  if (!recorded)
    gpu_stream_abandon (stream);
  return recorded;
}
