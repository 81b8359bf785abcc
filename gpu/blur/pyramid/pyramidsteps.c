/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pyramidsteps.h"
#include "shaders.h"
#include "shaders/blur/shared.h"
#include "gpu/core/rounding.h"

#include <string.h>

/* Tiles of the step up, in units, pixels and rows, and the number of groups that keeps a
 * device busy: tiles are as large as this number allows, as all of them blur samples of the
 * level around their edges. */
#define MAX_TILE_UNITS 128
#define MIN_TILE_UNITS 16
#define MIN_TILE_SIDE 32
#define SLOW_WANTED_GROUPS 8
#define WANTED_GROUPS 500

/* *INDENT-OFF* */
typedef struct
{
  PYRAMID_DOWN_PUSH (GpuBlurStepPush step;, gint32)
} DownPush;

typedef struct
{
  PYRAMID_UP_PUSH (GpuBlurStepPush step;, gfloat)
} UpPush;

typedef struct
{
  PYRAMID_BLUR_PUSH (gint32, gfloat)
} BlurPush;
/* *INDENT-ON* */

G_STATIC_ASSERT (sizeof (DownPush) == sizeof (GpuBlurPyramidDownPush)
    && sizeof (UpPush) == sizeof (GpuBlurPyramidUpPush)
    && sizeof (BlurPush) == sizeof (GpuBlurPyramidBlurPush));

/* --- down --- */

void
gpu_blur_step_down (GpuBlurPyramidPasses * passes, GpuBlurPyramidPass * pass,
    guint step)
{
  guint samples = step == 0 ? gpu_blur_pyramid_pass_components (pass) : 4;
  guint columns = gpu_blur_pyramid_pass_extent (pass, GPU_BLUR_LEVELS_X,
      step + 1);
  GpuBlurPyramidPassWork work = {
    .kernel = pass->kernels.kernels[step == 0 ? GPU_BLUR_PYRAMID_DOWN
        : GPU_BLUR_PYRAMID_DOWN_FROM_LEVEL],
  };
  DownPush push;

  gpu_blur_pyramid_pass_init_down (pass, step, &push.step, &work);
  gpu_blur_pyramid_pass_set_section (pass, step, PYRAMID_TILE_ROWS, &push.step,
      &work);
  push.step.section_columns = PYRAMID_TILE_COLUMNS (push.step.width,
      push.step.coarse_width, samples);
  work.groups = DIV_UP (columns, (guint) push.step.section_columns);
  push.held_rows = DIV_UP ((PYRAMID_TILE_ROWS + 3) * push.step.height
      / push.step.coarse_height + 2,
      PYRAMID_ROWS_AT_ONCE) * PYRAMID_ROWS_AT_ONCE;
  gpu_blur_pyramid_pass_dispatch (passes, &work, &push,
      &push.step.first_section, &pass->dispatches[0]);
}

/* --- kernels that are too wide for the step up --- */

void
gpu_blur_step_blur (GpuBlurPyramidPasses * passes, GpuBlurPyramidPass * pass,
    guint along)
{
  guint coarsest = pass->levels.n_steps;
  const GpuBlurLevelsOfAxis *axis = &pass->levels.axes[along];
  guint lines = gpu_blur_pyramid_pass_extent (pass,
      along == GPU_BLUR_LEVELS_X ? GPU_BLUR_LEVELS_Y : GPU_BLUR_LEVELS_X,
      coarsest);
  BlurPush push = {
    .width = gpu_blur_pyramid_pass_size (pass, GPU_BLUR_LEVELS_X, coarsest),
    .height = gpu_blur_pyramid_pass_size (pass, GPU_BLUR_LEVELS_Y, coarsest),
    .edge = pass->edge,
    .axis = along,
    .radius = axis->radius,
  };
  GpuBlurPyramidPassWork work = {
    .kernel = pass->kernels.kernels[GPU_BLUR_PYRAMID_BLUR],
    .source = gpu_blur_pyramid_pass_side (pass),
    .groups = DIV_UP (lines, PYRAMID_BLUR_GROUP),
    .rows = gpu_blur_pyramid_pass_extent (pass, along, coarsest),
    .row_units = (guint64) lines * (2 * push.radius + 1),
  };

  work.target = gpu_blur_pyramid_pass_turn (pass);
  memcpy (push.weights, axis->weights, sizeof push.weights);
  gpu_blur_pyramid_pass_dispatch (passes, &work, &push,
      &push.first_section, &pass->dispatches[1]);
}

/* --- up --- */

/* Returns the samples of the level that @n samples of the frame need along an axis. */
static guint
span (guint n, guint size, guint coarse_size)
{
  return (n - 1) * coarse_size / size + 5;
}

/* Returns the samples of the level that a group holds. */
static guint
count_held (const GpuBlurStepPush * step, guint unit)
{
  guint columns = span (step->section_columns * unit, step->width,
      step->coarse_width);
  guint rows = span (step->section_rows, step->height, step->coarse_height);

  return columns * 2 * (rows + PYRAMID_RADIUS);
}

static guint
count_groups (const GpuBlurStepPush * step, guint unit)
{
  return DIV_UP ((guint) step->width, step->section_columns * unit)
      * DIV_UP ((guint) step->height, (guint) step->section_rows);
}

static gboolean
is_least (const GpuBlurStepPush * step, guint unit)
{
  return step->section_rows <= MIN_TILE_SIDE
      && (step->section_columns <= MIN_TILE_UNITS
      || step->section_columns * unit <= MIN_TILE_SIDE);
}

/* Chooses the tiles. Their units across are a power of two, so that they divide the threads
 * of a group. */
static void
set_tile (GpuBlurStepPush * step, guint unit, guint words, guint wanted)
{
  step->section_columns = MAX_TILE_UNITS;
  step->section_rows = PYRAMID_UP_ROWS;
  while (count_held (step, unit) > PYRAMID_HELD_SAMPLES (words)
      || (count_groups (step, unit) < wanted && !is_least (step, unit))) {
    if (step->section_columns * unit > (guint) step->section_rows)
      step->section_columns /= 2;
    else
      step->section_rows /= 2;
  }
}

/* Sets the kernel of an axis. If it was applied before, this is one that changes nothing. */
static void
set_kernel (const GpuBlurPyramidPass * pass, GpuBlurLevelsAxis axis,
    gfloat * weights)
{
  if (gpu_blur_levels_are_wide_along (&pass->levels, axis))
    weights[0] = 1;
  else
    memcpy (weights, pass->levels.axes[axis].weights,
        (PYRAMID_RADIUS + 1) * sizeof *weights);
}

void
gpu_blur_step_up (GpuBlurPyramidPasses * passes, GpuBlurPyramidPass * pass,
    guint step)
{
  guint unit = BLUR_PIXELS_PER_UNIT (gpu_blur_pyramid_pass_pixel_size (pass));
  UpPush push = {
    gpu_blur_pyramid_pass_make_push (pass, pass->out, 0, pass->levels.n_steps),
    {0}, {0}
  };
  GpuBlurPyramidPassWork work = {
    .kernel = pass->kernels.kernels[GPU_BLUR_PYRAMID_UP],
    .source = gpu_blur_pyramid_pass_side (pass),
    .target = pass->out->buffer,
  };

  set_kernel (pass, GPU_BLUR_LEVELS_X, push.weights_x);
  set_kernel (pass, GPU_BLUR_LEVELS_Y, push.weights_y);
  set_tile (&push.step, unit, pass->sample_words,
      gpu_device_is_slow (passes->device) ? SLOW_WANTED_GROUPS : WANTED_GROUPS);
  work.groups = DIV_UP ((guint) push.step.width,
      push.step.section_columns * unit);
  work.rows = DIV_UP ((guint) push.step.height, (guint) push.step.section_rows);
  work.row_units = (guint64) push.step.width * push.step.section_rows;
  gpu_blur_pyramid_pass_dispatch (passes, &work, &push,
      &push.step.first_section, &pass->dispatches[1]);
}
