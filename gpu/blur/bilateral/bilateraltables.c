/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bilateraltables.h"

#include <math.h>

/* The distance in standard deviations beyond which weights are 0. */
#define FARTHEST 4.5

/* The least rate, for deviations so small that only distance 0 has a weight: minus
 * infinity times 0 is not a number. */
#define LEAST_RATE -1e6

/* Returns the binary logarithm of a Gaussian at @squared_distance, which is not 0; the
 * variance can be. */
static gdouble
get_rate (guint squared_distance, gdouble variance)
{
  return MAX (LEAST_RATE, -(squared_distance / variance) * M_LOG2E / 2);
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

void
gpu_blur_bilateral_range_init (GpuBlurBilateralRange * range,
    const GpuBlurSettings * settings, const GpuPixelFormat * format)
{
  gdouble variance = get_variance (settings, format);
  gdouble farthest = MIN (get_largest_distance (format),
      FARTHEST * FARTHEST * variance);
  guint shift = 0;

  while ((BILATERAL_RANGES - 1) << shift <= farthest)
    shift++;
  range->scale = 1.0 / (1u << shift);
  range->rate = get_rate (1u << shift, variance);
}

void
gpu_blur_bilateral_range_weights (const GpuBlurBilateralRange * range,
    gfloat * weights)
{
  for (guint i = 0; i < BILATERAL_RANGES - 1; i++)
    weights[i] = exp2 (i * range->rate);
  weights[BILATERAL_RANGES - 1] = 0;
}

gdouble
gpu_blur_bilateral_spatial_rate (const GpuBlurAxis * axis)
{
  return axis->radius == 0 ? 0 : get_rate (1, axis->sigma * axis->sigma);
}
