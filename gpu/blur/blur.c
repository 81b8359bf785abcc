/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Settings and frames -> pipelines -> recorded dispatches. */
#include "blur.h"
#include "method.h"
#include "weights.h"
#include "shaders.h"

#include <string.h>

#define ROUND_UP(x, n) (((x) + (n) - 1) / (n) * (n))
#define DIV_UP(x, n) (((x) + (n) - 1) / (n))

/* Row sums kept in memory; wider frames are done in strips of columns. */
#define MAX_MIDDLE_SIZE ((gsize) 128 << 20)
/* Pixels side by side that any workgroup has, where it does not slide along
 * rows. */
#define LEAST_GROUP_WIDTH 8
/* Drivers time whole jobs: this many dispatches' worth, then submit. */
#define DISPATCHES_PER_SUBMISSION 8

typedef enum
{
  STEP_DIRECT,
  STEP_ROWS,
  STEP_COLUMNS,
  STEP_SLIDING_ROWS,
  STEP_SLIDING_COLUMNS,
  STEP_INLINE_COLUMNS,
} Step;

/* *INDENT-OFF* */
static const struct
{
  const gchar *stage;
  const GpuShader *shader, *exact_shader;
} steps[] = {
  [STEP_DIRECT] = { "direct", &gpu_shader_blur_direct,
      &gpu_shader_blur_direct_exact },
  [STEP_ROWS] = { "separable-rows", &gpu_shader_blur_rows,
      &gpu_shader_blur_rows_exact },
  [STEP_COLUMNS] = { "separable-columns", &gpu_shader_blur_columns,
      &gpu_shader_blur_columns_exact },
  [STEP_SLIDING_ROWS] = { "sliding-window-rows",
      &gpu_shader_blur_sliding_rows, &gpu_shader_blur_sliding_rows_exact },
  [STEP_SLIDING_COLUMNS] = { "sliding-window-columns",
      &gpu_shader_blur_sliding_columns,
      &gpu_shader_blur_sliding_columns_exact },
  [STEP_INLINE_COLUMNS] = { "inline-sliding-window",
      &gpu_shader_blur_inline_columns, &gpu_shader_blur_inline_columns_exact },
};
/* *INDENT-ON* */

/* Specialization constants of shaders/blur/plane.glsl, in its order. */
typedef struct
{
  guint32 group_x, group_y;
  guint32 components;
  gint32 alpha, unused;
  guint32 half;
  guint32 shared_words;
} Constants;

/* Push constants of the same file. */
typedef struct
{
  guint32 width, height;
  guint32 source_offset, source_stride;
  guint32 target_offset, target_stride;
  guint32 radius_x, radius_y;
  guint32 weights_x, weights_y;
  guint32 edge;
  guint32 black;
  guint32 first_unit, units;
  guint32 first_row, rows;
  guint32 strip, strip_width;
  guint32 section_rows;
} Push;

typedef struct
{
  const GpuShader *shader;
  Constants constants;
  GpuKernel *kernel;
} Built;

struct _GpuBlur
{
  GpuDevice *device;
  GArray *built;                /* of Built */
  GpuPixels pixels;
  guint width, height;
  GpuBuffer *weights;           /* radius + 1 floats a plane */
  GpuBuffer *middle;
};

/* One plane of one frame on its way into a stream. */
typedef struct
{
  GpuBlur *blur;
  GpuStream *stream;
  const GpuBlurSettings *settings;
  GpuBlurMethod method;
  gboolean half;
  GpuBuffer *buffers[4];        /* as bound by the shaders */
  const GpuPixelFormat *format;
  guint plane;
  GpuBlurAxis axis;
  Push push;
  guint64 budget;               /* taps of one dispatch */
  guint64 spent;                /* taps of this submission so far */
  GpuBlurReport *report;
} Plane;

GpuBlur *
gpu_blur_new (GpuDevice * device)
{
  GpuBlur *blur = g_new0 (GpuBlur, 1);

  blur->device = gpu_device_ref (device);
  blur->built = g_array_new (FALSE, FALSE, sizeof (Built));
  return blur;
}

void
gpu_blur_free (GpuBlur * blur)
{
  g_array_unref (blur->built);
  g_clear_pointer (&blur->weights, gpu_buffer_unref);
  g_clear_pointer (&blur->middle, gpu_buffer_unref);
  gpu_device_unref (blur->device);
  g_free (blur);
}

/* --- pipelines --- */

static GpuKernel *
get_kernel (GpuBlur * blur, const GpuShader * shader,
    const Constants * constants, GError ** error)
{
  Built built = { shader, *constants };

  for (guint i = 0; i < blur->built->len; i++) {
    Built *known = &g_array_index (blur->built, Built, i);
    if (known->shader == shader
        && !memcmp (&known->constants, constants, sizeof *constants))
      return known->kernel;
  }
  built.kernel = gpu_kernel_get (blur->device, shader,
      (const guint32 *) constants, sizeof *constants / 4, error);
  if (built.kernel)
    g_array_append_val (blur->built, built);
  return built.kernel;
}

static guint
tiles_of (Step step)
{
  return step == STEP_SLIDING_COLUMNS || step == STEP_INLINE_COLUMNS ?
      GPU_BLUR_TILES : 1;
}

static void
get_tile (GpuBlur * blur, Step step, guint index, guint components,
    guint words, GpuBlurTile * tile)
{
  if (tiles_of (step) > 1)
    gpu_blur_column_tile (blur->device, index, components, words, tile);
  else if (step == STEP_SLIDING_ROWS)
    gpu_blur_row_tile (blur->device, words, tile);
  else
    *tile = (GpuBlurTile) {
    32, 8, 1, GPU_BLUR_MAX_RADIUS};
}

static GpuKernel *
get_step_kernel (GpuBlur * blur, Step step, const GpuPixelFormat * format,
    guint plane, gboolean exact, gboolean half, const GpuBlurTile * tile,
    GError ** error)
{
  Constants constants = {
    .group_x = tile->group_x,
    .group_y = tile->group_y,
    .components = format->components[plane],
    .alpha = format->alpha,
    .unused = format->unused,
    .half = half && !exact,
    .shared_words = tile->shared_words,
  };

  return get_kernel (blur, exact ? steps[step].exact_shader
      : steps[step].shader, &constants, error);
}

/* Every tile of a step, so that any radius finds its pipeline. */
static gboolean
build_step (GpuBlur * blur, Step step, const GpuPixelFormat * format,
    guint plane, gboolean exact, gboolean half, GError ** error)
{
  guint components = format->components[plane];
  guint words = gpu_blur_words_per_sum (components, exact, half);

  for (guint i = 0; i < tiles_of (step); i++) {
    GpuBlurTile tile;

    get_tile (blur, step, i, components, words, &tile);
    if (tile.max_radius > 0 && !get_step_kernel (blur, step, format, plane,
            exact, half, &tile, error))
      return FALSE;
  }
  return TRUE;
}

/* The steps of a method; returns how many. */
static guint
steps_of (GpuBlurMethod method, Step * list)
{
  switch (method) {
    case GPU_BLUR_DIRECT:
      list[0] = STEP_DIRECT;
      return 1;
    case GPU_BLUR_INLINE_SLIDING_WINDOW:
      list[0] = STEP_INLINE_COLUMNS;
      return 1;
    case GPU_BLUR_SLIDING_WINDOW:
      list[0] = STEP_SLIDING_ROWS;
      list[1] = STEP_SLIDING_COLUMNS;
      return 2;
    default:
      list[0] = STEP_ROWS;
      list[1] = STEP_COLUMNS;
      return 2;
  }
}

static gboolean
build_method (GpuBlur * blur, GpuBlurMethod method,
    const GpuBlurSettings * settings, const GpuPixelFormat * format,
    GError ** error)
{
  gboolean half = gpu_blur_choose_precision (settings) == GPU_BLUR_HALF;
  gboolean box = settings->kernel == GPU_BLUR_BOX;
  Step list[2];
  guint n = steps_of (method, list);

  for (guint plane = 0; plane < format->n_planes; plane++)
    for (guint i = 0; i < n; i++)
      if (!build_step (blur, list[i], format, plane, FALSE, half, error)
          || (box && !build_step (blur, list[i], format, plane, TRUE, half,
                  error)))
        return FALSE;
  return TRUE;
}

/* --- buffers --- */

static gsize
middle_size (GpuBlur * blur, const GpuBlurSettings * settings,
    const GpuPixelFormat * format)
{
  gboolean half = gpu_blur_choose_precision (settings) == GPU_BLUR_HALF;
  gsize size = 0;

  for (guint i = 0; i < format->n_planes; i++) {
    gsize width = ROUND_UP (DIV_UP (blur->width, 1u << format->shift[i]), 4);
    gsize height = DIV_UP (blur->height, 1u << format->shift[i]);
    guint words = gpu_blur_words_per_sum (format->components[i],
        settings->kernel == GPU_BLUR_BOX, half);

    size = MAX (size, width * height * words * 4);
  }
  return MIN (size, MIN (MAX_MIDDLE_SIZE,
          gpu_device_get_info (blur->device)->max_binding));
}

static gboolean
ensure_buffer (GpuBlur * blur, GpuBuffer ** buffer, gsize size,
    const gchar * name, GError ** error)
{
  GpuBuffer *larger;

  if (*buffer && gpu_buffer_get_size (*buffer) >= size)
    return TRUE;
  larger = gpu_buffer_new (blur->device, GPU_BUFFER_DEVICE, size, name, error);
  if (!larger)
    return FALSE;
  g_clear_pointer (buffer, gpu_buffer_unref);
  *buffer = larger;
  return TRUE;
}

/* A strip has four columns at least, of row sums of four words at most. */
static gboolean
check_height (GpuBlur * blur, guint height, GError ** error)
{
  gsize limit = MIN (MAX_MIDDLE_SIZE,
      gpu_device_get_info (blur->device)->max_binding) / (4 * 4 * 4);

  if (height <= limit)
    return TRUE;
  g_set_error (error, GPU_ERROR, GPU_ERROR_TOO_LARGE,
      "A frame of %u rows is too high to be blurred here; use one of at most %"
      G_GSIZE_FORMAT " rows.", height, limit);
  return FALSE;
}

gboolean
gpu_blur_prepare (GpuBlur * blur, GpuPixels pixels, guint width,
    guint height, const GpuBlurSettings * settings, GError ** error)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (pixels);

  if (!check_height (blur, height, error))
    return FALSE;
  blur->pixels = pixels;
  blur->width = width;
  blur->height = height;
  return ensure_buffer (blur, &blur->weights, GPU_MAX_PLANES * sizeof (gfloat)
      * (GPU_BLUR_MAX_RADIUS + 1), "blur weights", error)
      && ensure_buffer (blur, &blur->middle, middle_size (blur, settings,
          format), "blur row sums", error)
      && build_method (blur, settings->method, settings, format, error)
      /* Stands in for any other. */
      && build_method (blur, GPU_BLUR_SEPARABLE, settings, format, error);
}

/* --- recording --- */

/* So that no dispatch takes the 50 ms that a driver and a desktop forgive. The
 * direct method has the slowest taps: some 7 a ns for each TFLOPS of a card, 0.08
 * on two cores. Large cards lose some per cent at wide kernels, as so few do not
 * fill them. */
static guint64
taps_per_dispatch (GpuDevice * device)
{
  if (gpu_device_is_slow (device))
    return 2 << 20;
  return gpu_device_get_info (device)->kind == GPU_DEVICE_DISCRETE ? 256 << 20
      : 32 << 20;
}

/* Strips of one step count as one stage. */
static void
report_stage (Plane * plane, Step step, guint dispatches, guint taps)
{
  GpuBlurReport *report = plane->report;
  guint i = 0;

  while (i < report->n_stages && (report->stages[i].plane != plane->plane
          || report->stages[i].name != steps[step].stage))
    i++;
  report->n_stages = MAX (report->n_stages, i + 1);
  report->stages[i].name = steps[step].stage;
  report->stages[i].plane = plane->plane;
  report->stages[i].dispatches += dispatches;
  report->stages[i].taps = taps;
}

static gboolean
spend (Plane * plane, guint64 taps, GError ** error)
{
  if (plane->spent + taps > plane->budget * DISPATCHES_PER_SUBMISSION
      && plane->spent > 0) {
    plane->spent = 0;
    if (!gpu_stream_submit (plane->stream, NULL, error)
        || !gpu_stream_begin (plane->stream, error))
      return FALSE;
  }
  plane->spent += taps;
  return TRUE;
}

/* Taps of one output of a step. */
static guint
taps_of (Plane * plane, Step step)
{
  guint n = 2 * plane->axis.radius + 1;

  switch (step) {
    case STEP_DIRECT:
      return n * n;
    case STEP_INLINE_COLUMNS:
      return 2 * n;
    default:
      return n;
  }
}

/* The first tile that holds the radius. */
static void
pick_tile (Plane * plane, Step step, guint words, GpuBlurTile * tile)
{
  for (guint i = 0; i < tiles_of (step); i++) {
    get_tile (plane->blur, step, i, plane->format->components[plane->plane],
        words, tile);
    if (tile->max_radius >= plane->axis.radius)
      return;
  }
}

/* Rows that a workgroup does by itself. */
static guint
granule_of (Plane * plane, Step step, const GpuBlurTile * tile)
{
  return tiles_of (step) == 1 ? tile->group_y : gpu_blur_section_rows (tile,
      plane->format->components[plane->plane], plane->axis.radius);
}

/* All rows of one strip, in dispatches that keep to the budget. */
static gboolean
record_step (Plane * plane, Step step, GError ** error)
{
  Push *push = &plane->push;
  guint components = plane->format->components[plane->plane];
  guint words = gpu_blur_words_per_sum (components, plane->axis.exact,
      plane->half);
  guint64 row_taps = (guint64) push->strip_width * taps_of (plane, step);
  const guint *max_groups =
      gpu_device_get_info (plane->blur->device)->max_groups;
  guint granule, chunk, columns;
  GpuBlurTile tile;
  GpuKernel *kernel;

  pick_tile (plane, step, words, &tile);
  kernel = get_step_kernel (plane->blur, step, plane->format, plane->plane,
      plane->axis.exact, plane->half, &tile, error);
  if (!kernel)
    return FALSE;

  push->section_rows =
      gpu_blur_section_rows (&tile, components, plane->axis.radius);
  granule = granule_of (plane, step, &tile);
  chunk = CLAMP (plane->budget / row_taps / granule, 1, max_groups[1])
      * granule;
  /* A group of the sliding rows pass walks its rows from end to end. */
  columns = step == STEP_SLIDING_ROWS ? 1
      : DIV_UP (step == STEP_ROWS ? push->strip_width : push->units,
      tile.group_x);
  for (guint row = 0; row < push->height; row += chunk) {
    push->first_row = row;
    push->rows = MIN (chunk, push->height - row);
    if (!spend (plane, row_taps * push->rows, error))
      return FALSE;
    gpu_stream_stage (plane->stream, steps[step].stage);
    gpu_stream_dispatch (plane->stream, kernel, plane->buffers,
        G_N_ELEMENTS (plane->buffers), push, sizeof *push, columns,
        DIV_UP (push->rows, granule), 1);
  }
  report_stage (plane, step, DIV_UP (push->height, chunk),
      taps_of (plane, step));
  return TRUE;
}

/* Pixel columns of which a few rows, or one workgroup's, fill a dispatch. */
static guint64
columns_within_budget (Plane * plane, Step step, guint words)
{
  GpuBlurTile tile;

  pick_tile (plane, step, words, &tile);
  return MAX (32, plane->budget / taps_of (plane, step)
      / MAX (16, granule_of (plane, step, &tile)));
}

/* Pixel columns of a strip: what middle[] holds, what a group may slide over,
 * what a dispatch's groups can cover, and what keeps it short. */
static guint
strip_width (Plane * plane)
{
  guint components = plane->format->components[plane->plane];
  guint words = gpu_blur_words_per_sum (components, plane->axis.exact,
      plane->half);
  Step list[2];
  guint n = steps_of (plane->method, list);
  guint64 width = (guint64) LEAST_GROUP_WIDTH
      * gpu_device_get_info (plane->blur->device)->max_groups[0];
  GpuBlurTile row_tile;

  for (guint i = 0; i < n; i++)
    width = MIN (width, columns_within_budget (plane, list[i], words));
  if (n == 2)
    width = MIN (width, gpu_buffer_get_size (plane->blur->middle)
        / (4 * words * plane->push.height));
  if (list[0] == STEP_SLIDING_ROWS) {
    gpu_blur_row_tile (plane->blur->device, words, &row_tile);
    width = MIN (width, gpu_blur_section_columns (&row_tile,
            plane->axis.radius));
  }
  /* Strips begin at whole units. */
  return width >= plane->push.width ? plane->push.width : MAX (width / 4 * 4,
      4);
}

static gboolean
record_strips (Plane * plane, GError ** error)
{
  Step list[2];
  guint n = steps_of (plane->method, list);
  guint pixels =
      gpu_blur_pixels_per_unit (plane->format->components[plane->plane]);
  guint width = strip_width (plane);
  Push *push = &plane->push;

  for (guint x = 0; x < push->width; x += width) {
    push->strip = x;
    push->strip_width = MIN (width, push->width - x);
    push->first_unit = x / pixels;
    push->units = DIV_UP (push->strip_width, pixels);
    for (guint i = 0; i < n; i++) {
      if (!record_step (plane, list[i], error))
        return FALSE;
      gpu_stream_barrier (plane->stream);
    }
  }
  return TRUE;
}

/* The format's black as one byte a component. */
static guint32
black_pixel (const GpuPixelFormat * format, guint plane, gboolean full_range)
{
  if (!format->is_yuv)
    return 0;
  if (plane > 0)
    return 0x8080;
  return full_range ? 0 : 16;
}

static gboolean
record_plane (Plane * plane, const GpuFrame * in, const GpuFrame * out,
    GError ** error)
{
  guint i = plane->plane;

  gpu_blur_axis_init (&plane->axis, plane->settings, plane->format->shift[i]);
  plane->push = (Push) {
  .width = gpu_frame_info_plane_width (&in->info, i),.height =
        gpu_frame_info_plane_height (&in->info, i),.source_offset =
        in->info.offset[i] / 4,.source_stride =
        in->info.stride[i] / 4,.target_offset =
        out->info.offset[i] / 4,.target_stride =
        out->info.stride[i] / 4,.radius_x = plane->axis.radius,.radius_y =
        plane->axis.radius,.weights_x =
        i * (GPU_BLUR_MAX_RADIUS + 1),.weights_y =
        i * (GPU_BLUR_MAX_RADIUS + 1),.edge = plane->settings->edge,.black =
        black_pixel (plane->format, i, plane->settings->full_range),};
  return record_strips (plane, error);
}

static void
record_weights (GpuBlur * blur, GpuStream * stream,
    const GpuBlurSettings * settings, const GpuPixelFormat * format)
{
  gfloat weights[GPU_BLUR_MAX_RADIUS + 1];

  for (guint i = 0; i < format->n_planes; i++) {
    GpuBlurAxis axis;

    gpu_blur_axis_init (&axis, settings, format->shift[i]);
    if (axis.exact)
      continue;
    gpu_blur_axis_weights (&axis, weights);
    gpu_stream_write (stream, blur->weights,
        i * (GPU_BLUR_MAX_RADIUS + 1) * sizeof (gfloat), weights,
        (axis.radius + 1) * sizeof (gfloat));
  }
  gpu_stream_barrier (stream);
}

gboolean
gpu_blur_record (GpuBlur * blur, GpuStream * stream,
    const GpuBlurSettings * settings, const GpuFrame * in,
    const GpuFrame * out, GpuBlurReport * report, GError ** error)
{
  GpuBlurReport unused_report;
  Plane plane = {
    .blur = blur,
    .stream = stream,
    .settings = settings,
    .method = gpu_blur_choose (blur->device, settings, blur->pixels),
    .half = gpu_blur_choose_precision (settings) == GPU_BLUR_HALF,
    .buffers = {in->buffer, out->buffer, blur->weights, blur->middle},
    .format = gpu_pixels_get_format (blur->pixels),
    .budget = taps_per_dispatch (blur->device),
    .report = report ? report : &unused_report,
  };

  *plane.report = (GpuBlurReport) {
  .method = plane.method,.precision =
        plane.half ? GPU_BLUR_HALF : GPU_BLUR_FLOAT,};
  gpu_stream_stage (stream, "weights");
  record_weights (blur, stream, settings, plane.format);
  for (plane.plane = 0; plane.plane < plane.format->n_planes; plane.plane++)
    if (!record_plane (&plane, in, out, error)) {
      gpu_stream_abandon (stream);
      return FALSE;
    }
  return TRUE;
}
