/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pyramidwalk.h"
#include "shaders.h"
#include "shaders/blur/shared.h"
#include "gpu/core/rounding.h"

#include <string.h>

/* The number of groups that keeps the cores of a CPU busy. Sections are high, as each reads
 * more additional rows above it than groups with shared memory do. */
#define WANTED_GROUPS 8
#define MIN_SECTION 32

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

G_STATIC_ASSERT (sizeof (RowsPush) == sizeof (GpuBlurPyramidWalkRowsPush)
    && sizeof (UpPush) == sizeof (GpuBlurPyramidWalkUpPush));

static guint
choose_section (guint rows, guint groups, guint most)
{
  return CLAMP (rows * groups / WANTED_GROUPS, MIN_SECTION, most);
}

/* Returns the columns of a step down: four samples of the frame, or a sample of a level. */
static guint
count_columns (const GpuBlurPyramidPass * pass, guint step)
{
  guint samples = gpu_blur_pyramid_pass_components (pass);

  return step > 0 ? gpu_blur_pyramid_pass_extent (pass, GPU_BLUR_LEVELS_X, step)
      : DIV_UP (pass->levels.axes[GPU_BLUR_LEVELS_X].sizes[0],
      PYRAMID_PIXELS (samples));
}

void
gpu_blur_walk_down_columns (GpuBlurPyramidPasses * passes,
    GpuBlurPyramidPass * pass, guint step)
{
  guint rows = gpu_blur_pyramid_pass_extent (pass, GPU_BLUR_LEVELS_Y, step + 1);
  GpuBlurPyramidPassWork work = {
    .kernel = pass->kernels.kernels[step == 0 ? GPU_BLUR_PYRAMID_WALK_COLUMNS
        : GPU_BLUR_PYRAMID_WALK_COLUMNS_OF_LEVEL],
    .groups = DIV_UP (count_columns (pass, step),
        PYRAMID_WALK_GROUP * PYRAMID_WALK_ADJACENT),
  };
  GpuBlurStepPush push;

  gpu_blur_pyramid_pass_init_down (pass, step, &push, &work);
  gpu_blur_pyramid_pass_set_section (pass, step, choose_section (rows,
          work.groups, PYRAMID_WALK_DOWN_ROWS), &push, &work);
  gpu_blur_pyramid_pass_dispatch (passes, &work, &push,
      &push.first_section, &pass->dispatches[0]);
}

void
gpu_blur_walk_along_rows (GpuBlurPyramidPasses * passes,
    GpuBlurPyramidPass * pass, guint step)
{
  const GpuBlurLevelsOfAxis *axis = &pass->levels.axes[GPU_BLUR_LEVELS_X];
  gboolean goes_up = pass->walks_up && step + 1 == pass->levels.n_steps;
  RowsPush push = {
    .fine_width = axis->sizes[step],
    .coarse_width = axis->sizes[step + 1],
    .width = axis->sizes[0],
    .rows = gpu_blur_pyramid_pass_extent (pass, GPU_BLUR_LEVELS_Y, step + 1),
    .margin = step == 0 ? 0 : PYRAMID_MARGIN,
    .edge = pass->edge,
    .black = pass->black,
  };
  GpuBlurPyramidPassWork work = {
    .kernel = pass->kernels.kernels[goes_up ? GPU_BLUR_PYRAMID_WALK_ROWS
        : GPU_BLUR_PYRAMID_WALK_LEVEL],
    .source = gpu_blur_pyramid_pass_side (pass),
    .groups = goes_up ? DIV_UP (axis->sizes[0], PYRAMID_WALK_LENGTH) : 1,
    .rows = DIV_UP ((guint) push.rows, PYRAMID_WALK_ROW_GROUP),
    .row_units = (guint64) axis->sizes[goes_up ? 0 : step]
        * PYRAMID_WALK_ROW_GROUP,
  };

  work.target = gpu_blur_pyramid_pass_turn (pass);
  memcpy (push.weights, axis->weights, sizeof push.weights);
  gpu_blur_pyramid_pass_dispatch (passes, &work, &push,
      &push.first_group, &pass->dispatches[0]);
}

void
gpu_blur_walk_up (GpuBlurPyramidPasses * passes, GpuBlurPyramidPass * pass,
    guint step)
{
  const GpuBlurLevels *levels = &pass->levels;
  UpPush push = {
    gpu_blur_pyramid_pass_make_push (pass, pass->out, 0, levels->n_steps), {0}
  };
  GpuBlurPyramidPassWork work = {
    .kernel = pass->kernels.kernels[GPU_BLUR_PYRAMID_WALK_UP],
    .source = gpu_blur_pyramid_pass_side (pass),
    .target = pass->out->buffer,
    .groups = DIV_UP ((guint) push.step.width, PYRAMID_WALK_GROUP
        * BLUR_PIXELS_PER_UNIT (gpu_blur_pyramid_pass_pixel_size (pass))),
  };

  push.step.section_rows = choose_section (push.step.height, work.groups,
      PYRAMID_WALK_UP_ROWS);
  work.rows = DIV_UP ((guint) push.step.height, (guint) push.step.section_rows);
  work.row_units = (guint64) push.step.width * push.step.section_rows;
  memcpy (push.weights, levels->axes[GPU_BLUR_LEVELS_Y].weights,
      sizeof push.weights);
  gpu_blur_pyramid_pass_dispatch (passes, &work, &push,
      &push.step.first_section, &pass->dispatches[1]);
}
