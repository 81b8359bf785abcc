/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "levels.h"

#include <math.h>

/* The samples of the coarsest level per sigma. With fewer, the worst frames have errors of
 * more than a third of a code value. */
#define SAMPLES_PER_SIGMA 1.6

/* In samples of the plane. For smaller sigmas other methods are faster. */
#define MIN_SIGMA 1.4

/* The least ratio of each step if there are several. With less, the margins of a level
 * would not contain all samples beyond an edge that differ. */
#define MIN_RATIO_OF_SEVERAL (5.0 / 3)

/* Positions are 32-bit integers: up to twice one size multiplied by the next. */
#define MAX_SIZE 30000

/* In samples of the plane. For smaller planes other methods are faster. */
#define MIN_SIZE 32

/* Taps at the ends that weigh less are left out. */
#define MIN_WEIGHT 2e-5

/* The number of frequencies at which the response is sampled, from 0 to the highest.
 * Enough for weights that are 0 from distance 2 N - PYRAMID_MAX_RADIUS on. */
#define N_FREQUENCIES 64

static gdouble
wanted_ratio (gdouble sigma)
{
  return MAX (sigma / SAMPLES_PER_SIGMA, 1);
}

static guint
count_steps (gdouble ratio)
{
  guint n = 1;

  for (gdouble reached = PYRAMID_MAX_RATIO; reached < ratio;
      reached *= PYRAMID_MAX_RATIO)
    n++;
  return n;
}

static gboolean
init_sizes (GpuBlurLevelsOfAxis * axis, guint size, gdouble ratio,
    guint n_steps)
{
  gdouble step = pow (ratio, 1.0 / n_steps);

  axis->sizes[0] = size;
  for (guint i = 0; i < n_steps; i++) {
    axis->sizes[i + 1] = ceil (axis->sizes[i] / step);
    if (n_steps > 1
        && axis->sizes[i] < MIN_RATIO_OF_SEVERAL * axis->sizes[i + 1])
      return FALSE;
  }
  return TRUE;
}

/* Returns the frequency response of a B-spline between two planes. @frequency: in radians
 * per sample of the coarser one. @alike: both have the same size; their samples have the
 * same positions, and the weights are 1/6, 2/3, 1/6. */
static gdouble
spline_response (gdouble frequency, gboolean alike)
{
  gdouble box = sin (frequency / 2) / (frequency / 2);

  return alike ? (2 + cos (frequency)) / 3 : box * box * box * box;
}

/* Returns the frequency response of the kernel on the coarsest level. @sigma, @frequency:
 * in samples of that level. */
static gdouble
response_left (const GpuBlurLevelsOfAxis * axis, guint n_steps, gdouble sigma,
    gdouble frequency)
{
  gdouble response = exp (-sigma * sigma * frequency * frequency / 2);

  /* The step up, then the steps down. */
  response /= spline_response (frequency,
      axis->sizes[0] == axis->sizes[n_steps]);

  for (guint i = 1; i <= n_steps; i++)
    response /= spline_response (frequency * axis->sizes[n_steps]
        / axis->sizes[i], axis->sizes[i - 1] == axis->sizes[i]);
  return response;
}

/* Adds a cosine to @weights. Computes it by recurrence, which is fast: this runs at every
 * change of sigma. */
static void
add_wave (gdouble * weights, guint n, gdouble frequency, gdouble amplitude)
{
  gdouble before = cos (frequency), now = 1, step = 2 * before;

  for (guint i = 0; i < n; i++) {
    gdouble next = step * now - before;

    weights[i] += amplitude * now;
    before = now;
    now = next;
  }
}

/* Computes the weights that have this response. Returns FALSE if there are too many. */
static gboolean
init_weights (GpuBlurLevelsOfAxis * axis, guint n_steps, gdouble sigma)
{
  gdouble weights[PYRAMID_MAX_RADIUS + 2] = { 0 };
  gdouble sum;

  for (guint k = 0; k < N_FREQUENCIES; k++) {
    gdouble frequency = (k + 0.5) * G_PI / N_FREQUENCIES;
    gdouble response = response_left (axis, n_steps, sigma, frequency);

    add_wave (weights, G_N_ELEMENTS (weights), frequency,
        response / N_FREQUENCIES);
  }
  axis->radius = G_N_ELEMENTS (weights) - 1;
  while (axis->radius > 0 && fabs (weights[axis->radius]) < MIN_WEIGHT)
    axis->radius--;
  if (axis->radius > PYRAMID_MAX_RADIUS)
    return FALSE;
  sum = weights[0];
  for (guint i = 1; i <= axis->radius; i++)
    sum += 2 * weights[i];
  for (guint i = 0; i <= axis->radius; i++)
    axis->weights[i] = weights[i] / sum;
  return TRUE;
}

static gboolean
init_axis (GpuBlurLevelsOfAxis * axis, guint size, gdouble sigma, guint n_steps)
{
  return size >= MIN_SIZE && size <= MAX_SIZE && sigma >= MIN_SIGMA
      && init_sizes (axis, size, wanted_ratio (sigma), n_steps)
      && init_weights (axis, n_steps, sigma * axis->sizes[n_steps] / size);
}

gboolean
gpu_blur_levels_init (GpuBlurLevels * levels, const guint * sizes,
    const gdouble * sigmas)
{
  *levels = (GpuBlurLevels) {.n_steps = 1};
  for (guint i = 0; i < GPU_BLUR_LEVELS_AXES; i++)
    levels->n_steps = MAX (levels->n_steps,
        count_steps (wanted_ratio (sigmas[i])));
  if (levels->n_steps > GPU_BLUR_MAX_STEPS)
    return FALSE;
  for (guint i = 0; i < GPU_BLUR_LEVELS_AXES; i++)
    if (!init_axis (&levels->axes[i], sizes[i], sigmas[i], levels->n_steps))
      return FALSE;
  return TRUE;
}

gboolean
gpu_blur_levels_are_wide_along (const GpuBlurLevels * levels,
    GpuBlurLevelsAxis axis)
{
  return levels->axes[axis].radius > PYRAMID_RADIUS;
}

gboolean
gpu_blur_levels_are_wide (const GpuBlurLevels * levels)
{
  return gpu_blur_levels_are_wide_along (levels, GPU_BLUR_LEVELS_X)
      || gpu_blur_levels_are_wide_along (levels, GPU_BLUR_LEVELS_Y);
}

guint
gpu_blur_levels_extent (const GpuBlurLevels * levels, GpuBlurLevelsAxis axis,
    guint level)
{
  return levels->axes[axis].sizes[level] + 2 * PYRAMID_MARGIN;
}
