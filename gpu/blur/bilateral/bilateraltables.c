/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bilateraltables.h"

#include <math.h>

/* The distance in standard deviations beyond which weights are 0. */
#define FARTHEST 4.5

/* The least rate, for deviations so small that only distance 0 has a weight: minus
 * infinity times 0 is not a number. */
#define LEAST_RATE -1e6

/* Does not divide 0 by the variance, which can be 0. */
static gdouble
gaussian (guint squared_distance, gdouble variance)
{
  return squared_distance == 0 ? 1 : exp (-(squared_distance / variance) / 2);
}

/* Returns the variance of the squared distance of colours that are as far apart as two
 * greys whose difference is @range of that of black and white. */
static gdouble
get_variance (const GpuBlurSettings * settings, const GpuPixelFormat * format)
{
  gboolean is_rgb = format->model == GPU_MODEL_RGB;
  gdouble white = is_rgb || settings->full_range ? 255 : 219;
  gdouble sigma = settings->range * white;

  return sigma * sigma * (is_rgb ? 3 : 1);
}

/* Returns the largest squared distance: in RGB, from transparent to white. */
static guint
get_largest_distance (const GpuPixelFormat * format)
{
  guint components = format->model != GPU_MODEL_RGB ? 1
      : format->alpha < 0 ? 3 : 3 + BILATERAL_ALPHA_WEIGHT;

  return components * 255 * 255;
}

/* Returns the binary logarithm of the squared distances that share a weight. */
static guint
choose_shift (const GpuBlurSettings * settings, const GpuPixelFormat * format)
{
  gdouble farthest = MIN (get_largest_distance (format),
      FARTHEST * FARTHEST * get_variance (settings, format));
  guint shift = 0;

  while ((BILATERAL_RANGES - 1) << shift <= farthest)
    shift++;
  return shift;
}

void
gpu_blur_bilateral_range_weights (const GpuBlurSettings * settings,
    const GpuPixelFormat * format, gfloat * weights)
{
  guint shift = choose_shift (settings, format);

  for (guint i = 0; i < BILATERAL_RANGES - 1; i++)
    weights[i] = gaussian (i << shift, get_variance (settings, format));
  weights[BILATERAL_RANGES - 1] = 0;
}

gdouble
gpu_blur_bilateral_range_scale (const GpuBlurSettings * settings,
    const GpuPixelFormat * format)
{
  return 1.0 / (1u << choose_shift (settings, format));
}

/* Returns the binary logarithm of a Gaussian at @squared_distance. */
static gdouble
get_rate (guint squared_distance, gdouble variance)
{
  return MAX (LEAST_RATE, -(squared_distance / variance) * M_LOG2E / 2);
}

gdouble
gpu_blur_bilateral_range_rate (const GpuBlurSettings * settings,
    const GpuPixelFormat * format)
{
  return get_rate (1u << choose_shift (settings, format),
      get_variance (settings, format));
}

gdouble
gpu_blur_bilateral_spatial_rate (const GpuBlurAxis * axis)
{
  return axis->radius == 0 ? 0 : get_rate (1, axis->sigma * axis->sigma);
}
