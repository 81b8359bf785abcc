/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gpu/blur/family.h"
#include "gpu/core/compute/slicer.h"
#include "gpu/core/rounding.h"
#include "shaders.h"
#include "shaders/blur/bilateral/shared.h"

#include <math.h>

/* Both shaders have the same push constants and bindings; only windows use tables. */
typedef GpuBlurBilateralWindowPush Push;

#define N_SCRATCHES 2

/* The floats of the tables: range weights, then spatial weights. */
#define TABLE_SIZE (BILATERAL_RANGES + GPU_BLUR_TABLE_WEIGHTS)

G_STATIC_ASSERT (GPU_BLUR_MAX_STAGES >= 2 * GPU_BLUR_MAX_PLANES);

/* The family's buffers. */
typedef enum
{
  TABLES,                       /* TABLE_SIZE floats */
  SCRATCHES,                    /* N_SCRATCHES frames between passes */
} Buffer;

/* --- weights --- */

/* The distance in standard deviations beyond which weights are 0. */
#define FARTHEST 4.5

/* The least rate, for deviations so small that only distance 0 has a weight: minus
 * infinity times 0 is not a number. */
#define LEAST_RATE -1e6

/* The weights of squared distances between colours of a format. */
typedef struct
{
  gdouble scale;                /* factor from a squared distance to the index of its
                                   weight, a power of two */
  gdouble rate;                 /* binary logarithm of weight 1; that of weight i is i
                                   times as much */
} Range;

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

static void
init_range (Range * range, const GpuBlurSettings * settings,
    const GpuPixelFormat * format)
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

/* Writes the BILATERAL_RANGES weights. */
static void
get_range_weights (const Range * range, gfloat * weights)
{
  for (guint i = 0; i < BILATERAL_RANGES - 1; i++)
    weights[i] = exp2 (i * range->rate);
  weights[BILATERAL_RANGES - 1] = 0;
}

/* Returns the binary logarithm of the spatial weight of distance 1; 0 if the radius is 0.
 * That of distance d is d² times as much. */
static gdouble
get_spatial_rate (const GpuBlurAxis * axis)
{
  return axis->radius == 0 ? 0 : get_rate (1, axis->sigma * axis->sigma);
}

/* --- buffers --- */

/* Fills in the layout of a scratch frame for frames like @like. */
static void
lay_out (const GpuFrameInfo * like, GpuFrameInfo * scratch)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (like->pixels);

  *scratch = *like;
  scratch->size = 0;
  for (guint i = 0; i < format->n_planes; i++) {
    scratch->offset[i] = scratch->size;
    scratch->stride[i] = ROUND_UP ((gsize) gpu_frame_info_plane_width (like, i)
        * gpu_pixel_format_get_size (format, i), 4);
    scratch->size += scratch->stride[i] * gpu_frame_info_plane_height (like, i);
  }
}

/* The separable method needs one more pass than it has rounds, and can always run. */
static gboolean
ensure_scratches (GpuBlurFamily * family, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, GError ** error)
{
  guint n = MIN (2 * settings->rounds - 1, N_SCRATCHES);
  GpuFrameInfo scratch;

  lay_out (info, &scratch);
  for (guint i = 0; i < n; i++)
    if (!gpu_buffer_ensure (&family->buffers[SCRATCHES + i], family->device,
            scratch.size, "bilateral frame", error))
      return FALSE;
  return TRUE;
}

static gboolean
prepare (GpuBlurFamily * family, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, GError ** error)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);

  if (!gpu_blur_can_weigh_colours (format)) {
    g_set_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
        "The bilateral filter cannot do %s; use a format of 8 bits such as RGBA, "
        "NV12 or I420.", format->name);
    return FALSE;
  }
  return gpu_buffer_ensure (&family->buffers[TABLES], family->device,
      TABLE_SIZE * sizeof (gfloat), "bilateral weights",
      error) && ensure_scratches (family, settings, info, error);
}

/* --- kernels --- */

/* The outputs of a group. All formats have the same, so that a tile fits all or none. */
#define GROUP_PIXELS 32
#define GROUP_THREAD_ROWS 8

/* The largest radius of a window, for its loop rounds: a unit of four pixels of N rows
 * and N columns, and those that fetch the tile, stay below 65000
 * (docs/internals/design.md). */
#define MAX_ROUNDS_RADIUS 60

/* A tile for the radii that AUTO takes needs so little shared memory that it limits no
 * number of groups. The other holds as much as the device has. */
#define N_TILES 2
static const guint tile_radii[N_TILES] = {
  GPU_BLUR_BILATERAL_AUTO_RADIUS, MAX_ROUNDS_RADIUS
};

static guint
count_tile_words (guint radius_x, guint radius_y)
{
  return (GROUP_PIXELS + 2 * radius_x)
      * (GROUP_THREAD_ROWS * BILATERAL_ROWS + 2 * radius_y);
}

/* Returns the most words that a tile can have beside the range weights and a flag. */
static guint
get_tile_limit (GpuDevice * device)
{
  return gpu_device_get_info (device)->max_shared / 4 - BILATERAL_RANGES - 1;
}

/* The largest radius of a window, along both axes, that the shared memory of a group has room
 * for. */
static guint
get_max_radius (GpuDevice * device)
{
  guint radius = MAX_ROUNDS_RADIUS;

  while (count_tile_words (radius, radius) > get_tile_limit (device))
    radius--;
  return radius;
}

static guint
get_tile_words (GpuDevice * device, guint tile)
{
  return MIN (count_tile_words (tile_radii[tile], tile_radii[tile]),
      get_tile_limit (device));
}

static guint
pick_tile (GpuDevice * device, const GpuBlurAxes * axes)
{
  guint words = count_tile_words (axes->x.radius, axes->y.radius);
  guint tile = 0;

  while (tile < N_TILES - 1 && get_tile_words (device, tile) < words)
    tile++;
  return tile;
}

/* What a pass filters. */
typedef enum
{
  WINDOW,
  ROWS,
  COLUMNS,
  N_EXTENTS
} Extent;

/* @tile: of windows. */
static GpuBlurWanted
get_wanted (GpuDevice * device, const GpuBlurPlane * plane, Extent extent,
    guint tile)
{
  const GpuPixelFormat *format = plane->format;
  gboolean is_window = extent == WINDOW;

  return (GpuBlurWanted) {
    .shader = is_window ? &gpu_shader_blur_bilateral_window
        : &gpu_shader_blur_bilateral_axis,
    .n_constants = BILATERAL_CONSTANTS,
    .constants = {
      [BILATERAL_GROUP_X] = is_window
          ? GROUP_PIXELS / gpu_blur_plane_get_unit (plane) : GROUP_PIXELS,
      [BILATERAL_GROUP_Y] = GROUP_THREAD_ROWS,
      [BILATERAL_COMPONENTS] = plane->components,
      [BILATERAL_ALPHA] = format->alpha,
      [BILATERAL_UNUSED] = format->unused,
      [BILATERAL_LINEAR] = plane->linear,
      [BILATERAL_GUIDED] = plane->index > 0,
      [BILATERAL_DOWN] = extent == COLUMNS,
      [BILATERAL_TILE_WORDS] = is_window ? get_tile_words (device, tile) : 0,
      [BILATERAL_SHIFT_X] = format->shift_x[plane->index],
      [BILATERAL_SHIFT_Y] = format->shift_y[plane->index],
    },
  };
}

static gboolean
reaches (GpuBlurFamily * family, const GpuBlurTask * task)
{
  guint radius = 0;

  for (guint i = 0; i < gpu_blur_task_get_format (task)->n_planes; i++) {
    const GpuBlurPlane plane = gpu_blur_task_get_plane (task, i);

    radius = MAX (radius, MAX (plane.axes.x.radius, plane.axes.y.radius));
  }
  return task->method == GPU_BLUR_SEPARABLE
      || (task->method == GPU_BLUR_DIRECT_SHARED
      && radius <= get_max_radius (family->device));
}

/* The extents of a method's passes: one, or two that follow each other. */
typedef struct
{
  Extent first, last;
} Extents;

static Extents
get_extents (GpuBlurMethod method)
{
  return method == GPU_BLUR_SEPARABLE ? (Extents) {ROWS, COLUMNS}
      : (Extents) {WINDOW, WINDOW};
}

static void
list_plane (GpuDevice * device, const GpuBlurPlane * plane, Extent extent,
    GpuBlurWhich which, GArray * wanted)
{
  gboolean all = which == GPU_BLUR_ALL_KERNELS && extent == WINDOW;
  guint needed = pick_tile (device, &plane->axes);
  guint last = all ? N_TILES - 1 : needed;

  for (guint tile = all ? 0 : needed; tile <= last; tile++) {
    const GpuBlurWanted one = get_wanted (device, plane, extent, tile);

    g_array_append_val (wanted, one);
  }
}

static void
list_kernels (GpuBlurFamily * family, const GpuBlurTask * task,
    GpuBlurWhich which, GArray * wanted)
{
  GpuDevice *device = family->device;
  const Extents extents = get_extents (task->method);

  for (guint i = 0; i < gpu_blur_task_get_format (task)->n_planes; i++) {
    const GpuBlurPlane plane = gpu_blur_task_get_plane (task, i);

    for (Extent extent = extents.first; extent <= extents.last; extent++)
      list_plane (device, &plane, extent, which, wanted);
  }
}

/* --- the plan --- */

/* A plane and what filters it, by extent. */
typedef struct
{
  GpuBlurPlane plane;
  GpuKernel *kernels[N_EXTENTS];        /* owned by the device; NULL: not of the method */
} PlannedPlane;

typedef struct
{
  Extents extents;
  Range range;
  PlannedPlane planes[GPU_BLUR_MAX_PLANES];
} Plan;

static gpointer
make_plan (GpuBlurFamily * family, const GpuBlurTask * task, GError ** error)
{
  GpuDevice *device = family->device;
  const GpuPixelFormat *format = gpu_blur_task_get_format (task);
  g_autofree Plan *plan = g_new0 (Plan, 1);

  plan->extents = get_extents (task->method);
  init_range (&plan->range, task->settings, format);
  for (guint i = 0; i < format->n_planes; i++) {
    PlannedPlane *planned = &plan->planes[i];

    planned->plane = gpu_blur_task_get_plane (task, i);
    for (Extent extent = plan->extents.first; extent <= plan->extents.last;
        extent++) {
      const GpuBlurWanted wanted = get_wanted (device, &planned->plane, extent,
          pick_tile (device, &planned->plane.axes));

      planned->kernels[extent] = gpu_blur_wanted_request (&wanted, device,
          GPU_KERNEL_SOON, error);
      if (!planned->kernels[extent])
        return NULL;
    }
  }
  return g_steal_pointer (&plan);
}

/* --- recording --- */

/* The recording of one plane in one run. */
typedef struct
{
  const GpuBlurFamily *family;
  const GpuBlurRecording *recording;
  const GpuBlurPlane *plane;
  Extent extent;
  guint unit;                   /* pixels */
  guint group_units, group_rows;        /* outputs of a group */
  GpuDispatch dispatch;
  Push push;
  guint dispatches;
} PlaneRun;

static void
record_tables (const GpuBlurFamily * family, const Plan * plan,
    GpuStream * stream)
{
  gfloat ranges[BILATERAL_RANGES];

  gpu_stream_stage (stream, "weights");
  get_range_weights (&plan->range, ranges);
  gpu_stream_write (stream, family->buffers[TABLES], 0, ranges, sizeof ranges);
  for (guint i = 0; i < plan->planes[0].plane.format->n_planes; i++)
    gpu_blur_plane_write_weights (&plan->planes[i].plane, stream,
        family->buffers[TABLES], BILATERAL_RANGES);
}

/* --- short dispatches --- */

static guint
count_taps (const PlaneRun * run)
{
  const GpuBlurAxes *axes = &run->plane->axes;
  guint x = 2 * axes->x.radius + 1, y = 2 * axes->y.radius + 1;

  return run->extent == WINDOW ? x * y : run->extent == ROWS ? x : y;
}

/* Returns the most units of a row whose rows of groups are short dispatches; whole
 * groups. */
static guint
choose_units (const PlaneRun * run)
{
  guint64 taps = gpu_stream_get_dispatch_units (run->recording->stream,
      run->dispatch.kernel);
  guint64 groups = taps / count_taps (run) / run->unit / run->group_rows
      / run->group_units;
  guint most = gpu_device_get_info (run->family->device)->max_groups[0];

  return CLAMP (groups, 1, most) * run->group_units;
}

/* Records the rows of the units that the push constants have. */
static void
record_rows (PlaneRun * run)
{
  GpuStream *stream = run->recording->stream;
  Push *push = &run->push;
  GpuPieces rows = {
    .work = run->dispatch.kernel,
    .units = (guint64) push->units * run->unit * count_taps (run),
    .n = push->height,
    .step = run->group_rows,
    .most = gpu_device_get_info (run->family->device)->max_groups[1],
  };

  while (gpu_pieces_next (&rows, stream)) {
    push->first_row = rows.first;
    push->rows = rows.end - rows.first;
    gpu_stream_dispatch (stream, &run->dispatch,
        DIV_UP (push->units, run->group_units),
        DIV_UP (push->rows, run->group_rows), 1);
    run->dispatches++;
  }
}

static void
record_columns (PlaneRun * run)
{
  guint units = DIV_UP (run->push.width, run->unit);
  guint most = choose_units (run);

  run->dispatch.push = &run->push;
  for (guint first = 0; first < units; first += most) {
    run->push.first_unit = first;
    run->push.units = MIN (most, units - first);
    record_rows (run);
  }
}

/* --- passes --- */

/* Returns the pixel word of black (shaders/blur/bilateral/bilateral.glsl). */
static guint32
get_black_word (const GpuBlurPlane * plane, gboolean full_range)
{
  guint32 word = 0;

  for (guint i = 0; i < plane->components; i++)
    word |= gpu_pixel_format_get_black (plane->format, plane->index, full_range)
        << 8 * i;
  if (plane->index > 0)
    word |= gpu_pixel_format_get_black (plane->format, 0, full_range) << 24;
  return word;
}

static void
init_push (PlaneRun * run, const Range * range, const GpuFrameInfo * from,
    const GpuFrameInfo * to)
{
  const GpuBlurSettings *settings = run->recording->settings;
  const GpuBlurAxes *axes = &run->plane->axes;
  guint i = run->plane->index;

  run->push = (Push) {
    .width = gpu_frame_info_plane_width (from, i),
    .height = gpu_frame_info_plane_height (from, i),
    .source_offset = from->offset[i] / 4,
    .source_stride = from->stride[i] / 4,
    .target_offset = to->offset[i] / 4,
    .target_stride = to->stride[i] / 4,
    .guide_offset = from->offset[0] / 4,
    .guide_stride = from->stride[0] / 4,
    .guide_width = gpu_frame_info_plane_width (from, 0),
    .guide_height = gpu_frame_info_plane_height (from, 0),
    .radius_x = axes->x.radius,
    .radius_y = axes->y.radius,
    .weights_x = BILATERAL_RANGES + GPU_BLUR_WEIGHTS_X (i),
    .weights_y = BILATERAL_RANGES + GPU_BLUR_WEIGHTS_Y (i),
    .range_scale = range->scale,
    .range_rate = range->rate,
    .rate_x = get_spatial_rate (&axes->x),
    .rate_y = get_spatial_rate (&axes->y),
    .edge = settings->edge,
    .black = get_black_word (run->plane, settings->full_range),
  };
}

static void
init_group (PlaneRun * run)
{
  run->unit = gpu_blur_plane_get_unit (run->plane);
  run->group_units = GROUP_PIXELS;
  run->group_rows = GROUP_THREAD_ROWS;
  if (run->extent == WINDOW) {
    run->group_units /= run->unit;
    run->group_rows *= BILATERAL_ROWS;
  } else if (run->extent == ROWS)
    run->group_units *= BILATERAL_OUTPUTS / run->unit;
  else
    run->group_rows *= BILATERAL_OUTPUTS / run->unit;
}

static const gchar *const stage_names[N_EXTENTS] = {
  [WINDOW] = "bilateral-window",
  [ROWS] = "bilateral-rows",
  [COLUMNS] = "bilateral-columns",
};

/* All rounds are one stage. */
static void
report_pass (const PlaneRun * run)
{
  GpuBlurReport *report = run->recording->report;
  guint at = run->plane->index;

  if (run->extent == COLUMNS)
    at += run->plane->format->n_planes;
  report->n_stages = MAX (report->n_stages, at + 1);
  report->stages[at].name = stage_names[run->extent];
  report->stages[at].plane = run->plane->index;
  report->stages[at].taps = count_taps (run);
  report->stages[at].dispatches += run->dispatches;
}

/* Records a pass over all planes. @run has what they share. */
static void
record_pass (const PlaneRun * run, const Plan * plan, const GpuFrame * from,
    const GpuFrame * to)
{
  GpuStream *stream = run->recording->stream;
  guint n_planes = plan->planes[0].plane.format->n_planes;

  gpu_stream_stage (stream, stage_names[run->extent]);
  gpu_stream_begin_disjoint (stream);
  for (guint i = 0; i < n_planes; i++) {
    PlaneRun of_plane = *run;

    of_plane.plane = &plan->planes[i].plane;
    of_plane.dispatch = (GpuDispatch) {
      .kernel = plan->planes[i].kernels[run->extent],
      .buffers = {
        [BILATERAL_SOURCE] = from->buffer,
        [BILATERAL_TARGET] = to->buffer,
        [BILATERAL_TABLES] = run->family->buffers[TABLES],
        [BILATERAL_LIGHT] = run->recording->light,
      },
    };
    init_group (&of_plane);
    init_push (&of_plane, &plan->range, &from->info, &to->info);
    record_columns (&of_plane);
    report_pass (&of_plane);
  }
  gpu_stream_end_disjoint (stream);
}

/* Passes read and write the scratch frames by turns; the first reads the input, and the
 * last writes the output. */
static void
record (GpuBlurFamily * family, gpointer plan,
    const GpuBlurRecording * recording)
{
  const Extents extents = ((Plan *) plan)->extents;
  guint n_extents = extents.last - extents.first + 1;
  guint n = recording->settings->rounds * n_extents;
  PlaneRun run = {.family = family, .recording = recording};
  GpuFrame scratches[N_SCRATCHES];

  for (guint i = 0; i < N_SCRATCHES; i++) {
    lay_out (&recording->in->info, &scratches[i].info);
    scratches[i].buffer = family->buffers[SCRATCHES + i];
  }
  if (extents.first == WINDOW)
    record_tables (family, plan, recording->stream);
  for (guint i = 0; i < n; i++) {
    run.extent = extents.first + i % n_extents;
    record_pass (&run, plan,
        i == 0 ? recording->in : &scratches[(i - 1) % 2],
        i == n - 1 ? recording->out : &scratches[i % 2]);
  }
}

const GpuBlurFamilyType gpu_blur_bilateral_type = {
  .size = sizeof (GpuBlurFamily),
  .prepare = prepare,
  .reaches = reaches,
  .list_kernels = list_kernels,
  .make_plan = make_plan,
  .record = record,
};
