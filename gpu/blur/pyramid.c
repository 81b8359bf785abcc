/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pyramid.h"
#include "levels.h"
#include "method.h"
#include "pyramidkernels.h"

#include <string.h>

#define DIV_UP(x, n) (((x) + (n) - 1) / (n))

/* The least product of both sigmas: narrower ones are done sooner without. One
 * level then has less than a third of the frame's samples. Two that are as large
 * as can be (one axis just over PYRAMID_MAX_RATIO, steps of 5/3 on the other) have
 * 0.376 of them with the row sums, which share a buffer with the first. */
#define MIN_SIGMAS (2.8 * 2.8)
#define MAX_LEVELS_SHARE 0.385

/* As many groups as keep a device busy: sections are as high as leaves so many,
 * for above each three rows more are read. */
#define SLOW_WANTED_GROUPS 8
#define WANTED_GROUPS 512
#define MIN_SECTION 4

/* What a sample of the finer plane takes in a step, and a tap of the Gaussian,
 * at worst. */
#define SLOW_STEP_NS 400
#define STEP_NS 2
#define SLOW_TAP_NS 40
#define TAP_NS 0.2

/* *INDENT-OFF* */
typedef struct
{
  PYRAMID_STEP_PUSH (gint32)
} StepPush;

typedef struct
{
  PYRAMID_BLUR_PUSH (gint32, gfloat)
} BlurPush;
/* *INDENT-ON* */

G_STATIC_ASSERT (sizeof (StepPush) <= 128 && sizeof (BlurPush) <= 128);

struct _GpuBlurPyramid
{
  GpuDevice *device;
  /* What planes that are done side by side read and write is apart, and so is what
   * one dispatch reads from what it writes: levels take turns. */
  GpuBuffer *levels[GPU_MAX_PLANES][2];
  GpuBuilder *builder;
  GPtrArray *expected;          /* what it builds, by plane; until the end */
  GpuPixels expected_pixels;    /* of the last */
  gboolean expected_half;
  /* What was looked for last: levels take longer to find than a frame to record. */
  GpuFrameInfo found_info;
  gdouble found_sigmas[GPU_BLUR_LEVELS_AXES];   /* 0: nothing yet */
  gboolean is_found;
  GpuBlurLevels found[GPU_MAX_PLANES];
  /* What is planned. */
  GpuBlurLevels levels_of[GPU_MAX_PLANES];
  GpuBlurPyramidKernels kernels[GPU_MAX_PLANES];
};

/* A plane on its way down and up. */
typedef struct
{
  GpuBlurPyramidKernels kernels;
  GpuBlurLevels levels;
  const GpuFrame *in, *out;
  guint plane;
  guint words;                  /* of a sample of a level */
  guint offsets[GPU_BLUR_MAX_STEPS + 2];        /* in words, by level; the last
                                                   is that of row sums */
  guint edge, black;
  guint dispatches[2];          /* of each way */
  guint blur_dispatches;
} Climb;

typedef struct
{
  GpuBlurPyramid *pyramid;
  GpuStream *stream;
  guint n_climbs;
  Climb climbs[GPU_MAX_PLANES];
} Climbs;

GpuBlurPyramid *
gpu_blur_pyramid_new (GpuDevice * device, GpuBuilder * builder)
{
  GpuBlurPyramid *pyramid = g_new0 (GpuBlurPyramid, 1);

  pyramid->device = gpu_device_ref (device);
  pyramid->builder = builder;
  pyramid->expected = g_ptr_array_new_with_free_func (g_free);
  return pyramid;
}

void
gpu_blur_pyramid_free (GpuBlurPyramid * pyramid)
{
  g_ptr_array_unref (pyramid->expected);
  for (guint i = 0; i < GPU_MAX_PLANES; i++)
    for (guint k = 0; k < 2; k++)
      g_clear_pointer (&pyramid->levels[i][k], gpu_buffer_unref);
  gpu_device_unref (pyramid->device);
  g_free (pyramid);
}

gsize
gpu_blur_pyramid_get_memory (GpuBlurPyramid * pyramid)
{
  return gpu_buffers_get_size (pyramid->levels[0], 2 * GPU_MAX_PLANES);
}

/* --- what is reached --- */

static guint
words_of_sample (guint components, gboolean half)
{
  return gpu_blur_pyramid_lanes (components) / (half ? 2 : 1);
}

static gboolean
init_levels (GpuBlurLevels * levels, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, guint plane)
{
  gdouble divisor = 1u << gpu_pixels_get_format (info->pixels)->shift[plane];
  const guint sizes[] = {
    gpu_frame_info_plane_width (info, plane),
    gpu_frame_info_plane_height (info, plane),
  };
  const gdouble sigmas[] = {
    settings->sigma_x / divisor, settings->sigma_y / divisor,
  };

  return gpu_blur_levels_init (levels, sizes, sigmas);
}

/* Bytes of every other level of a plane, or of those and row sums, whatever sigma
 * is. */
static gsize
levels_size (const GpuBlurSettings * settings, const GpuFrameInfo * info,
    guint plane)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  gboolean half = gpu_blur_choose_precision (settings, format) == GPU_BLUR_HALF;
  gsize width = gpu_frame_info_plane_width (info, plane);
  gsize height = gpu_frame_info_plane_height (info, plane);
  gsize margins = (2 * PYRAMID_MARGIN + 1) * (width + height + 2
      * PYRAMID_MARGIN + 1);
  /* Planes that are subsampled may have to begin with all samples. */
  gdouble share = format->shift[plane] == 0 ? MAX_LEVELS_SHARE : 1;

  return ((gsize) (width * height * share) + margins)
      * words_of_sample (format->components[plane], half) * 4;
}

static gboolean
is_bindable (GpuDevice * device, const GpuBlurSettings * settings,
    const GpuFrameInfo * info)
{
  guint n_planes = gpu_pixels_get_format (info->pixels)->n_planes;

  for (guint i = 0; i < n_planes; i++)
    if (levels_size (settings, info, i)
        > gpu_device_get_info (device)->max_binding)
      return FALSE;
  return TRUE;
}

/* Whatever sigma and radius. */
static gboolean
can_do (const GpuBlurSettings * settings, const GpuFrameInfo * info)
{
  return settings->kernel == GPU_BLUR_GAUSSIAN
      && gpu_pixels_get_format (info->pixels)->sample == GPU_SAMPLE_BYTE;
}

static gboolean
find_levels (GpuBlurPyramid * pyramid, const GpuBlurSettings * settings,
    const GpuFrameInfo * info)
{
  guint n_planes = gpu_pixels_get_format (info->pixels)->n_planes;

  for (guint i = 0; i < n_planes; i++)
    if (!init_levels (&pyramid->found[i], settings, info, i))
      return FALSE;
  return TRUE;
}

static gboolean
was_found (const GpuBlurPyramid * pyramid, const GpuBlurSettings * settings,
    const GpuFrameInfo * info)
{
  return pyramid->found_sigmas[0] == settings->sigma_x
      && pyramid->found_sigmas[1] == settings->sigma_y
      && gpu_frame_info_is_alike (&pyramid->found_info, info);
}

const GpuBlurLevels *
gpu_blur_pyramid_find_levels (GpuBlurPyramid * pyramid,
    const GpuBlurSettings * settings, const GpuFrameInfo * info)
{
  if (!can_do (settings, info) || settings->radius >= 0
      || settings->sigma_x * settings->sigma_y < MIN_SIGMAS
      || !is_bindable (pyramid->device, settings, info))
    return NULL;
  if (!was_found (pyramid, settings, info)) {
    pyramid->found_sigmas[0] = settings->sigma_x;
    pyramid->found_sigmas[1] = settings->sigma_y;
    pyramid->found_info = *info;
    pyramid->is_found = find_levels (pyramid, settings, info);
  }
  return pyramid->is_found ? pyramid->found : NULL;
}

/* --- what is built --- */

static gboolean
ensure_levels (GpuBlurPyramid * pyramid, GpuBuffer ** levels, gsize size,
    GError ** error)
{
  GpuBuffer *larger;

  if (*levels && gpu_buffer_get_size (*levels) >= size)
    return TRUE;
  larger = gpu_buffer_new (pyramid->device, GPU_BUFFER_DEVICE, size,
      "blur levels", error);
  if (!larger)
    return FALSE;
  g_clear_pointer (levels, gpu_buffer_unref);
  *levels = larger;
  return TRUE;
}

gboolean
gpu_blur_pyramid_prepare (GpuBlurPyramid * pyramid,
    const GpuBlurSettings * settings, const GpuFrameInfo * info,
    GError ** error)
{
  guint n_planes = gpu_pixels_get_format (info->pixels)->n_planes;

  if (!can_do (settings, info)
      || !is_bindable (pyramid->device, settings, info))
    return TRUE;
  for (guint i = 0; i < n_planes; i++)
    for (guint k = 0; k < 2; k++)
      if (!ensure_levels (pyramid, &pyramid->levels[i][k],
              levels_size (settings, info, i), error))
        return FALSE;
  return TRUE;
}

gboolean
gpu_blur_pyramid_build (GpuBlurPyramid * pyramid,
    const GpuBlurSettings * settings, const GpuFrameInfo * info,
    GError ** error)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  gboolean half = gpu_blur_choose_precision (settings, format) == GPU_BLUR_HALF;
  GpuBlurPyramidKernels kernels;

  for (guint i = 0; i < format->n_planes; i++)
    if (!gpu_blur_pyramid_kernels_get (&kernels, pyramid->device, format, i,
            half, TRUE, error))
      return FALSE;
  return TRUE;
}

void
gpu_blur_pyramid_expect (GpuBlurPyramid * pyramid,
    const GpuBlurSettings * settings, const GpuFrameInfo * info)
{
  GpuPixels pixels = info->pixels;
  const GpuPixelFormat *format = gpu_pixels_get_format (pixels);
  gboolean half = gpu_blur_choose_precision (settings, format) == GPU_BLUR_HALF;
  GpuBlurPyramidKernels *expected;

  if (!can_do (settings, info) || (pyramid->expected->len > 0
          && pyramid->expected_pixels == pixels
          && pyramid->expected_half == half))
    return;
  expected = g_new0 (GpuBlurPyramidKernels, GPU_MAX_PLANES);
  g_ptr_array_add (pyramid->expected, expected);
  pyramid->expected_pixels = pixels;
  pyramid->expected_half = half;
  for (guint i = 0; i < format->n_planes; i++)
    gpu_blur_pyramid_kernels_request (&expected[i], pyramid->builder, format,
        i, half);
}

gboolean
gpu_blur_pyramid_plan (GpuBlurPyramid * pyramid,
    const GpuBlurSettings * settings, const GpuFrameInfo * info,
    GError ** error)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  gboolean half = gpu_blur_choose_precision (settings, format) == GPU_BLUR_HALF;
  const GpuBlurLevels *levels = gpu_blur_pyramid_find_levels (pyramid, settings,
      info);

  for (guint i = 0; i < format->n_planes; i++) {
    pyramid->levels_of[i] = levels[i];
    if (!gpu_blur_pyramid_kernels_get (&pyramid->kernels[i], pyramid->device,
            format, i, half, levels[i].n_steps > 1, error))
      return FALSE;
  }
  return TRUE;
}

/* --- recording --- */

/* Dispatches as many rows of groups, in short ones. @first: what of the push
 * constants tells the first; @row_units: of work in each. */
static gboolean
record_rows (Climbs * climbs, GpuKernel * kernel, GpuBuffer * source,
    GpuBuffer * target, gconstpointer push, gsize push_size, gint32 * first,
    guint groups, guint rows, gdouble ns, guint64 row_units,
    guint * dispatches, GError ** error)
{
  GpuStream *stream = climbs->stream;
  GpuBuffer *buffers[] = { source, target };
  const GpuCost cost = { kernel, ns };
  guint64 most = gpu_stream_get_dispatch_units (stream, &cost) / row_units;
  guint max_groups =
      gpu_device_get_info (climbs->pyramid->device)->max_groups[1];

  for (guint at = 0; at < rows;) {
    guint n = MIN (CLAMP (most, 1u, max_groups), rows - at);

    if (!gpu_stream_pace (stream, &cost, n * row_units, error))
      return FALSE;
    gpu_stream_measure (stream, &cost, n * row_units);
    *first = at;
    gpu_stream_dispatch (stream, kernel, buffers, G_N_ELEMENTS (buffers), push,
        push_size, groups, n, 1);
    (*dispatches)++;
    at += n;
  }
  return TRUE;
}

static gdouble
choose_ns (Climbs * climbs, gdouble slow, gdouble other)
{
  return gpu_device_is_slow (climbs->pyramid->device) ? slow : other;
}

static guint
extent (const Climb * climb, GpuBlurLevelsAxis axis, guint level)
{
  return gpu_blur_levels_extent (&climb->levels, axis, level);
}

static guint
size (const Climb * climb, GpuBlurLevelsAxis axis, guint level)
{
  return climb->levels.axes[axis].sizes[level];
}

static GpuBuffer *
level_buffer (const Climbs * climbs, const Climb * climb, guint level)
{
  return climbs->pyramid->levels[climb->plane][level % 2];
}

static StepPush
make_push (const Climb * climb, guint step)
{
  StepPush push = {
    .width = size (climb, GPU_BLUR_LEVELS_X, step),
    .height = size (climb, GPU_BLUR_LEVELS_Y, step),
    .coarse_width = size (climb, GPU_BLUR_LEVELS_X, step + 1),
    .coarse_height = size (climb, GPU_BLUR_LEVELS_Y, step + 1),
    .edge = climb->edge,
    .black = climb->black,
  };

  return push;
}

/* Rows of a section of what a step writes, of which @rows are in all, @groups
 * side by side. */
static guint
choose_section (Climbs * climbs, guint rows, guint groups, guint most)
{
  guint wanted = gpu_device_is_slow (climbs->pyramid->device) ?
      SLOW_WANTED_GROUPS : WANTED_GROUPS;

  return CLAMP (rows * groups / wanted, MIN_SECTION, most);
}

/* Columns that a group does, of the level above. */
static guint
count_columns (const StepPush * push)
{
  guint taps = PYRAMID_TAPS (push->width, push->coarse_width);

  /* The first one's taps begin at most 3 pixels after where the group's do, and
   * those of others are rounded up. */
  return (PYRAMID_PIXELS - 4 - taps) * push->coarse_width / push->width + 1;
}

static gboolean
step_down (Climbs * climbs, Climb * climb, guint step, GError ** error)
{
  const GpuFrameInfo *info = &climb->in->info;
  gboolean frame = step == 0;
  guint rows = extent (climb, GPU_BLUR_LEVELS_Y, step + 1);
  StepPush push = make_push (climb, step);
  guint groups;
  guint64 row_units;

  push.columns = count_columns (&push);
  groups = DIV_UP (extent (climb, GPU_BLUR_LEVELS_X, step + 1),
      (guint) push.columns);
  push.section_rows = choose_section (climbs, rows, groups, PYRAMID_DOWN_ROWS);
  row_units = (guint64) push.width * push.height * push.section_rows
      / push.coarse_height + 1;
  push.source_offset = frame ? info->offset[climb->plane] / 4
      : climb->offsets[step];
  push.target_offset = climb->offsets[step + 1];
  push.stride = info->stride[climb->plane] / 4;
  return record_rows (climbs,
      frame ? climb->kernels.down : climb->kernels.level_down,
      frame ? climb->in->buffer : level_buffer (climbs, climb, step),
      level_buffer (climbs, climb, step + 1), &push, sizeof push,
      &push.first_section, groups, DIV_UP (rows, (guint) push.section_rows),
      choose_ns (climbs, SLOW_STEP_NS, STEP_NS), row_units,
      &climb->dispatches[0], error);
}

static gboolean
step_up (Climbs * climbs, Climb * climb, guint step, GError ** error)
{
  const GpuFrameInfo *info = &climb->out->info;
  guint components =
      gpu_pixels_get_format (info->pixels)->components[climb->plane];
  gboolean frame = step == 0;
  StepPush push = make_push (climb, step);
  guint columns = frame ? DIV_UP ((guint) push.width,
      BLUR_PIXELS_PER_UNIT (components)) : extent (climb, GPU_BLUR_LEVELS_X,
      step);
  guint rows = frame ? (guint) push.height : extent (climb, GPU_BLUR_LEVELS_Y,
      step);

  push.source_offset = climb->offsets[step + 1];
  push.target_offset = frame ? info->offset[climb->plane] / 4
      : climb->offsets[step];
  push.stride = info->stride[climb->plane] / 4;
  push.section_rows =
      choose_section (climbs, rows, DIV_UP (columns, PYRAMID_GROUP),
      PYRAMID_UP_ROWS);
  return record_rows (climbs,
      frame ? climb->kernels.up : climb->kernels.level_up, level_buffer (climbs,
          climb, step + 1), frame ? climb->out->buffer : level_buffer (climbs,
          climb, step), &push, sizeof push, &push.first_section,
      DIV_UP (columns, PYRAMID_GROUP), DIV_UP (rows, (guint) push.section_rows),
      choose_ns (climbs, SLOW_STEP_NS, STEP_NS),
      (guint64) push.width * push.section_rows, &climb->dispatches[1], error);
}

static gboolean
blur_axis (Climbs * climbs, Climb * climb, GpuBlurLevelsAxis axis,
    GError ** error)
{
  const GpuBlurLevels *levels = &climb->levels;
  guint level = levels->n_steps;
  gboolean down = axis == GPU_BLUR_LEVELS_Y;
  guint width = extent (climb, GPU_BLUR_LEVELS_X, level);
  guint height = extent (climb, GPU_BLUR_LEVELS_Y, level);
  BlurPush push = {
    .size = size (climb, GPU_BLUR_LEVELS_X, level)
        | size (climb, GPU_BLUR_LEVELS_Y, level) << 16,
    .source_offset = climb->offsets[level + down],
    .target_offset = climb->offsets[level + !down],
    .edge = climb->edge,
    .down = down,
    .radius = levels->axes[axis].radius,
  };
  guint columns = down ? width : DIV_UP (width, PYRAMID_OUTPUTS);
  guint rows = down ? DIV_UP (height, PYRAMID_OUTPUTS) : height;

  memcpy (push.weights, levels->axes[axis].weights, sizeof push.weights);
  return record_rows (climbs, climb->kernels.blur,
      level_buffer (climbs, climb, level + down),
      level_buffer (climbs, climb, level + !down), &push,
      sizeof push, &push.first_row, DIV_UP (columns, PYRAMID_GROUP), rows,
      choose_ns (climbs, SLOW_TAP_NS, TAP_NS), (guint64) columns
      * PYRAMID_OUTPUTS * (2 * push.radius + PYRAMID_OUTPUTS),
      &climb->blur_dispatches, error);
}

/* Does @act for all planes that have such a level, side by side. */
static gboolean
record_side_by_side (Climbs * climbs, guint step,
    gboolean (*act) (Climbs *, Climb *, guint, GError **), GError ** error)
{
  gboolean joins = FALSE;

  for (guint i = 0; i < climbs->n_climbs; i++) {
    if (climbs->climbs[i].levels.n_steps <= step)
      continue;
    if (joins)
      gpu_stream_join (climbs->stream);
    if (!act (climbs, &climbs->climbs[i], step, error))
      return FALSE;
    joins = TRUE;
  }
  gpu_stream_barrier (climbs->stream);
  return TRUE;
}

static gboolean
blur_rows (Climbs * climbs, Climb * climb, guint step, GError ** error)
{
  return blur_axis (climbs, climb, GPU_BLUR_LEVELS_X, error);
}

static gboolean
blur_columns (Climbs * climbs, Climb * climb, guint step, GError ** error)
{
  return blur_axis (climbs, climb, GPU_BLUR_LEVELS_Y, error);
}

static gboolean
record_climbs (Climbs * climbs, GError ** error)
{
  guint steps = 0;

  for (guint i = 0; i < climbs->n_climbs; i++)
    steps = MAX (steps, climbs->climbs[i].levels.n_steps);
  gpu_stream_stage (climbs->stream, "pyramid-down");
  for (guint i = 0; i < steps; i++)
    if (!record_side_by_side (climbs, i, step_down, error))
      return FALSE;
  gpu_stream_stage (climbs->stream, "pyramid-blur");
  if (!record_side_by_side (climbs, 0, blur_rows, error)
      || !record_side_by_side (climbs, 0, blur_columns, error))
    return FALSE;
  gpu_stream_stage (climbs->stream, "pyramid-up");
  for (guint i = steps; i-- > 0;)
    if (!record_side_by_side (climbs, i, step_up, error))
      return FALSE;
  return TRUE;
}

static void
place_levels (Climb * climb)
{
  guint at[2] = { 0, 0 };

  for (guint i = 1; i <= climb->levels.n_steps + 1; i++) {
    guint level = MIN (i, climb->levels.n_steps);
    guint words = extent (climb, GPU_BLUR_LEVELS_X, level)
        * extent (climb, GPU_BLUR_LEVELS_Y, level) * climb->words;

    climb->offsets[i] = at[i % 2];
    /* Samples are read as a whole. */
    at[i % 2] += DIV_UP (words, 4) * 4;
  }
}

static void
init_climb (Climb * climb, const GpuBlurPyramid * pyramid,
    const GpuBlurSettings * settings, const GpuFrame * in,
    const GpuFrame * out, guint plane)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (in->info.pixels);
  gboolean half = gpu_blur_choose_precision (settings, format) == GPU_BLUR_HALF;

  *climb = (Climb) {
  .kernels = pyramid->kernels[plane],.levels =
        pyramid->levels_of[plane],.in = in,.out = out,.plane = plane,.words =
        words_of_sample (format->components[plane], half),.edge =
        settings->edge,.black =
        gpu_blur_black_sample (format, plane, settings->full_range),};
  place_levels (climb);
}

static void
report_stage (GpuBlurReport * report, const Climb * climb, const gchar * name,
    guint dispatches, guint taps)
{
  guint at = report->n_stages++;

  report->stages[at].name = name;
  report->stages[at].plane = climb->plane;
  report->stages[at].dispatches = dispatches;
  report->stages[at].taps = taps;
}

/* Taps of both axes; down, those of the first step. */
static void
report_climb (GpuBlurReport * report, const Climb * climb)
{
  guint down = 0, blur = 0;

  for (guint i = 0; i < GPU_BLUR_LEVELS_AXES; i++) {
    const GpuBlurLevelsOfAxis *axis = &climb->levels.axes[i];

    down += DIV_UP (4 * axis->sizes[0], axis->sizes[1]);
    blur += 2 * axis->radius + 1;
  }
  report_stage (report, climb, "pyramid-down", climb->dispatches[0], down);
  report_stage (report, climb, "pyramid-blur", climb->blur_dispatches, blur);
  report_stage (report, climb, "pyramid-up", climb->dispatches[1], 8);
}

gboolean
gpu_blur_pyramid_record (GpuBlurPyramid * pyramid, GpuStream * stream,
    const GpuBlurSettings * settings, const GpuFrame * in,
    const GpuFrame * out, GpuBlurReport * report, GError ** error)
{
  Climbs climbs = {
    .pyramid = pyramid,
    .stream = stream,
    .n_climbs = gpu_pixels_get_format (in->info.pixels)->n_planes,
  };

  report->method = GPU_BLUR_PYRAMID;
  for (guint i = 0; i < climbs.n_climbs; i++)
    init_climb (&climbs.climbs[i], pyramid, settings, in, out, i);
  if (!record_climbs (&climbs, error))
    return FALSE;
  for (guint i = 0; i < climbs.n_climbs; i++)
    report_climb (report, &climbs.climbs[i]);
  return TRUE;
}
