/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bilateralrecord.h"
#include "bilateraltables.h"
#include "gpu/core/compute/slicer.h"
#include "gpu/core/rounding.h"
#include "shaders.h"

/* Both shaders have the same push constants and bindings; only windows use tables. */
typedef GpuBlurBilateralWindowPush Push;

G_STATIC_ASSERT (GPU_BLUR_MAX_STAGES >= 2 * GPU_BLUR_MAX_PLANES);

/* The recording of a frame. */
typedef struct
{
  GpuBlurBilateral *owner;
  const GpuBlurRecording *recording;
  const GpuPixelFormat *format;
  GpuBlurBilateralRange range;
} Filter;

/* The recording of one plane in one pass. */
typedef struct
{
  const Filter *filter;
  guint plane;
  GpuBlurBilateralAxes which;
  GpuBlurAxes axes;
  GpuBlurBilateralKernel kernel;
  GpuDispatch dispatch;
  Push push;
  guint dispatches;
} Pass;

/* --- frames between passes --- */

void
gpu_blur_bilateral_lay_out (const GpuFrameInfo * like, GpuFrameInfo * scratch)
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

/* --- tables --- */

static void
record_axis_weights (const Filter * filter, const GpuBlurAxis * axis, guint at)
{
  gfloat weights[GPU_BLUR_BILATERAL_AXIS_WEIGHTS];

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
  gpu_blur_bilateral_range_weights (&filter->range, ranges);
  gpu_stream_write (recording->stream, filter->owner->tables, 0, ranges,
      sizeof ranges);
  for (guint i = 0; i < filter->format->n_planes; i++) {
    GpuBlurAxes axes;

    gpu_blur_axes_init (&axes, recording->settings, filter->format, i);
    record_axis_weights (filter, &axes.x, GPU_BLUR_BILATERAL_WEIGHTS_X (i));
    record_axis_weights (filter, &axes.y, GPU_BLUR_BILATERAL_WEIGHTS_Y (i));
  }
}

/* --- short dispatches --- */

static guint
count_taps (const Pass * pass)
{
  guint x = 2 * pass->axes.x.radius + 1, y = 2 * pass->axes.y.radius + 1;

  return pass->which == GPU_BLUR_BILATERAL_WINDOW ? x * y
      : pass->which == GPU_BLUR_BILATERAL_ROWS ? x : y;
}

/* Returns the most units of a row whose rows of groups are short dispatches; whole
 * groups. */
static guint
choose_units (const Pass * pass, guint pixels)
{
  const GpuBlurBilateralKernel *kernel = &pass->kernel;
  guint64 taps = gpu_stream_get_dispatch_units (pass->filter->recording->stream,
      kernel->kernel);
  guint64 groups = taps / count_taps (pass) / pixels / kernel->group_rows
      / kernel->group_units;
  guint most = gpu_device_get_info (pass->filter->owner->device)->max_groups[0];

  return CLAMP (groups, 1, most) * kernel->group_units;
}

/* Records the rows of the units that the push constants have. */
static void
record_rows (Pass * pass, guint pixels)
{
  const Filter *filter = pass->filter;
  const GpuBlurBilateralKernel *kernel = &pass->kernel;
  Push *push = &pass->push;
  GpuPieces rows = {
    .work = kernel->kernel,
    .units = (guint64) push->units * pixels * count_taps (pass),
    .n = push->height,
    .step = kernel->group_rows,
    .most = gpu_device_get_info (filter->owner->device)->max_groups[1],
  };

  while (gpu_pieces_next (&rows, filter->recording->stream)) {
    push->first_row = rows.first;
    push->rows = rows.end - rows.first;
    gpu_stream_dispatch (filter->recording->stream, &pass->dispatch,
        DIV_UP (push->units, kernel->group_units),
        DIV_UP (push->rows, kernel->group_rows), 1);
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
    .weights_x = GPU_BLUR_BILATERAL_WEIGHTS_X (i),
    .weights_y = GPU_BLUR_BILATERAL_WEIGHTS_Y (i),
    .range_scale = filter->range.scale,
    .range_rate = filter->range.rate,
    .rate_x = gpu_blur_bilateral_spatial_rate (&pass->axes.x),
    .rate_y = gpu_blur_bilateral_spatial_rate (&pass->axes.y),
    .edge = filter->recording->settings->edge,
    .black = black_word (filter, i),
  };
}

static const gchar *const stage_names[] = {
  [GPU_BLUR_BILATERAL_WINDOW] = "bilateral-window",
  [GPU_BLUR_BILATERAL_ROWS] = "bilateral-rows",
  [GPU_BLUR_BILATERAL_COLUMNS] = "bilateral-columns",
};

/* All rounds are one stage. */
static void
report_pass (const Pass * pass)
{
  const Filter *filter = pass->filter;
  GpuBlurReport *report = filter->recording->report;
  guint at = pass->plane;

  if (pass->which == GPU_BLUR_BILATERAL_COLUMNS)
    at += filter->format->n_planes;
  report->n_stages = MAX (report->n_stages, at + 1);
  report->stages[at].name = stage_names[pass->which];
  report->stages[at].plane = pass->plane;
  report->stages[at].taps = count_taps (pass);
  report->stages[at].dispatches += pass->dispatches;
}

static gboolean
record_plane (const Filter * filter, GpuBlurBilateralAxes which, guint plane,
    const GpuFrame * from, const GpuFrame * to, GError ** error)
{
  const GpuBlurSettings *settings = filter->recording->settings;
  const GpuBlurPlaneKind kind = gpu_blur_plane_kind (settings, filter->format,
      plane);
  Pass pass = {.filter = filter, .plane = plane, .which = which};

  gpu_blur_axes_init (&pass.axes, settings, filter->format, plane);
  if (!gpu_blur_bilateral_kernels_get (filter->owner->kernels, &kind, which,
          &pass.axes, GPU_KERNEL_SOON, &pass.kernel, error))
    return FALSE;
  pass.dispatch = (GpuDispatch) {
    .kernel = pass.kernel.kernel,
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
record_pass (const Filter * filter, GpuBlurBilateralAxes which,
    const GpuFrame * from, const GpuFrame * to, GError ** error)
{
  gpu_stream_stage (filter->recording->stream, stage_names[which]);
  gpu_stream_begin_disjoint (filter->recording->stream);
  for (guint i = 0; i < filter->format->n_planes; i++)
    if (!record_plane (filter, which, i, from, to, error))
      return FALSE;
  gpu_stream_end_disjoint (filter->recording->stream);
  return TRUE;
}

/* Passes read and write the scratch frames by turns; the first reads the input, and the
 * last writes the output. */
gboolean
gpu_blur_bilateral_record (GpuBlurBilateral * bilateral, GpuBlurMethod method,
    const GpuBlurRecording * recording, GError ** error)
{
  Filter filter = {
    .owner = bilateral,
    .recording = recording,
    .format = gpu_pixels_get_format (recording->in->info.pixels),
  };
  gboolean is_separable = method == GPU_BLUR_SEPARABLE;
  guint n = recording->settings->rounds * (is_separable ? 2 : 1);
  GpuFrame scratches[GPU_BLUR_BILATERAL_SCRATCHES];

  for (guint i = 0; i < GPU_BLUR_BILATERAL_SCRATCHES; i++) {
    gpu_blur_bilateral_lay_out (&recording->in->info, &scratches[i].info);
    scratches[i].buffer = bilateral->scratches[i];
  }
  gpu_blur_bilateral_range_init (&filter.range, recording->settings,
      filter.format);
  if (!is_separable)
    record_tables (&filter);
  for (guint i = 0; i < n; i++) {
    GpuBlurBilateralAxes which = !is_separable ? GPU_BLUR_BILATERAL_WINDOW
        : i % 2 == 0 ? GPU_BLUR_BILATERAL_ROWS : GPU_BLUR_BILATERAL_COLUMNS;
    const GpuFrame *from = i == 0 ? recording->in : &scratches[(i - 1) % 2];
    const GpuFrame *to = i == n - 1 ? recording->out : &scratches[i % 2];

    if (!record_pass (&filter, which, from, to, error))
      return FALSE;
  }
  return TRUE;
}
