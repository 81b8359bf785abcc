/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "weights.h"
#include "planekind.h"

#include <math.h>

/* A sample, multiplied by alpha where there is one. */
#define MAX_SAMPLE (255 * 255)

/* Half-width of the box for the whole frame: the radius, or that of the box
 * whose variance is the Gaussian's. */
static gdouble
box_half_width (const GpuBlurSettings * settings, gdouble sigma)
{
  if (settings->radius >= 0)
    return settings->radius;
  return (sqrt (12 * sigma * sigma + 1) - 1) / 2;
}

gboolean
gpu_blur_is_identity (const GpuBlurSettings * settings)
{
  if (settings->kernel == GPU_BLUR_BOX)
    return box_half_width (settings, settings->sigma_x) == 0
        && box_half_width (settings, settings->sigma_y) == 0;
  return settings->radius == 0
      || (settings->sigma_x == 0 && settings->sigma_y == 0);
}

/* Weights of a box in integers, 1 where all are the same. Ends that weigh less
 * are rounded to steps as fine as a sum of samples has room for in 32 bits:
 * inner_weight is the last power of 2 up to 66051 / (2 radius + 1). With W for
 * the weight of all taps, half a step at both ends moves a mean by 255 / W at
 * most, which is 0.016 with radius 1, and less than that with larger ones. The
 * colour over an alpha of 16 moves by 16 times that, a quarter; blurring the
 * other axis doubles it, and the bar is half a code value. */
static void
init_integer_weights (GpuBlurAxis * axis)
{
  const guint64 sum = (2 * (guint64) axis->radius + 1) * MAX_SAMPLE;

  axis->inner_weight = 1;
  if (axis->end < 1)
    while (2 * axis->inner_weight * sum <= G_MAXUINT32)
      axis->inner_weight *= 2;
  axis->end_weight = axis->end * axis->inner_weight + 0.5;
}

static void
init_box (GpuBlurAxis * axis, gdouble half_width)
{
  axis->radius = ceil (half_width);
  axis->end = half_width - axis->radius + 1;
  init_integer_weights (axis);
}

/* Sigmas beyond which weights are 0, as floats. */
#define FARTHEST 14.5

static void
init_gaussian (GpuBlurAxis * axis, const GpuBlurSettings * settings,
    gdouble sigma, guint divisor)
{
  guint radius = ceil (3 * sigma);

  if (settings->radius >= 0)
    radius = MIN (settings->radius, ceil (FARTHEST * sigma));
  axis->radius = (radius + divisor - 1) / divisor;
  axis->sigma = sigma / divisor;
}

static void
init_axis (GpuBlurAxis * axis, const GpuBlurSettings * settings, gdouble sigma,
    guint divisor)
{
  if (settings->kernel == GPU_BLUR_BOX)
    init_box (axis, box_half_width (settings, sigma) / divisor);
  /* Of no width a Gaussian is the box that has one tap. */
  else if (sigma == 0)
    init_box (axis, 0);
  else
    init_gaussian (axis, settings, sigma, divisor);
}

void
gpu_blur_axes_init (GpuBlurAxes * axes, const GpuBlurSettings * settings,
    const GpuPixelFormat * format, guint plane)
{
  guint divisor = 1u << format->shift[plane];

  *axes = (GpuBlurAxes) {
  0};
  init_axis (&axes->x, settings, settings->sigma_x, divisor);
  init_axis (&axes->y, settings, settings->sigma_y,
      settings->is_field ? 2 * divisor : divisor);
  axes->exact = gpu_blur_can_sum_integers (settings, format)
      && axes->x.end == 1 && axes->y.end == 1;
}

gboolean
gpu_blur_axes_are_alike (const GpuBlurAxes * axes)
{
  return axes->x.radius == axes->y.radius && axes->x.sigma == axes->y.sigma
      && axes->x.end == axes->y.end;
}

static gdouble
axis_weight (const GpuBlurAxis * axis, guint distance)
{
  if (axis->sigma > 0) {
    /* The square of a sigma can be 0. */
    gdouble deviations = distance / axis->sigma;

    return exp (-deviations * deviations / 2);
  }
  return distance == axis->radius ? axis->end : 1;
}

void
gpu_blur_axis_weights (const GpuBlurAxis * axis, gfloat * weights)
{
  gdouble sum = axis_weight (axis, 0);

  for (guint i = 1; i <= axis->radius; i++)
    sum += 2 * axis_weight (axis, i);
  for (guint i = 0; i <= axis->radius; i++)
    weights[i] = axis_weight (axis, i) / sum;
}
