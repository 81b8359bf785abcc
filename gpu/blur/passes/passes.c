/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pass.h"
#include "gpu/core/compute/slicer.h"
#include "gpu/core/rounding.h"
#include "shaders.h"


/* The largest buffer of row sums. Frames that need more are processed in strips of
 * columns. */
#define MAX_MIDDLE_SIZE ((gsize) 128 << 20)

G_STATIC_ASSERT (GPU_BLUR_MAX_STAGES >=
    GPU_BLUR_MAX_PLANES * GPU_BLUR_MAX_PASSES);

typedef struct
{
  GpuBlurFamily family;
  const GpuBlurShape *shape;    /* gpu_blur_passes_set_shape() */
} Passes;

/* The family's buffers. */
typedef enum
{
  WEIGHTS,                      /* GPU_BLUR_TABLE_WEIGHTS floats */
  MIDDLE,                       /* row sums */
} Buffer;

void
gpu_blur_passes_set_shape (GpuBlurFamily * family, const GpuBlurShape * shape)
{
  ((Passes *) family)->shape = shape;
}

/* --- buffers --- */

static gsize
middle_size (Passes * passes, const GpuBlurSettings * settings,
    const GpuPixelFormat * format, guint frame_width, guint frame_height)
{
  gboolean half = gpu_blur_choose_precision (settings, format) == GPU_BLUR_HALF;
  gsize size = 0;

  for (guint i = 0; i < format->n_planes; i++) {
    gsize width = ROUND_UP (DIV_UP (frame_width, 1u << format->shift_x[i]), 4);
    gsize height = DIV_UP (frame_height, 1u << format->shift_y[i]);
    guint words = BLUR_WORDS_PER_SUM (format->components[i],
        half && settings->kernel != GPU_BLUR_BOX);

    size = MAX (size, width * height * words * 4);
  }
  return MIN (size, MIN (MAX_MIDDLE_SIZE,
          gpu_device_get_info (passes->family.device)->max_binding));
}

/* Checks that a strip fits the buffer of row sums. A strip has at least four columns, and
 * a row sum at most four words. */
static gboolean
check_height (Passes * passes, guint height, GError ** error)
{
  gsize limit = MIN (MAX_MIDDLE_SIZE,
      gpu_device_get_info (passes->family.device)->max_binding) / (4 * 4 * 4);

  if (height <= limit)
    return TRUE;
  g_set_error (error, GPU_ERROR, GPU_ERROR_TOO_LARGE,
      "A frame of %u rows is too high to be blurred here; use one of at most %"
      G_GSIZE_FORMAT " rows.", height, limit);
  return FALSE;
}

static gboolean
prepare (GpuBlurFamily * family, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, GError ** error)
{
  Passes *passes = (Passes *) family;
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);

  return check_height (passes, info->height, error)
      && gpu_buffer_ensure (&family->buffers[WEIGHTS], family->device,
      GPU_BLUR_TABLE_WEIGHTS * sizeof (gfloat), "blur weights", error)
      && gpu_buffer_ensure (&family->buffers[MIDDLE], family->device,
      middle_size (passes, settings, format, info->width, info->height),
      "blur row sums", error);
}

/* --- groups and kernels --- */

/* The type of sums over both axes. */
typedef enum
{
  TOTALS_FLOAT,
  TOTALS_WORD,                  /* integers of 32 bits */
  TOTALS_WIDE,                  /* integers of 64 bits */
  N_TOTALS,
} Totals;

/* A pass over a plane, with the groups that run it. */
typedef struct
{
  GpuBlurTile tile;
  GpuBlurWanted wanted;
  GpuKernel *kernel;            /* owned by the device; only of plans */
} Fitted;

/* All passes over a plane. The plan is an array of these. */
typedef struct
{
  GpuBlurPlane plane;
  Fitted passes[GPU_BLUR_MAX_PASSES];
  guint n;
} FittedPlane;

static Totals
choose_totals (GpuBlurMethod method, const GpuBlurAxes * axes)
{
  if (!axes->exact && gpu_blur_get_pass (method, 0)->shader)
    return TOTALS_FLOAT;
  return axes->fits_word ? TOTALS_WORD : TOTALS_WIDE;
}

/* Returns shape @i of a pass; NULL after the last. */
static const GpuBlurShape *
get_shape (const Passes * passes, const GpuBlurPass * pass, guint i)
{
  if (passes->shape)
    return i == 0 ? passes->shape : NULL;
  return gpu_blur_pass_get_shape (pass, i);
}

/* Fits groups of a shape to a plane and a type of sums. Returns FALSE if the settings cannot
 * have these sums, if there is no shader for them, or if the device cannot run such groups.
 * Walks reach so few samples that a word holds their sums, which they do not store. Integer
 * sums are never stored as halves. */
static gboolean
fit (const Passes * passes, const GpuBlurTask * task,
    const GpuBlurPlane * plane, Totals totals, const GpuBlurShape * shape,
    Fitted * fitted)
{
  const GpuBlurPass *pass = fitted->tile.pass;
  const GpuPixelFormat *format = plane->format;
  gboolean is_in_blocks = gpu_frame_info_is_in_blocks (task->info);
  gboolean walks = gpu_blur_pass_walks (pass);
  gboolean half = plane->half && totals == TOTALS_FLOAT && !walks;
  const GpuBlurPixel pixel = {
    .components = plane->components,
    .bytes = gpu_pixel_format_get_size (format, plane->index),
    .words = BLUR_WORDS_PER_SUM (plane->components, half),
    .is_in_blocks = is_in_blocks,
  };
  GpuBlurTile *tile = &fitted->tile;

  gpu_blur_pass_get_tile (pass, shape, passes->family.device, &pixel, tile);
  fitted->wanted = (GpuBlurWanted) {
    .shader = totals == TOTALS_FLOAT ? pass->shader : pass->exact_shader,
    .n_constants = BLUR_CONSTANTS,
    .constants = {
      [BLUR_GROUP_X] = tile->group_x,
      [BLUR_GROUP_Y] = tile->group_y,
      [BLUR_COMPONENTS] = pixel.components,
      [BLUR_ALPHA] = format->alpha,
      [BLUR_UNUSED] = format->unused,
      [BLUR_HALF] = half,
      [BLUR_SHARED_WORDS] = tile->shared_words,
      [BLUR_SAMPLE] = format->sample,
      [BLUR_LINEAR] = plane->linear,
      [BLUR_WIDE] = totals == TOTALS_WIDE
          && pass->output == GPU_BLUR_TO_TARGET,
      [BLUR_UNROLLED] = tile->unrolled,
      [BLUR_COLUMNS] = tile->columns,
      [BLUR_FOURS] = is_in_blocks && walks,
      [BLUR_ROW_SUMS] = pass->row_sums,
    },
  };
  return (totals == TOTALS_FLOAT
      || gpu_blur_can_sum_integers (task->settings, format))
      && fitted->wanted.shader && tile->shared_words > 0
      && !(walks && totals == TOTALS_WIDE);
}

/* Fits the first groups of a pass that reach the radii. Returns FALSE if none do. */
static gboolean
fit_pass (const Passes * passes, const GpuBlurTask * task,
    const GpuBlurPlane * plane, Fitted * fitted)
{
  Totals totals = choose_totals (task->method, &plane->axes);
  const GpuBlurShape *shape;

  for (guint i = 0; (shape = get_shape (passes, fitted->tile.pass, i)); i++)
    if (fit (passes, task, plane, totals, shape, fitted)
        && gpu_blur_tile_reaches (&fitted->tile, &plane->axes))
      return TRUE;
  return FALSE;
}

/* Fits the groups of all passes over a plane. Returns FALSE if a pass cannot be done. */
static gboolean
fit_plane (const Passes * passes, const GpuBlurTask * task, guint index,
    FittedPlane * fitted)
{
  const GpuBlurPass *pass;

  fitted->plane = gpu_blur_task_get_plane (task, index);
  for (fitted->n = 0; (pass = gpu_blur_get_pass (task->method, fitted->n));
      fitted->n++) {
    fitted->passes[fitted->n].tile.pass = pass;
    if (!fit_pass (passes, task, &fitted->plane, &fitted->passes[fitted->n]))
      return FALSE;
  }
  return TRUE;
}

static gboolean
reaches (GpuBlurFamily * family, const GpuBlurTask * task)
{
  FittedPlane fitted;

  for (guint i = 0; i < gpu_blur_task_get_format (task)->n_planes; i++)
    if (!fit_plane ((Passes *) family, task, i, &fitted))
      return FALSE;
  return TRUE;
}

/* Lists the kernels of all groups of all passes: every radius within reach has its kernel
 * then. */
static void
list_all (const Passes * passes, const GpuBlurTask * task, guint index,
    GArray * wanted)
{
  const GpuBlurPlane plane = gpu_blur_task_get_plane (task, index);
  const GpuBlurShape *shape;
  Fitted fitted;

  for (Totals totals = 0; totals < N_TOTALS; totals++)
    for (guint i = 0; (fitted.tile.pass = gpu_blur_get_pass (task->method, i));
        i++)
      for (guint k = 0; (shape = get_shape (passes, fitted.tile.pass, k)); k++)
        if (fit (passes, task, &plane, totals, shape, &fitted))
          g_array_append_val (wanted, fitted.wanted);
}

static void
list_needed (const Passes * passes, const GpuBlurTask * task, guint index,
    GArray * wanted)
{
  FittedPlane fitted;

  if (fit_plane (passes, task, index, &fitted))
    for (guint i = 0; i < fitted.n; i++)
      g_array_append_val (wanted, fitted.passes[i].wanted);
}

static void
list_kernels (GpuBlurFamily * family, const GpuBlurTask * task,
    GpuBlurWhich which, GArray * wanted)
{
  for (guint i = 0; i < gpu_blur_task_get_format (task)->n_planes; i++)
    (which == GPU_BLUR_ALL_KERNELS ? list_all : list_needed) ((Passes *) family,
        task, i, wanted);
}

/* --- the plan --- */

static gboolean
plan_plane (Passes * passes, const GpuBlurTask * task, guint index,
    FittedPlane * fitted, GError ** error)
{
  if (!fit_plane (passes, task, index, fitted)) {
    g_set_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
        "this method cannot blur so far; use method=auto");
    return FALSE;
  }
  for (guint i = 0; i < fitted->n; i++) {
    Fitted *pass = &fitted->passes[i];

    pass->kernel =
        gpu_blur_wanted_request (&pass->wanted, passes->family.device,
        GPU_KERNEL_SOON, error);
    if (!pass->kernel)
      return FALSE;
  }
  return TRUE;
}

static gpointer
make_plan (GpuBlurFamily * family, const GpuBlurTask * task, GError ** error)
{
  guint n_planes = gpu_blur_task_get_format (task)->n_planes;
  g_autofree FittedPlane *planes = g_new (FittedPlane, n_planes);

  for (guint i = 0; i < n_planes; i++)
    if (!plan_plane ((Passes *) family, task, i, &planes[i], error))
      return NULL;
  return g_steal_pointer (&planes);
}

/* --- short dispatches --- */

/* All shaders of passes have the same push constants. */
typedef GpuBlurDirectPush Push;

/* The recording of one plane. */
typedef struct
{
  const Passes *owner;
  const GpuBlurRecording *recording;
  const FittedPlane *fitted;
  Push push;
} PlaneRun;

/* Returns the pixel columns for which 16 rows, or those of one workgroup, fill a short
 * dispatch. A multiple of the columns of a workgroup, as a partly used workgroup takes as
 * long as a full one; for wide workgroups a multiple of 32, as threads beyond a strip's
 * edge sum nothing. */
static guint64
choose_strip_columns (PlaneRun * run, const GpuKernel * kernel, guint work,
    guint group_rows, guint group_columns)
{
  guint64 columns = gpu_stream_get_dispatch_units (run->recording->stream,
      kernel)
      / work / MAX (16, group_rows);
  guint step = MIN (32, group_columns);

  return MAX (columns / step, 1) * step;
}

/* --- recording --- */

/* Adds to the report. All strips of a pass are one stage. */
static void
report_pass (PlaneRun * run, guint i, guint dispatches)
{
  const FittedPlane *fitted = run->fitted;
  const Fitted *pass = &fitted->passes[i];
  GpuBlurReport *report = run->recording->report;
  guint at = fitted->plane.index * fitted->n + i;

  report->stages[at].name = pass->tile.pass->stage;
  report->stages[at].plane = fitted->plane.index;
  report->stages[at].dispatches += dispatches;
  report->stages[at].taps = gpu_blur_pass_taps (pass->tile.pass,
      &fitted->plane.axes);
  report->stages[at].group_x = pass->tile.group_x;
  report->stages[at].group_y = pass->tile.group_y;
  report->stages[at].groups_down = DIV_UP (run->push.height,
      run->push.section_rows);
}

/* Records one pass over all rows of a strip, in short dispatches. */
static void
record_pass (PlaneRun * run, guint i)
{
  const GpuBlurRecording *recording = run->recording;
  const GpuBlurTile *tile = &run->fitted->passes[i].tile;
  const GpuBlurAxes *axes = &run->fitted->plane.axes;
  guint group_rows = gpu_blur_tile_group_rows (tile, axes);
  Push *push = &run->push;
  const GpuDispatch dispatch = {
    .kernel = run->fitted->passes[i].kernel,
    .buffers = {
      [BLUR_SOURCE] = recording->in->buffer,
      [BLUR_TARGET] = recording->out->buffer,
      [BLUR_WEIGHTS] = run->owner->family.buffers[WEIGHTS],
      [BLUR_MIDDLE] = run->owner->family.buffers[MIDDLE],
      [BLUR_LIGHT] = recording->light,
      [BLUR_SOURCE_FOURS] = recording->in->buffer,
    },
    .push = push,
  };
  GpuPieces rows = {
    .work = dispatch.kernel,
    .units = (guint64) push->strip_width * gpu_blur_tile_work (tile,
        axes),
    .n = push->height,
    .step = group_rows,
    .most = gpu_device_get_info (run->owner->family.device)->max_groups[1],
  };
  guint dispatches = 0;

  push->section_rows = group_rows;
  push->section_columns = gpu_blur_tile_section_columns (tile, axes,
      push->strip_width);
  gpu_stream_stage (recording->stream, tile->pass->stage);
  while (gpu_pieces_next (&rows, recording->stream)) {
    push->first_row = rows.first;
    push->rows = rows.end - rows.first;
    gpu_stream_dispatch (recording->stream, &dispatch,
        DIV_UP (push->strip_width, push->section_columns),
        DIV_UP (push->rows, group_rows), 1);
    dispatches++;
  }
  report_pass (run, i, dispatches);
}

/* Returns the largest width of a strip in pixels that a pass allows. Three limits apply:
 * the columns of one dispatch, the length of a short dispatch, and the size of middle[]. */
static guint64
pass_width (PlaneRun * run, const Fitted * fitted)
{
  const GpuBlurAxes *axes = &run->fitted->plane.axes;
  const GpuBlurTile *tile = &fitted->tile;
  guint64 columns = choose_strip_columns (run, fitted->kernel,
      gpu_blur_tile_work (tile, axes),
      gpu_blur_tile_group_rows (tile, axes),
      gpu_blur_tile_group_columns (tile));
  guint64 width = gpu_blur_tile_max_width (tile, run->owner->family.device,
      axes);

  width = MIN (width, columns);
  if (tile->pass->output == GPU_BLUR_TO_MIDDLE)
    width = MIN (width, gpu_buffer_get_size (run->owner->family.buffers[MIDDLE])
        / (4 * tile->pixel.words * run->push.height));
  return width;
}

/* Returns the width of all strips but the last. A strip begins where a thread of every
 * pass does, at a whole unit and a whole block: all numbers of a thread's columns are
 * powers of two. */
static guint
strip_width (PlaneRun * run)
{
  guint64 width = G_MAXUINT64;
  guint step = 1;

  for (guint i = 0; i < run->fitted->n; i++) {
    const Fitted *fitted = &run->fitted->passes[i];

    width = MIN (width, pass_width (run, fitted));
    step = MAX (step, gpu_blur_tile_thread_columns (&fitted->tile));
  }
  return width >= run->push.width ? run->push.width
      : MAX (width / step * step, step);
}

static void
record_strips (PlaneRun * run)
{
  guint pixels = gpu_blur_plane_get_unit (&run->fitted->plane);
  guint width = strip_width (run);
  Push *push = &run->push;

  for (guint x = 0; x < push->width; x += width) {
    push->strip = x;
    push->strip_width = MIN (width, push->width - x);
    push->first_unit = x / pixels;
    push->units = DIV_UP (push->strip_width, pixels);
    for (guint i = 0; i < run->fitted->n; i++)
      record_pass (run, i);
  }
}

static void
record_plane (const Passes * passes, const FittedPlane * fitted,
    const GpuBlurRecording * recording)
{
  const GpuBlurAxes *axes = &fitted->plane.axes;
  const GpuFrameInfo *in = &recording->in->info, *out = &recording->out->info;
  guint i = fitted->plane.index;
  PlaneRun run = {
    .owner = passes,
    .recording = recording,
    .fitted = fitted,
    .push = {
      .width = gpu_frame_info_plane_width (in, i),
      .height = gpu_frame_info_plane_height (in, i),
      .source_offset = in->offset[i] / 4,
      .source_stride = in->stride[i] / 4,
      .target_offset = out->offset[i] / 4,
      .target_stride = out->stride[i] / 4,
      .radius_x = axes->x.radius,
      .radius_y = axes->y.radius,
      .weights_x = GPU_BLUR_WEIGHTS_X (i),
      .weights_y = GPU_BLUR_WEIGHTS_Y (i),
      .inner_x = axes->x.inner_weight,
      .end_x = axes->x.end_weight,
      .inner_y = axes->y.inner_weight,
      .end_y = axes->y.end_weight,
      .edge = recording->settings->edge,
      .black = gpu_pixel_format_get_black (fitted->plane.format, i,
          recording->settings->full_range),
    },
  };

  record_strips (&run);
}

static void
record (GpuBlurFamily * family, gpointer plan,
    const GpuBlurRecording * recording)
{
  const Passes *passes = (Passes *) family;
  const FittedPlane *planes = plan;
  guint n_planes = planes[0].plane.format->n_planes;

  gpu_stream_stage (recording->stream, "weights");
  for (guint i = 0; i < n_planes; i++)
    if (choose_totals (recording->report->method, &planes[i].plane.axes)
        == TOTALS_FLOAT)
      gpu_blur_plane_write_weights (&planes[i].plane, recording->stream,
          family->buffers[WEIGHTS], 0);
  recording->report->n_stages = n_planes * planes[0].n;
  for (guint i = 0; i < n_planes; i++)
    record_plane (passes, &planes[i], recording);
}

const GpuBlurFamilyType gpu_blur_passes_type = {
  .size = sizeof (Passes),
  .prepare = prepare,
  .reaches = reaches,
  .list_kernels = list_kernels,
  .make_plan = make_plan,
  .record = record,
};
