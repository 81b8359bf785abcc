/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A method, settings and frames -> recorded dispatches. */
#include "passes.h"
#include "gpu/core/compute/pieces.h"
#include "shaders.h"

#define ROUND_UP(x, n) (((x) + (n) - 1) / (n) * (n))
#define DIV_UP(x, n) (((x) + (n) - 1) / (n))

/* Row sums kept in memory; wider frames are done in strips of columns. */
#define MAX_MIDDLE_SIZE ((gsize) 128 << 20)

/* Weights of an axis at most, and where those of rows and of columns of a plane
 * begin. */
#define AXIS_WEIGHTS (GPU_BLUR_MAX_RADIUS + 1)
#define WEIGHTS_X(plane) (2 * (plane) * AXIS_WEIGHTS)
#define WEIGHTS_Y(plane) (WEIGHTS_X (plane) + AXIS_WEIGHTS)

G_STATIC_ASSERT (GPU_BLUR_MAX_STAGES >= GPU_MAX_PLANES * GPU_BLUR_MAX_PASSES);

/* *INDENT-OFF* */
typedef struct
{
  BLUR_PUSH (guint32)
} Push;
/* *INDENT-ON* */

/* All shaders of passes include what declares it. */
G_STATIC_ASSERT (sizeof (Push) == sizeof (GpuBlurDirectPush));

/* A method for frames that are alike to it. */
typedef struct
{
  GpuPixels pixels;
  gboolean half, integers, linear;
  GpuBlurReadyMethod method;
} Ready;

typedef struct
{
  GpuBlurFamily family;
  GpuDevice *device;
  GpuBuilder *builder;
  GPtrArray *ready;             /* Ready; until the end, for a builder may be
                                   about to write to them */
  GpuBuffer *weights;           /* radius + 1 floats an axis of a plane */
  GpuBuffer *middle;
} Passes;

/* One plane of one frame on its way into a stream. */
typedef struct
{
  Passes *owner;
  GpuStream *stream;
  const GpuBlurSettings *settings;
  GpuBlurReadyMethod *method;
  GpuDispatch dispatch;         /* but for its kernel */
  const GpuPixelFormat *format;
  guint plane;
  GpuBlurAxes axes;
  GpuBlurReadyPass *passes;     /* of the plane */
  Push push;
  gdouble tap_ns;               /* as far as one knows at first */
  GpuBlurReport *report;
} Plane;

static GpuBlurFamily *
create (GpuDevice * device, GpuBuilder * builder)
{
  Passes *passes = g_new0 (Passes, 1);

  passes->family.type = &gpu_blur_passes_type;
  passes->device = gpu_device_ref (device);
  passes->builder = builder;
  passes->ready = g_ptr_array_new_with_free_func (g_free);
  return &passes->family;
}

static void
free_passes (GpuBlurFamily * family)
{
  Passes *passes = (Passes *) family;

  g_clear_pointer (&passes->weights, gpu_buffer_unref);
  g_clear_pointer (&passes->middle, gpu_buffer_unref);
  g_ptr_array_unref (passes->ready);
  gpu_device_unref (passes->device);
  g_free (passes);
}

static gsize
get_memory (GpuBlurFamily * family)
{
  Passes *passes = (Passes *) family;
  GpuBuffer *buffers[] = { passes->weights, passes->middle };

  return gpu_buffers_get_size (buffers, G_N_ELEMENTS (buffers));
}

/* --- buffers --- */

static gsize
middle_size (Passes * passes, const GpuBlurSettings * settings,
    const GpuPixelFormat * format, guint frame_width, guint frame_height)
{
  gboolean half = gpu_blur_choose_precision (settings, format) == GPU_BLUR_HALF;
  gsize size = 0;

  for (guint i = 0; i < format->n_planes; i++) {
    gsize width = ROUND_UP (DIV_UP (frame_width, 1u << format->shift[i]), 4);
    gsize height = DIV_UP (frame_height, 1u << format->shift[i]);
    guint words = BLUR_WORDS_PER_SUM (format->components[i],
        half && settings->kernel != GPU_BLUR_BOX);

    size = MAX (size, width * height * words * 4);
  }
  return MIN (size, MIN (MAX_MIDDLE_SIZE,
          gpu_device_get_info (passes->device)->max_binding));
}

static gboolean
ensure_buffer (Passes * passes, GpuBuffer ** buffer, gsize size,
    const gchar * name, GError ** error)
{
  GpuBuffer *larger;

  if (*buffer && gpu_buffer_get_size (*buffer) >= size)
    return TRUE;
  larger =
      gpu_buffer_new (passes->device, GPU_BUFFER_DEVICE, size, name, error);
  if (!larger)
    return FALSE;
  g_clear_pointer (buffer, gpu_buffer_unref);
  *buffer = larger;
  return TRUE;
}

/* A strip has four columns at least, of row sums of four words at most. */
static gboolean
check_height (Passes * passes, guint height, GError ** error)
{
  gsize limit = MIN (MAX_MIDDLE_SIZE,
      gpu_device_get_info (passes->device)->max_binding) / (4 * 4 * 4);

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
      && ensure_buffer (passes, &passes->weights, WEIGHTS_X (GPU_MAX_PLANES)
      * sizeof (gfloat), "blur weights", error)
      && ensure_buffer (passes, &passes->middle, middle_size (passes, settings,
          format, info->width, info->height), "blur row sums", error);
}

/* --- methods --- */

static const GpuPixelFormat *
get_format (const GpuBlurTask * task)
{
  return gpu_pixels_get_format (task->info->pixels);
}

/* That of @task for its format, precision and kind of sums: the same at each call, with
 * what was built of it. What the device has room for is found out at the first. */
static GpuBlurReadyMethod *
get_method (GpuBlurFamily * family, const GpuBlurTask * task)
{
  Passes *passes = (Passes *) family;
  const GpuBlurSettings *settings = task->settings;
  GpuPixels pixels = task->info->pixels;
  const GpuPixelFormat *format = get_format (task);
  gboolean half = gpu_blur_choose_precision (settings, format) == GPU_BLUR_HALF;
  gboolean integers = gpu_blur_can_sum_integers (settings, format);
  gboolean linear = gpu_blur_is_of_light (settings, format);
  Ready *ready;

  for (guint i = 0; i < passes->ready->len; i++) {
    ready = passes->ready->pdata[i];
    if (ready->method.method == task->method && ready->pixels == pixels
        && ready->half == half && ready->integers == integers
        && ready->linear == linear)
      return &ready->method;
  }
  ready = g_new (Ready, 1);
  ready->pixels = pixels;
  ready->half = half;
  ready->integers = integers;
  ready->linear = linear;
  gpu_blur_ready_method_init (&ready->method, passes->device,
      task->method, NULL, settings, format);
  g_ptr_array_add (passes->ready, ready);
  return &ready->method;
}

/* In formats of bytes. */
static guint
get_max_radius (GpuDevice * device, GpuBlurMethod method,
    GpuBlurPrecision precision, guint components)
{
  const GpuBlurPixel pixel = {
    .components = components,
    .bytes = components,
    .words = BLUR_WORDS_PER_SUM (components, precision != GPU_BLUR_FLOAT),
  };

  return gpu_blur_get_reach (device, method, &pixel);
}

static gboolean
reaches (GpuBlurFamily * family, const GpuBlurTask * task)
{
  return gpu_blur_ready_method_reaches (get_method (family, task),
      task->settings, get_format (task));
}

static gboolean
build (GpuBlurFamily * family, const GpuBlurTask * task, gboolean all,
    GError ** error)
{
  GpuDevice *device = ((Passes *) family)->device;
  GpuBlurReadyMethod *method = get_method (family, task);

  return all ?
      gpu_blur_ready_method_build_all (method, device, get_format (task), error)
      : gpu_blur_ready_method_build (method, device, task->settings,
      get_format (task), error);
}

static void
expect (GpuBlurFamily * family, const GpuBlurTask * task)
{
  gpu_blur_ready_method_request_all (get_method (family, task),
      ((Passes *) family)->builder, get_format (task));
}

static gpointer
make_plan (GpuBlurFamily * family, const GpuBlurTask * task, GError ** error)
{
  const GpuBlurPassesPlan plan = { get_method (family, task) };

  return build (family, task, FALSE, error) ? g_memdup2 (&plan, sizeof plan)
      : NULL;
}

/* --- the workload --- */

static void
count_pass (GpuBlurWorkload * workload, GpuBlurReadyPass * ready,
    const GpuBlurPlaneSize * size)
{
  const GpuBlurPass *pass = ready->pass;
  const GpuBlurTile *tile =
      &gpu_blur_ready_pass_pick (ready, &size->axes)->tile;
  guint taps = gpu_blur_pass_taps (pass, &size->axes);
  guint work = gpu_blur_pass_work (pass, tile, &size->axes);
  gdouble *n = workload->n;

  n[GPU_BLUR_DISPATCHES]++;
  n[GPU_BLUR_CHAIN] += taps;
  n[GPU_BLUR_TAPS] += size->samples * taps;
  /* Sums that run take less than their taps. */
  n[GPU_BLUR_GROUP_TAPS] += size->samples * (MAX (work, taps) - taps);
  if (pass->held)
    n[GPU_BLUR_HELD] += size->pixels * work * tile->shared_words
        / (tile->group_x * tile->group_y);
}

static void
count (GpuBlurFamily * family, const GpuBlurTask * task,
    GpuBlurWorkload * workload)
{
  GpuBlurReadyMethod *method = get_method (family, task);

  for (guint plane = 0; plane < get_format (task)->n_planes; plane++) {
    GpuBlurPlaneSize size;
    gboolean exact;

    gpu_blur_plane_size_init (&size, task, plane);
    exact = gpu_blur_ready_method_is_exact (method, &size.axes);
    if (exact && plane == 0)
      workload->sums = GPU_BLUR_SUMS_INTEGERS;
    for (guint i = 0; i < method->n_passes; i++)
      count_pass (workload, &method->passes[plane][exact][i], &size);
  }
}

/* --- short dispatches --- */

/* What a tap takes on a slow device of a kind. The direct method has the
 * slowest ones: some 7 a ns for each TFLOPS of a card, 0.08 on two cores. */
static gdouble
choose_tap_ns (GpuDevice * device)
{
  if (gpu_device_is_slow (device))
    return 10;
  return gpu_device_get_info (device)->kind == GPU_DEVICE_DISCRETE ? 0.08 : 0.6;
}

static GpuCost
cost_of_tap (Plane * plane, GpuBlurReadyTile * ready)
{
  return (GpuCost) {
  g_atomic_pointer_get (&ready->kernel), plane->tap_ns};
}

/* Pixel columns of which a few rows, or one workgroup's, fill a dispatch: whole
 * workgroups, for what is left of one takes as long as one; or parts of wide
 * ones, whose lanes past a strip's edge at least sum nothing. */
static guint64
choose_columns (Plane * plane, const GpuCost * cost, guint work,
    guint group_rows, guint group_columns)
{
  guint64 columns = gpu_stream_get_dispatch_units (plane->stream, cost)
      / work / MAX (16, group_rows);
  guint step = MIN (32, group_columns);

  return MAX (columns / step, 1) * step;
}

/* --- recording --- */

/* Strips of one pass count as one stage. */
static void
report_pass (Plane * plane, guint i, const GpuBlurTile * tile, guint dispatches,
    guint taps)
{
  GpuBlurReport *report = plane->report;
  guint at = plane->plane * plane->method->n_passes + i;

  report->stages[at].name = plane->passes[i].pass->stage;
  report->stages[at].plane = plane->plane;
  report->stages[at].dispatches += dispatches;
  report->stages[at].taps = taps;
  report->stages[at].group_x = tile->group_x;
  report->stages[at].group_y = tile->group_y;
  report->stages[at].groups_down = DIV_UP (plane->push.height,
      plane->push.section_rows);
}

/* All rows of one strip, in short dispatches. */
static gboolean
record_pass (Plane * plane, guint i, GError ** error)
{
  const GpuBlurPass *pass = plane->passes[i].pass;
  GpuBlurReadyTile *ready = gpu_blur_ready_pass_pick (&plane->passes[i],
      &plane->axes);
  guint taps = gpu_blur_pass_taps (pass, &plane->axes);
  guint group_rows = gpu_blur_pass_group_rows (pass, &ready->tile,
      &plane->axes);
  Push *push = &plane->push;
  guint64 row_taps = (guint64) push->strip_width * gpu_blur_pass_work (pass,
      &ready->tile, &plane->axes);
  GpuPieces rows = {
    .cost = cost_of_tap (plane, ready),
    .units = row_taps,.n = push->height,.step = group_rows,.most =
        gpu_device_get_info (plane->owner->device)->max_groups[1]
  };
  GpuDispatch dispatch = plane->dispatch;
  guint dispatches = 0;

  dispatch.kernel = g_atomic_pointer_get (&ready->kernel);
  dispatch.push = push;
  push->section_rows = group_rows;
  push->section_columns = gpu_blur_pass_section_columns (pass, &ready->tile,
      &plane->axes, push->strip_width);
  gpu_stream_stage (plane->stream, pass->stage);
  while (gpu_pieces_next (&rows, plane->stream, error)) {
    push->first_row = rows.first;
    push->rows = rows.end - rows.first;
    gpu_stream_dispatch (plane->stream, &dispatch,
        DIV_UP (push->strip_width, push->section_columns),
        DIV_UP (push->rows, group_rows), 1);
    dispatches++;
  }
  report_pass (plane, i, &ready->tile, dispatches, taps);
  return gpu_pieces_are_done (&rows);
}

/* Pixel columns of a strip, as far as a pass has a say: what its groups can
 * cover, what keeps a dispatch short, what middle[] holds. */
static guint64
pass_width (Plane * plane, GpuBlurReadyPass * ready)
{
  const GpuBlurPass *pass = ready->pass;
  const GpuBlurAxes *axes = &plane->axes;
  GpuBlurReadyTile *picked = gpu_blur_ready_pass_pick (ready, axes);
  const GpuBlurTile *tile = &picked->tile;
  const GpuCost cost = cost_of_tap (plane, picked);
  guint64 columns = choose_columns (plane, &cost,
      gpu_blur_pass_work (pass, tile, axes),
      gpu_blur_pass_group_rows (pass, tile, axes),
      gpu_blur_pass_group_columns (pass, tile));
  guint64 width = gpu_blur_pass_max_width (pass, tile, plane->owner->device,
      axes);

  width = MIN (width, columns);
  if (pass->output == GPU_BLUR_TO_MIDDLE)
    width = MIN (width, gpu_buffer_get_size (plane->owner->middle)
        / (4 * tile->pixel.words * plane->push.height));
  return width;
}

static guint
strip_width (Plane * plane)
{
  guint64 width = G_MAXUINT64;

  for (guint i = 0; i < plane->method->n_passes; i++)
    width = MIN (width, pass_width (plane, &plane->passes[i]));
  /* Strips begin at whole units. */
  return width >= plane->push.width ? plane->push.width : MAX (width / 4 * 4,
      4);
}

static gboolean
record_strips (Plane * plane, GError ** error)
{
  guint pixels = BLUR_PIXELS_PER_UNIT (gpu_pixel_format_get_size (plane->format,
          plane->plane));
  guint width = strip_width (plane);
  Push *push = &plane->push;

  for (guint x = 0; x < push->width; x += width) {
    push->strip = x;
    push->strip_width = MIN (width, push->width - x);
    push->first_unit = x / pixels;
    push->units = DIV_UP (push->strip_width, pixels);
    for (guint i = 0; i < plane->method->n_passes; i++) {
      if (!record_pass (plane, i, error))
        return FALSE;
      gpu_stream_barrier (plane->stream);
    }
  }
  return TRUE;
}

static gboolean
record_plane (Plane * plane, const GpuFrame * in, const GpuFrame * out,
    GError ** error)
{
  guint i = plane->plane;

  gpu_blur_axes_init (&plane->axes, plane->settings, plane->format, i);
  plane->passes = plane->method->passes[i]
      [gpu_blur_ready_method_is_exact (plane->method, &plane->axes)];
  plane->push = (Push) {
  .width = gpu_frame_info_plane_width (&in->info, i),.height =
        gpu_frame_info_plane_height (&in->info, i),.source_offset =
        in->info.offset[i] / 4,.source_stride =
        in->info.stride[i] / 4,.target_offset =
        out->info.offset[i] / 4,.target_stride =
        out->info.stride[i] / 4,.radius_x = plane->axes.x.radius,.radius_y =
        plane->axes.y.radius,.weights_x =
        WEIGHTS_X (i),.weights_y = WEIGHTS_Y (i),.inner_x =
        plane->axes.x.inner_weight,.end_x =
        plane->axes.x.end_weight,.inner_y =
        plane->axes.y.inner_weight,.end_y = plane->axes.y.end_weight,.edge =
        plane->settings->edge,.black =
        gpu_pixel_format_get_black (plane->format, i,
        plane->settings->full_range),};
  return record_strips (plane, error);
}

static void
record_axis_weights (const Plane * plane, const GpuBlurAxis * axis, guint at)
{
  gfloat weights[AXIS_WEIGHTS];

  gpu_blur_axis_weights (axis, weights);
  gpu_stream_write (plane->stream, plane->owner->weights, at * sizeof (gfloat),
      weights, (axis->radius + 1) * sizeof (gfloat));
}

/* Those of all planes of the frame. */
static void
record_weights (const Plane * plane)
{
  for (guint i = 0; i < plane->format->n_planes; i++) {
    GpuBlurAxes axes;

    gpu_blur_axes_init (&axes, plane->settings, plane->format, i);
    if (gpu_blur_ready_method_is_exact (plane->method, &axes))
      continue;
    record_axis_weights (plane, &axes.x, WEIGHTS_X (i));
    record_axis_weights (plane, &axes.y, WEIGHTS_Y (i));
  }
  gpu_stream_barrier (plane->stream);
}

static gboolean
record (GpuBlurFamily * family, gconstpointer plan,
    const GpuBlurRecording * recording, GError ** error)
{
  Passes *passes = (Passes *) family;
  GpuBlurReadyMethod *method = ((const GpuBlurPassesPlan *) plan)->method;
  const GpuFrame *in = recording->in, *out = recording->out;
  GpuBlurReport *report = recording->report;
  Plane plane = {
    .owner = passes,
    .stream = recording->stream,
    .settings = recording->settings,
    .method = method,
    .dispatch.buffers = {
          [BLUR_SOURCE] = in->buffer,
          [BLUR_TARGET] = out->buffer,
          [BLUR_WEIGHTS] = passes->weights,
          [BLUR_MIDDLE] = passes->middle,
          [BLUR_LIGHT] = recording->light,
        },
    .format = gpu_pixels_get_format (in->info.pixels),
    .tap_ns = choose_tap_ns (passes->device),
    .report = report,
  };

  report->n_stages = plane.format->n_planes * method->n_passes;
  gpu_stream_stage (plane.stream, "weights");
  record_weights (&plane);
  for (plane.plane = 0; plane.plane < plane.format->n_planes; plane.plane++)
    if (!record_plane (&plane, in, out, error))
      return FALSE;
  return TRUE;
}

const GpuBlurFamilyType gpu_blur_passes_type = {
  .create = create,
  .free = free_passes,
  .get_memory = get_memory,
  .get_max_radius = get_max_radius,
  .prepare = prepare,
  .reaches = reaches,
  .count = count,
  .build = build,
  .expect = expect,
  .make_plan = make_plan,
  .record = record,
};
