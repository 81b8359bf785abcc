/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "weights.h"

#include <math.h>

/* Half-width of the box for the whole frame: the radius, or that of the box
 * whose variance is the Gaussian's. */
static gdouble
box_half_width (const GpuBlurSettings * settings)
{
  gdouble sigma = settings->sigma;

  if (settings->radius >= 0)
    return settings->radius;
  return (sqrt (12 * sigma * sigma + 1) - 1) / 2;
}

guint
gpu_blur_full_radius (const GpuBlurSettings * settings)
{
  if (settings->kernel == GPU_BLUR_BOX)
    return ceil (box_half_width (settings));
  return settings->radius >= 0 ? settings->radius : ceil (3 * settings->sigma);
}

gboolean
gpu_blur_is_identity (const GpuBlurSettings * settings)
{
  if (settings->kernel == GPU_BLUR_BOX)
    return box_half_width (settings) == 0;
  return settings->sigma == 0 || settings->radius == 0;
}

void
gpu_blur_axis_init (GpuBlurAxis * axis, const GpuBlurSettings * settings,
    guint shift)
{
  guint divisor = 1u << shift;

  *axis = (GpuBlurAxis) {
  0};
  if (settings->kernel == GPU_BLUR_BOX) {
    gdouble half_width = box_half_width (settings) / divisor;

    axis->radius = ceil (half_width);
    axis->end = half_width - axis->radius + 1;
    axis->exact = half_width == axis->radius;
  } else {
    axis->radius = (gpu_blur_full_radius (settings) + divisor - 1) / divisor;
    axis->sigma = settings->sigma / divisor;
  }
}

static gdouble
axis_weight (const GpuBlurAxis * axis, guint distance)
{
  if (axis->sigma > 0)
    return exp (-(gdouble) distance * distance
        / (2 * axis->sigma * axis->sigma));
  return distance == axis->radius ? axis->end : 1;
}

void
gpu_blur_axis_weights (const GpuBlurAxis * axis, gfloat * weights)
{
  gdouble sum = axis_weight (axis, 0);

  if (axis->exact)
    return;
  for (guint i = 1; i <= axis->radius; i++)
    sum += 2 * axis_weight (axis, i);
  for (guint i = 0; i <= axis->radius; i++)
    weights[i] = axis_weight (axis, i) / sum;
}
