/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pyramidrecord.h"
#include "shaders.h"
#include "shaders/blur/shared.h"
#include "gpu/core/compute/slicer.h"
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

/* For walks: the number of groups that keeps the cores of a CPU busy, and the least rows of a
 * section. Sections are high, as each reads more additional rows above it than groups with
 * shared memory do. */
#define WANTED_WALK_GROUPS 8
#define MIN_WALK_SECTION 32

/* Of all steps between a plane and a coarser one, first. */
typedef GpuBlurPyramidWalkColumnsPush StepPush;

/* *INDENT-OFF* */
typedef struct
{
  PYRAMID_DOWN_PUSH (StepPush step;, gint32)
} DownPush;

typedef struct
{
  PYRAMID_UP_PUSH (StepPush step;, gfloat)
} UpPush;

typedef struct
{
  PYRAMID_WALK_UP_PUSH (StepPush step;, gfloat)
} WalkUpPush;
/* *INDENT-ON* */

G_STATIC_ASSERT (sizeof (DownPush) == sizeof (GpuBlurPyramidDownPush)
    && sizeof (UpPush) == sizeof (GpuBlurPyramidUpPush)
    && sizeof (WalkUpPush) == sizeof (GpuBlurPyramidWalkUpPush));

/* One plane on its way down and up. */
typedef struct
{
  const GpuBlurPyramidPlane *planned;
  const GpuBlurPlane *plane;    /* of @planned */
  const GpuBlurRecording *recording;
  gboolean walks_up;
  GpuBlurSide side;             /* the one written last */
  gboolean joins;               /* the next dispatch is timed with one before */
  guint edge, black;
  guint dispatches[2];          /* down; up, with those of wide kernels */
} PlaneRun;

/* A dispatch, but for its push constants. */
typedef struct
{
  GpuBlurPyramidKernel kernel;
  GpuBuffer *source, *target;
  guint groups, rows;           /* workgroups side by side; rows of workgroups */
  guint64 row_units;            /* units of work in a row of workgroups */
} Work;

/* Returns the samples of level @level along an axis, without margins. Level 0 is the plane. */
static guint
size_of (const PlaneRun * run, GpuBlurLevelsAxis axis, guint level)
{
  return run->planned->levels.axes[axis].sizes[level];
}

/* The same with margins. */
static guint
extent_of (const PlaneRun * run, GpuBlurLevelsAxis axis, guint level)
{
  return gpu_blur_levels_extent (&run->planned->levels, axis, level);
}

/* Returns the buffer that the plane's last dispatch wrote. */
static GpuBuffer *
last_side (const PlaneRun * run)
{
  return run->planned->sides[run->side];
}

/* Returns the other one, which the next dispatch writes. */
static GpuBuffer *
next_side (PlaneRun * run)
{
  run->side = run->side == GPU_BLUR_SIDE_FIRST ? GPU_BLUR_SIDE_SECOND
      : GPU_BLUR_SIDE_FIRST;
  return last_side (run);
}

/* Returns the push constants of a step between levels @finer and @coarser. @frame: its
 * layout is filled in, and is used if @finer is the frame. */
static StepPush
make_push (const PlaneRun * run, const GpuFrame * frame, guint finer,
    guint coarser)
{
  return (StepPush) {
    .width = size_of (run, GPU_BLUR_LEVELS_X, finer),
    .height = size_of (run, GPU_BLUR_LEVELS_Y, finer),
    .coarse_width = size_of (run, GPU_BLUR_LEVELS_X, coarser),
    .coarse_height = size_of (run, GPU_BLUR_LEVELS_Y, coarser),
    .offset = frame->info.offset[run->plane->index] / 4,
    .stride = frame->info.stride[run->plane->index] / 4,
    .edge = run->edge,
    .black = run->black,
  };
}

/* Records all rows of workgroups as short dispatches, and adds their number to
 * @dispatches. @first: the member of @push for the first row of a dispatch. */
static void
record_work (PlaneRun * run, const Work * work, gconstpointer push,
    gint32 * first, guint * dispatches)
{
  GpuStream *stream = run->recording->stream;
  GpuDevice *device = gpu_stream_get_device (stream);
  const GpuDispatch dispatch = {
    .kernel = run->planned->kernels[work->kernel],
    .buffers = {
      [PYRAMID_SOURCE] = work->source,
      [PYRAMID_TARGET] = work->target,
      [PYRAMID_LIGHT] = run->recording->light,
    },
    .push = push,
  };
  GpuPieces rows = {
    .work = dispatch.kernel,
    .units = work->row_units,
    .n = work->rows,
    .step = 1,
    .most = gpu_device_get_info (device)->max_groups[1],
  };

  if (run->joins)
    gpu_stream_join (stream);
  while (gpu_pieces_next (&rows, stream)) {
    *first = rows.first;
    gpu_stream_dispatch (stream, &dispatch, work->groups,
        rows.end - rows.first, 1);
    (*dispatches)++;
  }
}

/* --- down --- */

/* Returns the dispatch of a step down in sections of @rows rows of the level, and fills in
 * @push. */
static Work
init_down (PlaneRun * run, guint step, guint rows, StepPush * push)
{
  Work work = {
    .source = step == 0 ? run->recording->in->buffer : last_side (run),
    .rows = DIV_UP (extent_of (run, GPU_BLUR_LEVELS_Y, step + 1), rows),
  };

  work.target = next_side (run);
  *push = make_push (run, run->recording->in, step, step + 1);
  push->section_rows = rows;
  work.row_units = (guint64) push->width * push->height * rows
      / push->coarse_height + 1;
  return work;
}

static void
step_down (PlaneRun * run, guint step)
{
  guint samples = step == 0 ? run->plane->components : 4;
  DownPush push;
  Work work = init_down (run, step, PYRAMID_TILE_ROWS, &push.step);

  work.kernel = step == 0 ? GPU_BLUR_PYRAMID_DOWN
      : GPU_BLUR_PYRAMID_DOWN_FROM_LEVEL;
  push.step.section_columns = PYRAMID_TILE_COLUMNS (push.step.width,
      push.step.coarse_width, samples);
  work.groups = DIV_UP (extent_of (run, GPU_BLUR_LEVELS_X, step + 1),
      (guint) push.step.section_columns);
  push.held_rows = DIV_UP ((PYRAMID_TILE_ROWS + 3) * push.step.height
      / push.step.coarse_height + 2,
      PYRAMID_ROWS_AT_ONCE) * PYRAMID_ROWS_AT_ONCE;
  record_work (run, &work, &push, &push.step.first_section,
      &run->dispatches[0]);
}

static guint
choose_walk_section (guint rows, guint groups, guint most)
{
  return CLAMP (rows * groups / WANTED_WALK_GROUPS, MIN_WALK_SECTION, most);
}

static void
walk_down_columns (PlaneRun * run, guint step)
{
  guint columns = step > 0 ? extent_of (run, GPU_BLUR_LEVELS_X, step)
      : DIV_UP (size_of (run, GPU_BLUR_LEVELS_X, 0),
      PYRAMID_PIXELS (run->plane->components));
  guint groups = DIV_UP (columns, PYRAMID_WALK_GROUP * PYRAMID_WALK_ADJACENT);
  guint rows = extent_of (run, GPU_BLUR_LEVELS_Y, step + 1);
  StepPush push;
  Work work = init_down (run, step, choose_walk_section (rows, groups,
          PYRAMID_WALK_DOWN_ROWS), &push);

  work.kernel = step == 0 ? GPU_BLUR_PYRAMID_WALK_COLUMNS
      : GPU_BLUR_PYRAMID_WALK_COLUMNS_OF_LEVEL;
  work.groups = groups;
  record_work (run, &work, &push, &push.first_section, &run->dispatches[0]);
}

/* If the step up is walked, the last step down blurs rows and scales them up, too. */
static void
walk_rows (PlaneRun * run, guint step)
{
  const GpuBlurLevelsOfAxis *axis =
      &run->planned->levels.axes[GPU_BLUR_LEVELS_X];
  gboolean goes_up = run->walks_up && step + 1 == run->planned->levels.n_steps;
  GpuBlurPyramidWalkRowsPush push = {
    .fine_width = axis->sizes[step],
    .coarse_width = axis->sizes[step + 1],
    .width = axis->sizes[0],
    .rows = extent_of (run, GPU_BLUR_LEVELS_Y, step + 1),
    .margin = step == 0 ? 0 : PYRAMID_MARGIN,
    .edge = run->edge,
    .black = run->black,
  };
  Work work = {
    .kernel = goes_up ? GPU_BLUR_PYRAMID_WALK_ROWS
        : GPU_BLUR_PYRAMID_WALK_LEVEL,
    .source = last_side (run),
    .groups = goes_up ? DIV_UP (axis->sizes[0], PYRAMID_WALK_LENGTH) : 1,
    .rows = DIV_UP ((guint) push.rows, PYRAMID_WALK_ROW_GROUP),
    .row_units = (guint64) axis->sizes[goes_up ? 0 : step]
        * PYRAMID_WALK_ROW_GROUP,
  };

  work.target = next_side (run);
  memcpy (push.weights, axis->weights, sizeof push.weights);
  record_work (run, &work, &push, &push.first_group, &run->dispatches[0]);
}

static gboolean
go_down (PlaneRun * run, guint step)
{
  if (step >= run->planned->levels.n_steps)
    return FALSE;
  if (run->planned->walks)
    walk_down_columns (run, step);
  else
    step_down (run, step);
  return TRUE;
}

static gboolean
walk_along_rows (PlaneRun * run, guint step)
{
  if (!run->planned->walks || step >= run->planned->levels.n_steps)
    return FALSE;
  walk_rows (run, step);
  return TRUE;
}

/* --- kernels that are too wide for the step up --- */

static gboolean
blur_level (PlaneRun * run, guint along)
{
  guint coarsest = run->planned->levels.n_steps;
  const GpuBlurLevelsOfAxis *axis = &run->planned->levels.axes[along];
  guint lines = extent_of (run,
      along == GPU_BLUR_LEVELS_X ? GPU_BLUR_LEVELS_Y : GPU_BLUR_LEVELS_X,
      coarsest);
  GpuBlurPyramidBlurPush push = {
    .width = size_of (run, GPU_BLUR_LEVELS_X, coarsest),
    .height = size_of (run, GPU_BLUR_LEVELS_Y, coarsest),
    .edge = run->edge,
    .axis = along,
    .radius = axis->radius,
  };
  Work work = {
    .kernel = GPU_BLUR_PYRAMID_BLUR,
    .source = last_side (run),
    .groups = DIV_UP (lines, PYRAMID_BLUR_GROUP),
    .rows = extent_of (run, along, coarsest),
    .row_units = (guint64) lines * (2 * push.radius + 1),
  };

  if (!gpu_blur_levels_are_wide_along (&run->planned->levels, along))
    return FALSE;
  work.target = next_side (run);
  memcpy (push.weights, axis->weights, sizeof push.weights);
  record_work (run, &work, &push, &push.first_section, &run->dispatches[1]);
  return TRUE;
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
count_held (const StepPush * step, guint unit)
{
  guint columns = span (step->section_columns * unit, step->width,
      step->coarse_width);
  guint rows = span (step->section_rows, step->height, step->coarse_height);

  return columns * 2 * (rows + PYRAMID_RADIUS);
}

static guint
count_groups (const StepPush * step, guint unit)
{
  return DIV_UP ((guint) step->width, step->section_columns * unit)
      * DIV_UP ((guint) step->height, (guint) step->section_rows);
}

static gboolean
is_least (const StepPush * step, guint unit)
{
  return step->section_rows <= MIN_TILE_SIDE
      && (step->section_columns <= MIN_TILE_UNITS
      || step->section_columns * unit <= MIN_TILE_SIDE);
}

/* Chooses the tiles. Their units across are a power of two, so that they divide the threads
 * of a group. */
static void
set_tile (StepPush * step, guint unit, guint words, guint wanted)
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
set_kernel (const PlaneRun * run, GpuBlurLevelsAxis axis, gfloat * weights)
{
  if (gpu_blur_levels_are_wide_along (&run->planned->levels, axis))
    weights[0] = 1;
  else
    memcpy (weights, run->planned->levels.axes[axis].weights,
        (PYRAMID_RADIUS + 1) * sizeof *weights);
}

static void
step_up (PlaneRun * run)
{
  GpuDevice *device = gpu_stream_get_device (run->recording->stream);
  guint unit = gpu_blur_plane_get_unit (run->plane);
  UpPush push = {
    make_push (run, run->recording->out, 0, run->planned->levels.n_steps),
    {0}, {0}
  };
  Work work = {
    .kernel = GPU_BLUR_PYRAMID_UP,
    .source = last_side (run),
    .target = run->recording->out->buffer,
  };

  set_kernel (run, GPU_BLUR_LEVELS_X, push.weights_x);
  set_kernel (run, GPU_BLUR_LEVELS_Y, push.weights_y);
  set_tile (&push.step, unit, run->planned->sample_words,
      gpu_device_is_slow (device) ? SLOW_WANTED_GROUPS : WANTED_GROUPS);
  work.groups = DIV_UP ((guint) push.step.width,
      push.step.section_columns * unit);
  work.rows = DIV_UP ((guint) push.step.height, (guint) push.step.section_rows);
  work.row_units = (guint64) push.step.width * push.step.section_rows;
  record_work (run, &work, &push,
      &push.step.first_section, &run->dispatches[1]);
}

static void
walk_up (PlaneRun * run)
{
  const GpuBlurLevels *levels = &run->planned->levels;
  WalkUpPush push = {
    make_push (run, run->recording->out, 0, levels->n_steps), {0}
  };
  Work work = {
    .kernel = GPU_BLUR_PYRAMID_WALK_UP,
    .source = last_side (run),
    .target = run->recording->out->buffer,
    .groups = DIV_UP ((guint) push.step.width, PYRAMID_WALK_GROUP
        * gpu_blur_plane_get_unit (run->plane)),
  };

  push.step.section_rows = choose_walk_section (push.step.height, work.groups,
      PYRAMID_WALK_UP_ROWS);
  work.rows = DIV_UP ((guint) push.step.height, (guint) push.step.section_rows);
  work.row_units = (guint64) push.step.width * push.step.section_rows;
  memcpy (push.weights, levels->axes[GPU_BLUR_LEVELS_Y].weights,
      sizeof push.weights);
  record_work (run, &work, &push,
      &push.step.first_section, &run->dispatches[1]);
}

static gboolean
go_up (PlaneRun * run, guint step)
{
  if (run->walks_up)
    walk_up (run);
  else
    step_up (run);
  return TRUE;
}

/* --- all planes --- */

/* Records a step of all planes that have it; these run concurrently. @record: returns whether
 * the plane has the step. */
static void
record_side_by_side (PlaneRun * runs, guint n, guint step,
    gboolean (*record) (PlaneRun * run, guint step))
{
  GpuStream *stream = runs->recording->stream;
  gboolean joins = FALSE;

  gpu_stream_begin_disjoint (stream);
  for (guint i = 0; i < n; i++) {
    runs[i].joins = joins;
    joins |= record (&runs[i], step);
  }
  gpu_stream_end_disjoint (stream);
}

static PlaneRun
init_run (const GpuBlurPyramidPlane * planned,
    const GpuBlurRecording * recording)
{
  const GpuBlurSettings *settings = recording->settings;
  const GpuBlurPlane *plane = &planned->plane;

  return (PlaneRun) {
    .planned = planned,
    .plane = plane,
    .recording = recording,
    .walks_up = planned->walks && !gpu_blur_levels_are_wide (&planned->levels),
    .side = GPU_BLUR_SIDE_SECOND,
    .edge = settings->edge,
    .black = gpu_pixel_format_get_black (plane->format, plane->index,
        settings->full_range),
  };
}

static void
report_stage (const PlaneRun * run, const gchar * name, guint dispatches,
    guint taps)
{
  GpuBlurReport *report = run->recording->report;
  guint at = report->n_stages++;

  report->stages[at].name = name;
  report->stages[at].plane = run->plane->index;
  report->stages[at].dispatches = dispatches;
  report->stages[at].taps = taps;
}

/* Adds the stages of a plane. Their taps are sums over both axes. Those down are of the
 * first step; those up include the taps of the kernel. */
static void
report_run (const PlaneRun * run)
{
  guint down = 0, blur = 0;

  for (guint i = 0; i < GPU_BLUR_LEVELS_AXES; i++) {
    const GpuBlurLevelsOfAxis *axis = &run->planned->levels.axes[i];

    down += DIV_UP (4 * axis->sizes[0], axis->sizes[1]);
    blur += 2 * axis->radius + 1;
  }
  report_stage (run, "pyramid-down", run->dispatches[0], down);
  report_stage (run, "pyramid-up", run->dispatches[1], blur + 8);
}

void
gpu_blur_pyramid_record (const GpuBlurPyramidPlane * planes,
    const GpuBlurRecording * recording)
{
  guint n = planes[0].plane.format->n_planes;
  PlaneRun runs[GPU_BLUR_MAX_PLANES] = { {NULL} };

  for (guint i = 0; i < n; i++)
    runs[i] = init_run (&planes[i], recording);
  gpu_stream_stage (recording->stream, "pyramid-down");
  for (guint i = 0; i < GPU_BLUR_MAX_STEPS; i++) {
    record_side_by_side (runs, n, i, go_down);
    record_side_by_side (runs, n, i, walk_along_rows);
  }
  gpu_stream_stage (recording->stream, "pyramid-up");
  for (guint axis = 0; axis < GPU_BLUR_LEVELS_AXES; axis++)
    record_side_by_side (runs, n, axis, blur_level);
  record_side_by_side (runs, n, 0, go_up);
  for (guint i = 0; i < n; i++)
    report_run (&runs[i]);
}
