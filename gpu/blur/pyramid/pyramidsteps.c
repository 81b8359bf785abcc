/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pyramidsteps.h"
#include "shaders.h"
#include "shaders/blur/shared.h"

#include <string.h>

#define DIV_UP(x, n) (((x) + (n) - 1) / (n))

/* The number of groups that keeps a device busy. Sections are as high as this number
 * allows, as each section reads three additional rows above it. Rows of wide steps take
 * longer, so their sections may be lower. */
#define SLOW_WANTED_GROUPS 8
#define WANTED_GROUPS 1024
#define MIN_SECTION 4
#define MIN_WIDE_SECTION 2

/* The longest times of a sample of the finer plane in a step, and of a tap of the
 * kernel. */
#define SLOW_STEP_NS 400
#define STEP_NS 2
#define SLOW_TAP_NS 40
#define TAP_NS 0.2

/* *INDENT-OFF* */
typedef struct
{
  PYRAMID_ROWS_PUSH (gint32, gfloat)
} RowsPush;

typedef struct
{
  PYRAMID_BLUR_PUSH (gint32, gfloat)
} BlurPush;
/* *INDENT-ON* */

G_STATIC_ASSERT (sizeof (RowsPush) <= 128 && sizeof (BlurPush) <= 128);
G_STATIC_ASSERT (sizeof (RowsPush) == sizeof (GpuBlurPyramidDownRowsPush)
    && sizeof (BlurPush) == sizeof (GpuBlurPyramidBlurPush));

static gdouble
choose_ns (GpuBlurPyramidPasses * passes, gdouble slow, gdouble other)
{
  return gpu_device_is_slow (passes->device) ? slow : other;
}

/* Returns the rows of a section, at most @most. @rows: all rows that the step writes.
 * @groups: groups side by side. */
static guint
choose_section (GpuBlurPyramidPasses * passes, guint rows, guint groups,
    gboolean wide, guint most)
{
  guint wanted = gpu_device_is_slow (passes->device) ?
      SLOW_WANTED_GROUPS : WANTED_GROUPS;

  return CLAMP (rows * groups / wanted, wide ? MIN_WIDE_SECTION : MIN_SECTION,
      most);
}

gboolean
gpu_blur_step_down_columns (GpuBlurPyramidPasses * passes,
    GpuBlurPyramidPass * pass, guint step, GError ** error)
{
  guint rows = gpu_blur_pyramid_pass_extent (pass, GPU_BLUR_LEVELS_Y, step + 1);
  GpuBlurPyramidPassWork work = {
    .kernel = pass->kernels.kernels[gpu_blur_pyramid_kernel_of_columns
        (&pass->levels, step)],
    .ns = choose_ns (passes, SLOW_STEP_NS, STEP_NS),
  };
  GpuBlurStepPush push;

  gpu_blur_pyramid_pass_init_columns (pass, step,
      PYRAMID_GROUP * PYRAMID_COLUMNS_A_THREAD, &push, &work);
  gpu_blur_pyramid_pass_set_section (pass, step, choose_section (passes, rows,
          work.groups, PYRAMID_IS_WIDE (push.height, push.coarse_height),
          PYRAMID_DOWN_ROWS), &push, &work);
  /* Includes the taps of the first and last rows, and the rows that are loaded ahead. */
  push.held_rows = (push.section_rows + 4) * push.height / push.coarse_height
      + PYRAMID_ROWS_AHEAD + 1;
  return gpu_blur_pyramid_pass_dispatch (passes, &work, &push,
      &push.first_section, &pass->dispatches[0], error);
}

gboolean
gpu_blur_step_along_rows (GpuBlurPyramidPasses * passes,
    GpuBlurPyramidPass * pass, guint step, GError ** error)
{
  static const GpuBlurLevelsOfAxis nothing = {.weights = {1} };
  const GpuBlurLevelsOfAxis *axis = &pass->levels.axes[GPU_BLUR_LEVELS_X];
  const GpuBlurLevelsOfAxis *blur = step + 1 == pass->levels.n_steps ? axis
      : &nothing;
  guint rows = gpu_blur_pyramid_pass_extent (pass, GPU_BLUR_LEVELS_Y, step + 1);
  /* Whole quads, as they are read as such. The columns that the kernel needs on both sides
   * are subtracted. */
  guint columns = (PYRAMID_COLUMNS (axis->sizes[step], axis->sizes[step + 1])
      - 2 * blur->radius - 2) / 4 * 4;
  guint groups = DIV_UP (gpu_blur_pyramid_pass_extent (pass, GPU_BLUR_LEVELS_X,
          step + 1), columns);
  guint section = choose_section (passes, rows, groups,
      PYRAMID_IS_WIDE (axis->sizes[step], axis->sizes[step + 1]),
      PYRAMID_LEVEL_ROWS);
  RowsPush push = {
    .widths = axis->sizes[step] | axis->sizes[step + 1] << 16,
    .rows = rows | section << 16,
    .columns_and_radius = columns | blur->radius << 16,
    .beyond = pass->edge | (step == 0 ? 0 : PYRAMID_MARGIN) << 8
        | pass->black << 16,
  };
  GpuBlurPyramidPassWork work = {
    .kernel = pass->kernels.kernels[gpu_blur_pyramid_kernel_of_rows
        (&pass->levels, step)],
    .source = gpu_blur_pyramid_pass_side (pass),
    .groups = groups,
    .rows = DIV_UP (rows, section),
    .row_units = (guint64) axis->sizes[step] * section,
    .ns = choose_ns (passes, SLOW_STEP_NS, STEP_NS),
  };

  work.target = gpu_blur_pyramid_pass_turn (pass);
  memcpy (push.weights, blur->weights, sizeof push.weights);
  return gpu_blur_pyramid_pass_dispatch (passes, &work, &push,
      &push.first_section, &pass->dispatches[0], error);
}

gboolean
gpu_blur_step_blur_columns (GpuBlurPyramidPasses * passes,
    GpuBlurPyramidPass * pass, guint step, GError ** error)
{
  guint coarsest = pass->levels.n_steps;
  const GpuBlurLevelsOfAxis *axis = &pass->levels.axes[GPU_BLUR_LEVELS_Y];
  guint columns =
      gpu_blur_pyramid_pass_extent (pass, GPU_BLUR_LEVELS_X, coarsest);
  guint rows = gpu_blur_pyramid_pass_extent (pass, GPU_BLUR_LEVELS_Y, coarsest);
  BlurPush push = {
    .width = gpu_blur_pyramid_pass_size (pass, GPU_BLUR_LEVELS_X, coarsest),
    .height = gpu_blur_pyramid_pass_size (pass, GPU_BLUR_LEVELS_Y, coarsest),
    .edge = pass->edge,
    .radius = axis->radius,
  };
  GpuBlurPyramidPassWork work = {
    .kernel = pass->kernels.kernels[GPU_BLUR_PYRAMID_BLUR],
    .source = gpu_blur_pyramid_pass_side (pass),
    .groups = DIV_UP (columns, PYRAMID_GROUP),
    .rows = DIV_UP (rows, PYRAMID_OUTPUTS),
    .row_units = (guint64) columns * PYRAMID_OUTPUTS
        * (2 * push.radius + PYRAMID_OUTPUTS),
    .ns = choose_ns (passes, SLOW_TAP_NS, TAP_NS),
  };

  work.target = gpu_blur_pyramid_pass_turn (pass);
  memcpy (push.weights, axis->weights, sizeof push.weights);
  return gpu_blur_pyramid_pass_dispatch (passes, &work, &push,
      &push.first_row, &pass->blur_dispatches, error);
}

gboolean
gpu_blur_step_up (GpuBlurPyramidPasses * passes, GpuBlurPyramidPass * pass,
    guint step, GError ** error)
{
  GpuBlurStepPush push = gpu_blur_pyramid_pass_make_push (pass, pass->out, 0,
      pass->levels.n_steps);
  guint bytes = gpu_blur_pyramid_pass_pixel_size (pass);
  GpuBlurPyramidPassWork work = {
    .kernel = pass->kernels.kernels[GPU_BLUR_PYRAMID_UP],
    .source = gpu_blur_pyramid_pass_side (pass),
    .target = pass->out->buffer,
    .groups = DIV_UP ((guint) push.width, PYRAMID_GROUP
        * BLUR_PIXELS_PER_UNIT (bytes) * PYRAMID_UNITS (bytes)),
    .ns = choose_ns (passes, SLOW_STEP_NS, STEP_NS),
  };

  push.section_rows = choose_section (passes, push.height, work.groups, FALSE,
      PYRAMID_UP_ROWS);
  work.rows = DIV_UP ((guint) push.height, (guint) push.section_rows);
  work.row_units = (guint64) push.width * push.section_rows;
  return gpu_blur_pyramid_pass_dispatch (passes, &work, &push,
      &push.first_section, &pass->dispatches[1], error);
}
