/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Settings -> who does them: strips, the pyramid, or passes. */
#include "blur.h"
#include "method.h"
#include "passes.h"
#include "pyramid.h"
#include "strips.h"
#include "shaders/blur/strips.h"

struct _GpuBlur
{
  GpuBlurStrips *strips;
  GpuBlurPyramid *pyramid;
  GpuBlurPasses *passes;
  gdouble sigma_x, sigma_y;     /* of the last frame; -1: none yet */
};

guint
gpu_blur_max_radius (GpuDevice * device, GpuBlurMethod method,
    GpuBlurPrecision precision, guint components)
{
  if (method == GPU_BLUR_AUTO)
    return GPU_BLUR_MAX_RADIUS;
  if (method == GPU_BLUR_PYRAMID)
    return 0;
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
  blur->pyramid = gpu_blur_pyramid_new (device);
  blur->passes = gpu_blur_passes_new (device);
  blur->sigma_x = blur->sigma_y = -1;
  return blur;
}

void
gpu_blur_free (GpuBlur * blur)
{
  gpu_blur_strips_free (blur->strips);
  gpu_blur_pyramid_free (blur->pyramid);
  gpu_blur_passes_free (blur->passes);
  g_free (blur);
}

gsize
gpu_blur_get_memory (GpuBlur * blur)
{
  return gpu_blur_strips_get_memory (blur->strips)
      + gpu_blur_pyramid_get_memory (blur->pyramid)
      + gpu_blur_passes_get_memory (blur->passes);
}

void
gpu_blur_wait (GpuBlur * blur)
{
  gpu_blur_strips_wait (blur->strips);
  gpu_blur_pyramid_wait (blur->pyramid);
}

/* Whether what is asked for may be this method, of weighted sums. */
static gboolean
wants (const GpuBlurSettings * settings, const GpuPixelFormat * format,
    GpuBlurMethod method)
{
  return settings->method == method || (settings->method == GPU_BLUR_AUTO
      && !gpu_blur_can_sum_integers (settings, format));
}

static gboolean
takes_strips (GpuBlur * blur, const GpuBlurSettings * settings,
    const GpuFrameInfo * info)
{
  return wants (settings, gpu_pixels_get_format (info->pixels), GPU_BLUR_STRIPS)
      && gpu_blur_strips_reaches (blur->strips, settings, info);
}

/* Whether auto leaves the pyramid to wider Gaussians: strips reach this one, and
 * are unrolled. What is fastest where is measured (docs/benchmarks.md). */
static gboolean
is_narrow (GpuBlur * blur, const GpuBlurSettings * settings,
    const GpuFrameInfo * info)
{
  GpuBlurAxes axes;

  gpu_blur_axes_init (&axes, settings, gpu_pixels_get_format (info->pixels), 0);
  return gpu_blur_axes_are_alike (&axes)
      && axes.x.radius <= STRIPS_MAX_UNROLLED
      && takes_strips (blur, settings, info);
}

static gboolean
takes_pyramid (GpuBlur * blur, const GpuBlurSettings * settings,
    const GpuFrameInfo * info)
{
  return wants (settings, gpu_pixels_get_format (info->pixels),
      GPU_BLUR_PYRAMID)
      && gpu_blur_pyramid_reaches (blur->pyramid, settings, info)
      && (settings->method != GPU_BLUR_AUTO
      || !is_narrow (blur, settings, info));
}

gboolean
gpu_blur_prepare (GpuBlur * blur, GpuPixels pixels, guint width,
    guint height, const GpuBlurSettings * settings, GError ** error)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (pixels);
  GpuFrameInfo info;

  gpu_frame_info_init (&info, pixels, width, height);
  /* Passes come last: they alone forget what was prepared before. */
  return (!wants (settings, format, GPU_BLUR_PYRAMID)
      || gpu_blur_pyramid_prepare (blur->pyramid, settings, &info, error))
      && (!takes_pyramid (blur, settings, &info)
      || gpu_blur_pyramid_build (blur->pyramid, settings, &info, error))
      && (!wants (settings, format, GPU_BLUR_STRIPS)
      || gpu_blur_strips_prepare (blur->strips, pixels, settings, error))
      && gpu_blur_passes_prepare (blur->passes, pixels, width, height,
      settings, error);
}

/* A sigma that moves may become wide: then no frame is to wait for what that
 * takes. */
static void
look_ahead (GpuBlur * blur, const GpuBlurSettings * settings,
    const GpuFrameInfo * info)
{
  gboolean moves = blur->sigma_x >= 0 && (settings->sigma_x != blur->sigma_x
      || settings->sigma_y != blur->sigma_y);

  blur->sigma_x = settings->sigma_x;
  blur->sigma_y = settings->sigma_y;
  if (moves && settings->radius < 0
      && wants (settings, gpu_pixels_get_format (info->pixels),
          GPU_BLUR_PYRAMID))
    gpu_blur_pyramid_expect (blur->pyramid, settings, info);
}

gboolean
gpu_blur_record (GpuBlur * blur, GpuStream * stream,
    const GpuBlurSettings * settings, const GpuFrame * in,
    const GpuFrame * out, GpuBlurReport * report, GError ** error)
{
  GpuBlurReport unused_report;
  gboolean recorded;

  if (!report)
    report = &unused_report;
  *report = (GpuBlurReport) {
  .precision = gpu_blur_choose_precision (settings,
        gpu_pixels_get_format (in->info.pixels))};
  look_ahead (blur, settings, &in->info);
  if (takes_pyramid (blur, settings, &in->info))
    recorded = gpu_blur_pyramid_record (blur->pyramid, stream, settings, in,
        out, report, error);
  else if (takes_strips (blur, settings, &in->info))
    recorded = gpu_blur_strips_record (blur->strips, stream, settings, in, out,
        report, error);
  else
    recorded = gpu_blur_passes_record (blur->passes, stream, settings, in,
        out, report, error);
  if (!recorded)
    gpu_stream_abandon (stream);
  return recorded;
}
