/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "levels.h"

#include <math.h>

/* Samples of the coarsest level to a sigma. Fewer, and what it cannot hold shows
 * as errors of more than a third of a code value, in the worst of frames. */
#define SAMPLES_PER_SIGMA 1.6

/* Samples of the plane. A narrower one is done sooner without. */
#define MIN_SIGMA 1.4

/* Where levels follow one another, their margins hold all that differs beyond
 * an edge if each is so much coarser. */
#define MIN_RATIO_OF_SEVERAL (5.0 / 3)

/* Positions are counted in 32 bits: twice one size times the next. */
#define MAX_SIZE 30000

/* Smaller ones are done sooner without. */
#define MIN_SIZE 32

/* What weighs less is not worth a tap. */
#define MIN_WEIGHT 2e-5

/* Of the response, from 0 to the highest frequency: enough for weights that
 * have died away by distance 2 N - PYRAMID_MAX_RADIUS. */
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

/* What a B-spline between two planes leaves of a wave; @frequency in radians a sample
 * of the coarser one. Planes that are alike have their samples in the same places,
 * where the spline weighs 1/6, 2/3, 1/6. */
static gdouble
spline_response (gdouble frequency, gboolean alike)
{
  gdouble box = sin (frequency / 2) / (frequency / 2);

  return alike ? (2 + cos (frequency)) / 3 : box * box * box * box;
}

/* What the last level has to leave of a wave. */
static gdouble
response_left (const GpuBlurLevelsOfAxis * axis, guint n_steps, gdouble sigma,
    gdouble frequency)
{
  gdouble response = exp (-sigma * sigma * frequency * frequency / 2);

  /* The way up, then those down. */
  response /= spline_response (frequency,
      axis->sizes[0] == axis->sizes[n_steps]);

  for (guint i = 1; i <= n_steps; i++)
    response /= spline_response (frequency * axis->sizes[n_steps]
        / axis->sizes[i], axis->sizes[i - 1] == axis->sizes[i]);
  return response;
}

/* Cosines by their recurrence: this is done whenever sigma changes. */
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

/* The weights that have this response. FALSE where they are too many. */
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
  *levels = (GpuBlurLevels) {
  .n_steps = 1};
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

guint
gpu_blur_levels_extent (const GpuBlurLevels * levels, GpuBlurLevelsAxis axis,
    guint level)
{
  return levels->axes[axis].sizes[level] + 2 * PYRAMID_MARGIN;
}
