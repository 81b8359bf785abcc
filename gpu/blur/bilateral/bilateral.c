/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bilateral.h"
#include "gpu/blur/planekind.h"
#include "gpu/blur/weights.h"
#include "gpu/core/compute/slicer.h"
#include "gpu/core/rounding.h"
#include "shaders.h"
#include "shaders/blur/bilateral/shared.h"

#include <math.h>
#include <string.h>

/* Both shaders have the same push constants and bindings; only windows use tables. */
typedef GpuBlurBilateralWindowPush Push;

#define N_SCRATCHES 2

/* The layout of the tables in floats: range weights, then, for each plane, the spatial
 * weights of rows and of columns. */
#define AXIS_WEIGHTS (GPU_BLUR_MAX_RADIUS + 1)
#define WEIGHTS_X(plane) (BILATERAL_RANGES + 2 * (plane) * AXIS_WEIGHTS)
#define WEIGHTS_Y(plane) (WEIGHTS_X (plane) + AXIS_WEIGHTS)
#define TABLE_SIZE WEIGHTS_X (GPU_BLUR_MAX_PLANES)

G_STATIC_ASSERT (GPU_BLUR_MAX_STAGES >= 2 * GPU_BLUR_MAX_PLANES);

typedef struct
{
  GpuBlurFamily family;
  GpuDevice *device;
  GpuBuffer *tables;            /* TABLE_SIZE floats */
  GpuBuffer *scratches[N_SCRATCHES];    /* frames between passes */
} Bilateral;

static GpuBlurFamily *
create (GpuDevice * device)
{
  Bilateral *bilateral = g_new0 (Bilateral, 1);

  bilateral->family.type = &gpu_blur_bilateral_type;
  bilateral->device = gpu_device_ref (device);
  return &bilateral->family;
}

static void
free_bilateral (GpuBlurFamily * family)
{
  Bilateral *bilateral = (Bilateral *) family;

  g_clear_pointer (&bilateral->tables, gpu_buffer_unref);
  for (guint i = 0; i < N_SCRATCHES; i++)
    g_clear_pointer (&bilateral->scratches[i], gpu_buffer_unref);
  gpu_device_unref (bilateral->device);
  g_free (bilateral);
}

static gsize
get_memory (GpuBlurFamily * family)
{
  Bilateral *bilateral = (Bilateral *) family;

  return gpu_buffers_get_size (&bilateral->tables, 1)
      + gpu_buffers_get_size (bilateral->scratches, N_SCRATCHES);
}

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
ensure_scratches (Bilateral * bilateral,
    const GpuBlurSettings * settings, const GpuFrameInfo * info,
    GError ** error)
{
  guint n = MIN (2 * settings->rounds - 1, N_SCRATCHES);
  GpuFrameInfo scratch;

  lay_out (info, &scratch);
  for (guint i = 0; i < n; i++)
    if (!gpu_buffer_ensure (&bilateral->scratches[i], bilateral->device,
            scratch.size, "bilateral frame", error))
      return FALSE;
  return TRUE;
}

static gboolean
prepare (GpuBlurFamily * family, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, GError ** error)
{
  Bilateral *bilateral = (Bilateral *) family;
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);

  if (!gpu_blur_can_weigh_colours (format)) {
    g_set_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
        "The bilateral filter cannot do %s; use a format of 8 bits such as RGBA, "
        "NV12 or I420.", format->name);
    return FALSE;
  }
  return gpu_buffer_ensure (&bilateral->tables, bilateral->device,
      TABLE_SIZE * sizeof (gfloat), "bilateral weights",
      error) && ensure_scratches (bilateral, settings, info, error);
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
} Extent;

/* @tile: of windows. */
static GpuBlurWanted
plan_kernel (GpuDevice * device, const GpuBlurTask * task, guint plane,
    Extent extent, guint tile)
{
  const GpuPixelFormat *format = gpu_blur_task_get_format (task);
  guint pixels = BLUR_PIXELS_PER_UNIT (gpu_pixel_format_get_size (format,
          plane));
  gboolean is_window = extent == WINDOW;

  return (GpuBlurWanted) {
    .shader = is_window ? &gpu_shader_blur_bilateral_window
        : &gpu_shader_blur_bilateral_axis,
    .n_constants = BILATERAL_CONSTANTS,
    .constants = {
      [BILATERAL_GROUP_X] = is_window ? GROUP_PIXELS / pixels : GROUP_PIXELS,
      [BILATERAL_GROUP_Y] = GROUP_THREAD_ROWS,
      [BILATERAL_COMPONENTS] = format->components[plane],
      [BILATERAL_ALPHA] = format->alpha,
      [BILATERAL_UNUSED] = format->unused,
      [BILATERAL_LINEAR] = gpu_blur_is_of_light (task->settings, format),
      [BILATERAL_GUIDED] = plane > 0,
      [BILATERAL_DOWN] = extent == COLUMNS,
      [BILATERAL_TILE_WORDS] = is_window ? get_tile_words (device, tile) : 0,
      [BILATERAL_SHIFT_X] = format->shift_x[plane],
      [BILATERAL_SHIFT_Y] = format->shift_y[plane],
    },
  };
}

static gboolean
reaches (GpuBlurFamily * family, const GpuBlurTask * task)
{
  GpuDevice *device = ((Bilateral *) family)->device;
  const GpuPixelFormat *format = gpu_blur_task_get_format (task);
  guint radius = 0;

  for (guint i = 0; i < format->n_planes; i++) {
    GpuBlurAxes axes;

    gpu_blur_axes_init (&axes, task->settings, format, i);
    radius = MAX (radius, MAX (axes.x.radius, axes.y.radius));
  }
  return task->method == GPU_BLUR_SEPARABLE
      || (task->method == GPU_BLUR_DIRECT_SHARED
      && radius <= get_max_radius (device));
}

static void
append (GArray * list, GpuBlurWanted wanted)
{
  g_array_append_val (list, wanted);
}

static void
list_kernels (GpuBlurFamily * family, const GpuBlurTask * task,
    GpuBlurKernels which, GArray * wanted)
{
  GpuDevice *device = ((Bilateral *) family)->device;
  gboolean is_window = task->method != GPU_BLUR_SEPARABLE;
  const GpuPixelFormat *format = gpu_blur_task_get_format (task);

  for (guint plane = 0; plane < format->n_planes; plane++) {
    GpuBlurAxes axes;
    guint first = 0, last = N_TILES - 1;

    gpu_blur_axes_init (&axes, task->settings, format, plane);
    if (which == GPU_BLUR_NEEDED_KERNELS)
      first = last = pick_tile (device, &axes);
    if (is_window)
      for (guint tile = first; tile <= last; tile++)
        append (wanted, plan_kernel (device, task, plane, WINDOW, tile));
    else {
      append (wanted, plan_kernel (device, task, plane, ROWS, 0));
      append (wanted, plan_kernel (device, task, plane, COLUMNS, 0));
    }
  }
}

/* --- recording --- */

/* The recording of a frame. */
typedef struct
{
  Bilateral *owner;
  const GpuBlurRecording *recording;
  const GpuPixelFormat *format;
  Range range;
} Filter;

/* The recording of one plane in one pass. */
typedef struct
{
  const Filter *filter;
  guint plane;
  Extent extent;
  GpuBlurAxes axes;
  GpuKernel *kernel;
  guint group_units, group_rows;        /* outputs of a group */
  GpuDispatch dispatch;
  Push push;
  guint dispatches;
} Pass;

static void
record_axis_weights (const Filter * filter, const GpuBlurAxis * axis, guint at)
{
  gfloat weights[AXIS_WEIGHTS];

  gpu_blur_axis_weights (axis, weights);
  gpu_stream_write (filter->recording->stream, filter->owner->tables,
      at * sizeof (gfloat), weights, (axis->radius + 1) * sizeof (gfloat));
}

static void
record_tables (const Filter * filter)
{
  const GpuBlurRecording *recording = filter->recording;
  gfloat ranges[BILATERAL_RANGES];

  gpu_stream_stage (recording->stream, "weights");
  get_range_weights (&filter->range, ranges);
  gpu_stream_write (recording->stream, filter->owner->tables, 0, ranges,
      sizeof ranges);
  for (guint i = 0; i < filter->format->n_planes; i++) {
    GpuBlurAxes axes;

    gpu_blur_axes_init (&axes, recording->settings, filter->format, i);
    record_axis_weights (filter, &axes.x, WEIGHTS_X (i));
    record_axis_weights (filter, &axes.y, WEIGHTS_Y (i));
  }
}

/* --- short dispatches --- */

static guint
count_taps (const Pass * pass)
{
  guint x = 2 * pass->axes.x.radius + 1, y = 2 * pass->axes.y.radius + 1;

  return pass->extent == WINDOW ? x * y : pass->extent == ROWS ? x : y;
}

/* Returns the most units of a row whose rows of groups are short dispatches; whole
 * groups. */
static guint
choose_units (const Pass * pass, guint pixels)
{
  guint64 taps = gpu_stream_get_dispatch_units (pass->filter->recording->stream,
      pass->kernel);
  guint64 groups = taps / count_taps (pass) / pixels / pass->group_rows
      / pass->group_units;
  guint most = gpu_device_get_info (pass->filter->owner->device)->max_groups[0];

  return CLAMP (groups, 1, most) * pass->group_units;
}

/* Records the rows of the units that the push constants have. */
static void
record_rows (Pass * pass, guint pixels)
{
  const Filter *filter = pass->filter;
  Push *push = &pass->push;
  GpuPieces rows = {
    .work = pass->kernel,
    .units = (guint64) push->units * pixels * count_taps (pass),
    .n = push->height,
    .step = pass->group_rows,
    .most = gpu_device_get_info (filter->owner->device)->max_groups[1],
  };

  while (gpu_pieces_next (&rows, filter->recording->stream)) {
    push->first_row = rows.first;
    push->rows = rows.end - rows.first;
    gpu_stream_dispatch (filter->recording->stream, &pass->dispatch,
        DIV_UP (push->units, pass->group_units),
        DIV_UP (push->rows, pass->group_rows), 1);
    pass->dispatches++;
  }
}

static void
record_columns (Pass * pass)
{
  guint pixels = BLUR_PIXELS_PER_UNIT (gpu_pixel_format_get_size
      (pass->filter->format, pass->plane));
  guint units = DIV_UP (pass->push.width, pixels);
  guint most = choose_units (pass, pixels);

  pass->dispatch.push = &pass->push;
  for (guint first = 0; first < units; first += most) {
    pass->push.first_unit = first;
    pass->push.units = MIN (most, units - first);
    record_rows (pass, pixels);
  }
}

/* --- passes --- */

/* Returns the pixel word of black (shaders/blur/bilateral/bilateral.glsl). */
static guint32
black_word (const Filter * filter, guint plane)
{
  gboolean full_range = filter->recording->settings->full_range;
  guint32 word = 0;

  for (guint i = 0; i < filter->format->components[plane]; i++)
    word |= gpu_pixel_format_get_black (filter->format, plane, full_range)
        << 8 * i;
  if (plane > 0)
    word |= gpu_pixel_format_get_black (filter->format, 0, full_range) << 24;
  return word;
}

static void
init_push (Pass * pass, const GpuFrameInfo * from, const GpuFrameInfo * to)
{
  const Filter *filter = pass->filter;
  guint i = pass->plane;

  pass->push = (Push) {
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
    .radius_x = pass->axes.x.radius,
    .radius_y = pass->axes.y.radius,
    .weights_x = WEIGHTS_X (i),
    .weights_y = WEIGHTS_Y (i),
    .range_scale = filter->range.scale,
    .range_rate = filter->range.rate,
    .rate_x = get_spatial_rate (&pass->axes.x),
    .rate_y = get_spatial_rate (&pass->axes.y),
    .edge = filter->recording->settings->edge,
    .black = black_word (filter, i),
  };
}

static const gchar *const stage_names[] = {
  [WINDOW] = "bilateral-window",
  [ROWS] = "bilateral-rows",
  [COLUMNS] = "bilateral-columns",
};

/* All rounds are one stage. */
static void
report_pass (const Pass * pass)
{
  const Filter *filter = pass->filter;
  GpuBlurReport *report = filter->recording->report;
  guint at = pass->plane;

  if (pass->extent == COLUMNS)
    at += filter->format->n_planes;
  report->n_stages = MAX (report->n_stages, at + 1);
  report->stages[at].name = stage_names[pass->extent];
  report->stages[at].plane = pass->plane;
  report->stages[at].taps = count_taps (pass);
  report->stages[at].dispatches += pass->dispatches;
}

/* Asks for the kernel of a pass, and finds what its groups write. */
static gboolean
init_kernel (Pass * pass, GError ** error)
{
  const Filter *filter = pass->filter;
  GpuDevice *device = filter->owner->device;
  const GpuBlurTask task = { filter->recording->report->method,
    filter->recording->settings, &filter->recording->in->info
  };
  const GpuBlurWanted wanted = plan_kernel (device, &task, pass->plane,
      pass->extent, pick_tile (device, &pass->axes));
  guint pixels = BLUR_PIXELS_PER_UNIT (gpu_pixel_format_get_size
      (filter->format, pass->plane));

  pass->kernel = gpu_kernel_request (device, wanted.shader, wanted.constants,
      wanted.n_constants, GPU_KERNEL_SOON, error);
  pass->group_units = GROUP_PIXELS;
  pass->group_rows = GROUP_THREAD_ROWS;
  if (pass->extent == WINDOW) {
    pass->group_units /= pixels;
    pass->group_rows *= BILATERAL_ROWS;
  } else if (pass->extent == ROWS)
    pass->group_units *= BILATERAL_OUTPUTS / pixels;
  else
    pass->group_rows *= BILATERAL_OUTPUTS / pixels;
  return pass->kernel != NULL;
}

static gboolean
record_plane (const Filter * filter, Extent extent, guint plane,
    const GpuFrame * from, const GpuFrame * to, GError ** error)
{
  Pass pass = {.filter = filter, .plane = plane, .extent = extent};

  gpu_blur_axes_init (&pass.axes, filter->recording->settings, filter->format,
      plane);
  if (!init_kernel (&pass, error))
    return FALSE;
  pass.dispatch = (GpuDispatch) {
    .kernel = pass.kernel,
    .buffers = {
      [BILATERAL_SOURCE] = from->buffer,
      [BILATERAL_TARGET] = to->buffer,
      [BILATERAL_TABLES] = filter->owner->tables,
      [BILATERAL_LIGHT] = filter->recording->light,
    },
  };
  init_push (&pass, &from->info, &to->info);
  record_columns (&pass);
  report_pass (&pass);
  return TRUE;
}

static gboolean
record_pass (const Filter * filter, Extent extent,
    const GpuFrame * from, const GpuFrame * to, GError ** error)
{
  gpu_stream_stage (filter->recording->stream, stage_names[extent]);
  gpu_stream_begin_disjoint (filter->recording->stream);
  for (guint i = 0; i < filter->format->n_planes; i++)
    if (!record_plane (filter, extent, i, from, to, error))
      return FALSE;
  gpu_stream_end_disjoint (filter->recording->stream);
  return TRUE;
}

/* Passes read and write the scratch frames by turns; the first reads the input, and the
 * last writes the output. */
static gboolean
record (GpuBlurFamily * family, gconstpointer plan,
    const GpuBlurRecording * recording, GError ** error)
{
  Bilateral *bilateral = (Bilateral *) family;
  Filter filter = {
    .owner = bilateral,
    .recording = recording,
    .format = gpu_pixels_get_format (recording->in->info.pixels),
  };
  gboolean is_separable = recording->report->method == GPU_BLUR_SEPARABLE;
  guint n = recording->settings->rounds * (is_separable ? 2 : 1);
  GpuFrame scratches[N_SCRATCHES];

  for (guint i = 0; i < N_SCRATCHES; i++) {
    lay_out (&recording->in->info, &scratches[i].info);
    scratches[i].buffer = bilateral->scratches[i];
  }
  init_range (&filter.range, recording->settings, filter.format);
  if (!is_separable)
    record_tables (&filter);
  for (guint i = 0; i < n; i++) {
    Extent extent = !is_separable ? WINDOW : i % 2 == 0 ? ROWS : COLUMNS;
    const GpuFrame *from = i == 0 ? recording->in : &scratches[(i - 1) % 2];
    const GpuFrame *to = i == n - 1 ? recording->out : &scratches[i % 2];

    if (!record_pass (&filter, extent, from, to, error))
      return FALSE;
  }
  return TRUE;
}

const GpuBlurFamilyType gpu_blur_bilateral_type = {
  .create = create,
  .free = free_bilateral,
  .get_memory = get_memory,
  .prepare = prepare,
  .reaches = reaches,
  .list_kernels = list_kernels,
  .record = record,
};
