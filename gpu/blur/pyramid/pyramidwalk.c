/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pyramidwalk.h"
#include "shaders/blur/shared.h"

#include <string.h>

#define DIV_UP(x, n) (((x) + (n) - 1) / (n))

/* As many groups as keep the cores of a CPU busy, but sections are high: for above
 * each, more rows are read than with a group that shares them. */
#define WANTED_GROUPS 8
#define MIN_SECTION 32

/* What a sample of the finer plane takes in a step, at worst. */
#define STEP_NS 100

/* *INDENT-OFF* */
typedef struct
{
  PYRAMID_WALK_ROWS_PUSH (gint32, gfloat)
} RowsPush;

typedef struct
{
  PYRAMID_WALK_UP_PUSH (GpuBlurStepPush step;, gfloat)
} UpPush;
/* *INDENT-ON* */

G_STATIC_ASSERT (sizeof (RowsPush) <= 128 && sizeof (UpPush) <= 128);

gboolean
gpu_blur_walk_reaches (const GpuBlurLevels * levels)
{
  return levels->axes[GPU_BLUR_LEVELS_X].radius <= PYRAMID_WALK_RADIUS
      && levels->axes[GPU_BLUR_LEVELS_Y].radius <= PYRAMID_WALK_RADIUS;
}

static guint
choose_section (guint rows, guint groups, guint most)
{
  return CLAMP (rows * groups / WANTED_GROUPS, MIN_SECTION, most);
}

gboolean
gpu_blur_walk_down_columns (GpuBlurClimbs * climbs, GpuBlurClimb * climb,
    guint step, GError ** error)
{
  gboolean frame = step == 0;
  GpuBlurStepPush push = gpu_blur_climb_make_push (climb, climb->in, step,
      step + 1);
  guint rows = gpu_blur_climb_extent (climb, GPU_BLUR_LEVELS_Y, step + 1);
  guint columns = frame ? DIV_UP ((guint) push.width,
      PYRAMID_PIXELS (gpu_blur_climb_components (climb)))
      : gpu_blur_climb_extent (climb, GPU_BLUR_LEVELS_X, step);
  GpuBlurClimbWork work = {
    .kernel = climb->kernels.kernels[frame ? GPU_BLUR_PYRAMID_WALK_COLUMNS
        : GPU_BLUR_PYRAMID_WALK_COLUMNS_OF_LEVEL],
    .source = frame ? climb->in->buffer : gpu_blur_climb_side (climb),
    .groups = DIV_UP (columns, PYRAMID_WALK_GROUP * PYRAMID_WALK_ADJACENT),
    .ns = STEP_NS,
  };

  push.section_rows = choose_section (rows, work.groups,
      PYRAMID_WALK_DOWN_ROWS);
  work.rows = DIV_UP (rows, (guint) push.section_rows);
  work.row_units = (guint64) push.width * push.height * push.section_rows
      / push.coarse_height + 1;
  work.target = gpu_blur_climb_turn (climb);
  return gpu_blur_climb_dispatch (climbs, &work, &push, sizeof push,
      &push.first_section, &climb->dispatches[0], error);
}

gboolean
gpu_blur_walk_along_rows (GpuBlurClimbs * climbs, GpuBlurClimb * climb,
    guint step, GError ** error)
{
  const GpuBlurLevelsOfAxis *axis = &climb->levels.axes[GPU_BLUR_LEVELS_X];
  RowsPush push = {
    .fine_width = axis->sizes[step],
    .coarse_width = axis->sizes[step + 1],
    .width = axis->sizes[0],
    .rows = gpu_blur_climb_extent (climb, GPU_BLUR_LEVELS_Y, step + 1),
    .margin = step == 0 ? 0 : PYRAMID_MARGIN,
    .edge = climb->edge,
    .black = climb->black,
  };
  GpuBlurClimbWork work = {
    .kernel = climb->kernels.kernels[GPU_BLUR_PYRAMID_WALK_ROWS],
    .source = gpu_blur_climb_side (climb),
    .groups = DIV_UP (axis->sizes[0], PYRAMID_WALK_LENGTH),
    .rows = DIV_UP ((guint) push.rows, PYRAMID_WALK_ROW_GROUP),
    .row_units = (guint64) axis->sizes[0] * PYRAMID_WALK_ROW_GROUP,
    .ns = STEP_NS,
  };

  work.target = gpu_blur_climb_turn (climb);
  memcpy (push.weights, axis->weights, sizeof push.weights);
  return gpu_blur_climb_dispatch (climbs, &work, &push, sizeof push,
      &push.first_group, &climb->dispatches[0], error);
}

gboolean
gpu_blur_walk_up (GpuBlurClimbs * climbs, GpuBlurClimb * climb, guint step,
    GError ** error)
{
  const GpuBlurLevels *levels = &climb->levels;
  UpPush push = {
    gpu_blur_climb_make_push (climb, climb->out, 0, levels->n_steps), {0}
  };
  GpuBlurClimbWork work = {
    .kernel = climb->kernels.kernels[GPU_BLUR_PYRAMID_WALK_UP],
    .source = gpu_blur_climb_side (climb),
    .target = climb->out->buffer,
    .groups = DIV_UP ((guint) push.step.width, PYRAMID_WALK_GROUP
        * BLUR_PIXELS_PER_UNIT (gpu_blur_climb_components (climb))),
    .ns = STEP_NS,
  };

  push.step.section_rows = choose_section (push.step.height, work.groups,
      PYRAMID_WALK_UP_ROWS);
  work.rows = DIV_UP ((guint) push.step.height, (guint) push.step.section_rows);
  work.row_units = (guint64) push.step.width * push.step.section_rows;
  memcpy (push.weights, levels->axes[GPU_BLUR_LEVELS_Y].weights,
      sizeof push.weights);
  return gpu_blur_climb_dispatch (climbs, &work, &push, sizeof push,
      &push.step.first_section, &climb->dispatches[1], error);
}
