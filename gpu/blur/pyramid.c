/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pyramid.h"
#include "levels.h"
#include "method.h"
#include "pyramidkernels.h"

#include <string.h>

#define DIV_UP(x, n) (((x) + (n) - 1) / (n))

/* The least product of both sigmas: narrower ones are done sooner without. A level
 * then has less than a third of the frame's samples. */
#define MIN_SIGMAS (2.8 * 2.8)
#define MAX_LEVEL_SHARE 0.327

/* As many groups as keep a device busy: sections are as high as leaves so many,
 * for above each three rows more are read. Rows of wide steps take longer. */
#define SLOW_WANTED_GROUPS 8
#define WANTED_GROUPS 1024
#define MIN_SECTION 4
#define MIN_WIDE_SECTION 2

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
  PYRAMID_ROWS_PUSH (gint32, gfloat)
} RowsPush;

typedef struct
{
  PYRAMID_BLUR_PUSH (gint32, gfloat)
} BlurPush;
/* *INDENT-ON* */

G_STATIC_ASSERT (sizeof (StepPush) <= 128 && sizeof (RowsPush) <= 128
    && sizeof (BlurPush) <= 128);

/* What a plane's levels lie in by turns: what a step reads and what it writes. */
typedef enum
{
  COLUMNS,                      /* done down columns, or the Gaussian of them */
  LEVELS,                       /* done along both axes */
  N_SIDES,
} Side;

struct _GpuBlurPyramid
{
  GpuDevice *device;
  GpuBuffer *sides[GPU_MAX_PLANES][N_SIDES];
  GpuBuilder *builder;
  GPtrArray *expected;          /* what it builds, by plane; until the end */
  GpuPixels expected_pixels;    /* of the last */
  gboolean expected_half, expected_linear;
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
  Side side;                    /* that was written last */
  guint edge, black;
  guint dispatches[2];          /* of each way */
  guint blur_dispatches;
} Climb;

typedef struct
{
  GpuBlurPyramid *pyramid;
  GpuStream *stream;
  GpuBuffer *light;
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
    for (guint k = 0; k < N_SIDES; k++)
      g_clear_pointer (&pyramid->sides[i][k], gpu_buffer_unref);
  gpu_device_unref (pyramid->device);
  g_free (pyramid);
}

gsize
gpu_blur_pyramid_get_memory (GpuBlurPyramid * pyramid)
{
  return gpu_buffers_get_size (pyramid->sides[0], N_SIDES * GPU_MAX_PLANES);
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

/* Bytes of a side of a plane, whatever sigma is. */
static gsize
side_size (const GpuBlurSettings * settings, const GpuFrameInfo * info,
    guint plane, Side side)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  gboolean half = gpu_blur_choose_precision (settings, format) == GPU_BLUR_HALF;
  gsize width = gpu_frame_info_plane_width (info, plane);
  gsize height = gpu_frame_info_plane_height (info, plane);
  /* Planes that are subsampled may have to begin with all samples. */
  gdouble share = side == LEVELS && format->shift[plane] == 0 ?
      MAX_LEVEL_SHARE : 1;
  /* Margins, sizes and pitches that are rounded up. */
  gsize beyond = 2 * PYRAMID_MARGIN + 4;

  return ((gsize) (width * height * share) + beyond * (width + height + beyond))
      * words_of_sample (format->components[plane], half) * 4;
}

static gboolean
is_bindable (GpuDevice * device, const GpuBlurSettings * settings,
    const GpuFrameInfo * info)
{
  guint n_planes = gpu_pixels_get_format (info->pixels)->n_planes;

  for (guint i = 0; i < n_planes; i++)
    if (side_size (settings, info, i, COLUMNS)
        > gpu_device_get_info (device)->max_binding)
      return FALSE;
  return TRUE;
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
  if (settings->kernel != GPU_BLUR_GAUSSIAN || settings->radius >= 0
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
ensure_side (GpuBlurPyramid * pyramid, GpuBuffer ** side, gsize size,
    GError ** error)
{
  GpuBuffer *larger;

  if (*side && gpu_buffer_get_size (*side) >= size)
    return TRUE;
  larger = gpu_buffer_new (pyramid->device, GPU_BUFFER_DEVICE, size,
      "blur levels", error);
  if (!larger)
    return FALSE;
  g_clear_pointer (side, gpu_buffer_unref);
  *side = larger;
  return TRUE;
}

gboolean
gpu_blur_pyramid_prepare (GpuBlurPyramid * pyramid,
    const GpuBlurSettings * settings, const GpuFrameInfo * info,
    GError ** error)
{
  guint n_planes = gpu_pixels_get_format (info->pixels)->n_planes;

  if (settings->kernel != GPU_BLUR_GAUSSIAN
      || !is_bindable (pyramid->device, settings, info))
    return TRUE;
  for (guint i = 0; i < n_planes; i++)
    for (Side side = 0; side < N_SIDES; side++)
      if (!ensure_side (pyramid, &pyramid->sides[i][side],
              side_size (settings, info, i, side), error))
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
            half, gpu_blur_is_of_light (settings, format), NULL, error))
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
  gboolean linear = gpu_blur_is_of_light (settings, format);
  GpuBlurPyramidKernels *expected;

  if (settings->kernel != GPU_BLUR_GAUSSIAN || (pyramid->expected->len > 0
          && pyramid->expected_pixels == pixels
          && pyramid->expected_half == half
          && pyramid->expected_linear == linear))
    return;
  expected = g_new0 (GpuBlurPyramidKernels, GPU_MAX_PLANES);
  g_ptr_array_add (pyramid->expected, expected);
  pyramid->expected_pixels = pixels;
  pyramid->expected_half = half;
  pyramid->expected_linear = linear;
  for (guint i = 0; i < format->n_planes; i++)
    gpu_blur_pyramid_kernels_request (&expected[i], pyramid->builder, format,
        i, half, linear);
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
            format, i, half, gpu_blur_is_of_light (settings, format),
            &levels[i], error))
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
  GpuBuffer *buffers[PYRAMID_BINDINGS] = {
    [PYRAMID_SOURCE] = source,
    [PYRAMID_TARGET] = target,
    [PYRAMID_LIGHT] = climbs->light,
  };
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

/* What the plane's last dispatch wrote; and what the next one writes. */
static GpuBuffer *
get_side (const Climbs * climbs, const Climb * climb)
{
  return climbs->pyramid->sides[climb->plane][climb->side];
}

static GpuBuffer *
turn (const Climbs * climbs, Climb * climb)
{
  climb->side = climb->side == COLUMNS ? LEVELS : COLUMNS;
  return get_side (climbs, climb);
}

/* Between levels @finer and @coarser, of which 0 is the frame. */
static StepPush
make_push (const Climb * climb, const GpuFrame * frame, guint finer,
    guint coarser)
{
  StepPush push = {
    .width = size (climb, GPU_BLUR_LEVELS_X, finer),
    .height = size (climb, GPU_BLUR_LEVELS_Y, finer),
    .coarse_width = size (climb, GPU_BLUR_LEVELS_X, coarser),
    .coarse_height = size (climb, GPU_BLUR_LEVELS_Y, coarser),
    .offset = frame->info.offset[climb->plane] / 4,
    .stride = frame->info.stride[climb->plane] / 4,
    .edge = climb->edge,
    .black = climb->black,
  };

  return push;
}

static guint
count_components (const Climb * climb)
{
  return gpu_pixels_get_format (climb->in->info.pixels)->components
      [climb->plane];
}

/* Rows of a section of what a step writes, of which @rows are in all, @groups
 * side by side. */
static guint
choose_section (Climbs * climbs, guint rows, guint groups, gboolean wide,
    guint most)
{
  guint wanted = gpu_device_is_slow (climbs->pyramid->device) ?
      SLOW_WANTED_GROUPS : WANTED_GROUPS;

  return CLAMP (rows * groups / wanted, wide ? MIN_WIDE_SECTION : MIN_SECTION,
      most);
}

static gboolean
step_down_columns (Climbs * climbs, Climb * climb, guint step, GError ** error)
{
  gboolean frame = step == 0;
  StepPush push = make_push (climb, climb->in, step, step + 1);
  guint rows = extent (climb, GPU_BLUR_LEVELS_Y, step + 1);
  guint columns = frame ? DIV_UP ((guint) push.width,
      PYRAMID_PIXELS (count_components (climb)))
      : extent (climb, GPU_BLUR_LEVELS_X, step);
  guint groups = DIV_UP (columns, PYRAMID_GROUP * PYRAMID_COLUMNS_A_THREAD);
  GpuBuffer *source = frame ? climb->in->buffer : get_side (climbs, climb);

  push.section_rows = choose_section (climbs, rows, groups,
      PYRAMID_IS_WIDE (push.height, push.coarse_height), PYRAMID_DOWN_ROWS);
  /* And the taps of the first and last of them, and what is loaded ahead. */
  push.held_rows = (push.section_rows + 4) * push.height / push.coarse_height
      + PYRAMID_ROWS_AHEAD + 1;
  return record_rows (climbs,
      climb->kernels.kernels[gpu_blur_pyramid_kernel_of_columns
          (&climb->levels, step)], source, turn (climbs, climb), &push,
      sizeof push, &push.first_section, groups, DIV_UP (rows,
          (guint) push.section_rows), choose_ns (climbs, SLOW_STEP_NS, STEP_NS),
      (guint64) push.width * push.height * push.section_rows /
      push.coarse_height + 1, &climb->dispatches[0], error);
}

/* With the Gaussian along rows, on the coarsest level. */
static gboolean
step_down_rows (Climbs * climbs, Climb * climb, guint step, GError ** error)
{
  static const GpuBlurLevelsOfAxis nothing = {.weights = {1} };
  const GpuBlurLevelsOfAxis *axis = &climb->levels.axes[GPU_BLUR_LEVELS_X];
  const GpuBlurLevelsOfAxis *blur = step + 1 == climb->levels.n_steps ? axis
      : &nothing;
  guint rows = extent (climb, GPU_BLUR_LEVELS_Y, step + 1);
  /* Whole quads, which are read as such, and those under the Gaussian besides. */
  guint columns = (PYRAMID_COLUMNS (axis->sizes[step], axis->sizes[step + 1])
      - 2 * blur->radius - 2) / 4 * 4;
  guint groups = DIV_UP (extent (climb, GPU_BLUR_LEVELS_X, step + 1), columns);
  guint section = choose_section (climbs, rows, groups,
      PYRAMID_IS_WIDE (axis->sizes[step], axis->sizes[step + 1]),
      PYRAMID_LEVEL_ROWS);
  GpuBuffer *source = get_side (climbs, climb);
  RowsPush push = {
    .widths = axis->sizes[step] | axis->sizes[step + 1] << 16,
    .rows = rows | section << 16,
    .columns_and_radius = columns | blur->radius << 16,
    .beyond = climb->black | climb->edge << 8
        | (step == 0 ? 0 : PYRAMID_MARGIN) << 16,
  };

  memcpy (push.weights, blur->weights, sizeof push.weights);
  return record_rows (climbs,
      climb->kernels.kernels[gpu_blur_pyramid_kernel_of_rows (&climb->levels,
              step)], source,
      turn (climbs, climb), &push, sizeof push, &push.first_section, groups,
      DIV_UP (rows, section), choose_ns (climbs, SLOW_STEP_NS, STEP_NS),
      (guint64) axis->sizes[step] * section, &climb->dispatches[0], error);
}

static gboolean
blur_columns (Climbs * climbs, Climb * climb, guint step, GError ** error)
{
  const GpuBlurLevels *levels = &climb->levels;
  const GpuBlurLevelsOfAxis *axis = &levels->axes[GPU_BLUR_LEVELS_Y];
  guint columns = extent (climb, GPU_BLUR_LEVELS_X, levels->n_steps);
  guint rows = extent (climb, GPU_BLUR_LEVELS_Y, levels->n_steps);
  GpuBuffer *source = get_side (climbs, climb);
  BlurPush push = {
    .width = size (climb, GPU_BLUR_LEVELS_X, levels->n_steps),
    .height = size (climb, GPU_BLUR_LEVELS_Y, levels->n_steps),
    .edge = climb->edge,
    .radius = axis->radius,
  };

  memcpy (push.weights, axis->weights, sizeof push.weights);
  return record_rows (climbs, climb->kernels.kernels[GPU_BLUR_PYRAMID_BLUR],
      source, turn (climbs, climb), &push, sizeof push, &push.first_row,
      DIV_UP (columns, PYRAMID_GROUP), DIV_UP (rows, PYRAMID_OUTPUTS),
      choose_ns (climbs, SLOW_TAP_NS, TAP_NS),
      (guint64) columns * PYRAMID_OUTPUTS * (2 * push.radius + PYRAMID_OUTPUTS),
      &climb->blur_dispatches, error);
}

static gboolean
step_up (Climbs * climbs, Climb * climb, guint step, GError ** error)
{
  StepPush push = make_push (climb, climb->out, 0, climb->levels.n_steps);
  guint components = count_components (climb);
  guint groups = DIV_UP ((guint) push.width, PYRAMID_GROUP
      * BLUR_PIXELS_PER_UNIT (components) * PYRAMID_UNITS (components));

  push.section_rows =
      choose_section (climbs, push.height, groups, FALSE, PYRAMID_UP_ROWS);
  return record_rows (climbs, climb->kernels.kernels[GPU_BLUR_PYRAMID_UP],
      get_side (climbs, climb), climb->out->buffer, &push, sizeof push,
      &push.first_section, groups, DIV_UP ((guint) push.height,
          (guint) push.section_rows), choose_ns (climbs, SLOW_STEP_NS, STEP_NS),
      (guint64) push.width * push.section_rows, &climb->dispatches[1], error);
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
record_climbs (Climbs * climbs, GError ** error)
{
  guint steps = 0;

  for (guint i = 0; i < climbs->n_climbs; i++)
    steps = MAX (steps, climbs->climbs[i].levels.n_steps);
  gpu_stream_stage (climbs->stream, "pyramid-down");
  for (guint i = 0; i < steps; i++)
    if (!record_side_by_side (climbs, i, step_down_columns, error)
        || !record_side_by_side (climbs, i, step_down_rows, error))
      return FALSE;
  gpu_stream_stage (climbs->stream, "pyramid-blur");
  if (!record_side_by_side (climbs, 0, blur_columns, error))
    return FALSE;
  gpu_stream_stage (climbs->stream, "pyramid-up");
  return record_side_by_side (climbs, 0, step_up, error);
}

static void
init_climb (Climb * climb, const GpuBlurPyramid * pyramid,
    const GpuBlurSettings * settings, const GpuFrame * in,
    const GpuFrame * out, guint plane)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (in->info.pixels);

  *climb = (Climb) {
  .kernels = pyramid->kernels[plane],.levels =
        pyramid->levels_of[plane],.in = in,.out = out,.plane = plane,.side =
        LEVELS,.edge = settings->edge,.black =
        gpu_blur_black_sample (format, plane, settings->full_range),};
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
    const GpuBlurSettings * settings, GpuBuffer * light, const GpuFrame * in,
    const GpuFrame * out, GpuBlurReport * report, GError ** error)
{
  Climbs climbs = {
    .pyramid = pyramid,
    .stream = stream,
    .light = light,
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
