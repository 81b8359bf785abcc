/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "passesrecord.h"
#include "gpu/core/compute/slicer.h"
#include "gpu/core/rounding.h"
#include "shaders.h"

/* The indices in the buffer of weights where those of a plane's rows and columns begin. */
#define WEIGHTS_X(plane) (2 * (plane) * GPU_BLUR_AXIS_WEIGHTS)
#define WEIGHTS_Y(plane) (WEIGHTS_X (plane) + GPU_BLUR_AXIS_WEIGHTS)

G_STATIC_ASSERT (GPU_BLUR_MAX_STAGES >=
    GPU_BLUR_MAX_PLANES * GPU_BLUR_MAX_PASSES);

/* All shaders of passes have the same push constants. */
typedef GpuBlurDirectPush Push;

/* The recording of one plane. */
typedef struct
{
  GpuBlurPasses *owner;
  GpuStream *stream;
  const GpuBlurSettings *settings;
  GpuBlurReadyMethod *method;
  GpuDispatch dispatch;         /* without kernel and push constants */
  const GpuPixelFormat *format;
  guint plane;
  GpuBlurAxes axes;
  GpuBlurReadyPass *passes;     /* of this plane */
  Push push;
  GpuBlurReport *report;
} Plane;

/* --- short dispatches --- */

/* Returns the pixel columns for which 16 rows, or those of one workgroup, fill a short
 * dispatch. A multiple of the columns of a workgroup, as a partly used workgroup takes as
 * long as a full one; for wide workgroups a multiple of 32, as threads beyond a strip's
 * edge sum nothing. */
static guint64
choose_columns (Plane * plane, const GpuKernel * kernel, guint work,
    guint group_rows, guint group_columns)
{
  guint64 columns = gpu_stream_get_dispatch_units (plane->stream, kernel)
      / work / MAX (16, group_rows);
  guint step = MIN (32, group_columns);

  return MAX (columns / step, 1) * step;
}

/* --- recording --- */

/* Adds to the report. All strips of a pass are one stage. */
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

/* Records one pass over all rows of a strip, in short dispatches. */
static void
record_pass (Plane * plane, guint i)
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
    .work = ready->kernel,
    .units = row_taps,
    .n = push->height,
    .step = group_rows,
    .most = gpu_device_get_info (plane->owner->device)->max_groups[1],
  };
  GpuDispatch dispatch = plane->dispatch;
  guint dispatches = 0;

  dispatch.kernel = ready->kernel;
  dispatch.push = push;
  push->section_rows = group_rows;
  push->section_columns = gpu_blur_pass_section_columns (pass, &ready->tile,
      &plane->axes, push->strip_width);
  gpu_stream_stage (plane->stream, pass->stage);
  while (gpu_pieces_next (&rows, plane->stream)) {
    push->first_row = rows.first;
    push->rows = rows.end - rows.first;
    gpu_stream_dispatch (plane->stream, &dispatch,
        DIV_UP (push->strip_width, push->section_columns),
        DIV_UP (push->rows, group_rows), 1);
    dispatches++;
  }
  report_pass (plane, i, &ready->tile, dispatches, taps);
}

/* Returns the largest width of a strip in pixels that a pass allows. Three limits apply:
 * the columns of one dispatch, the length of a short dispatch, and the size of middle[]. */
static guint64
pass_width (Plane * plane, GpuBlurReadyPass * ready)
{
  const GpuBlurPass *pass = ready->pass;
  const GpuBlurAxes *axes = &plane->axes;
  GpuBlurReadyTile *picked = gpu_blur_ready_pass_pick (ready, axes);
  const GpuBlurTile *tile = &picked->tile;
  guint64 columns = choose_columns (plane, picked->kernel,
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

/* Returns the width of all strips but the last. A strip begins where a thread of every
 * pass does, at a whole unit and a whole block: all numbers of a thread's columns are
 * powers of two. */
static guint
strip_width (Plane * plane)
{
  guint64 width = G_MAXUINT64;
  guint step = 1;

  for (guint i = 0; i < plane->method->n_passes; i++) {
    GpuBlurReadyPass *ready = &plane->passes[i];

    width = MIN (width, pass_width (plane, ready));
    step = MAX (step, gpu_blur_pass_thread_columns (ready->pass,
            &gpu_blur_ready_pass_pick (ready, &plane->axes)->tile));
  }
  return width >= plane->push.width ? plane->push.width
      : MAX (width / step * step, step);
}

static void
record_strips (Plane * plane)
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
    for (guint i = 0; i < plane->method->n_passes; i++)
      record_pass (plane, i);
  }
}

static void
record_plane (Plane * plane, const GpuFrame * in, const GpuFrame * out)
{
  guint i = plane->plane;

  gpu_blur_axes_init (&plane->axes, plane->settings, plane->format, i);
  plane->passes = plane->method->passes[i]
      [gpu_blur_ready_method_get_totals (plane->method, &plane->axes)];
  plane->push = (Push) {
    .width = gpu_frame_info_plane_width (&in->info, i),
    .height = gpu_frame_info_plane_height (&in->info, i),
    .source_offset = in->info.offset[i] / 4,
    .source_stride = in->info.stride[i] / 4,
    .target_offset = out->info.offset[i] / 4,
    .target_stride = out->info.stride[i] / 4,
    .radius_x = plane->axes.x.radius,
    .radius_y = plane->axes.y.radius,
    .weights_x = WEIGHTS_X (i),
    .weights_y = WEIGHTS_Y (i),
    .inner_x = plane->axes.x.inner_weight,
    .end_x = plane->axes.x.end_weight,
    .inner_y = plane->axes.y.inner_weight,
    .end_y = plane->axes.y.end_weight,
    .edge = plane->settings->edge,
    .black = gpu_pixel_format_get_black (plane->format, i,
        plane->settings->full_range),
  };
  record_strips (plane);
}

static void
record_axis_weights (const Plane * plane, const GpuBlurAxis * axis, guint at)
{
  gfloat weights[GPU_BLUR_AXIS_WEIGHTS];

  gpu_blur_axis_weights (axis, weights);
  gpu_stream_write (plane->stream, plane->owner->weights, at * sizeof (gfloat),
      weights, (axis->radius + 1) * sizeof (gfloat));
}

/* Records the writes of the weights of all planes. */
static void
record_weights (const Plane * plane)
{
  for (guint i = 0; i < plane->format->n_planes; i++) {
    GpuBlurAxes axes;

    gpu_blur_axes_init (&axes, plane->settings, plane->format, i);
    if (gpu_blur_ready_method_get_totals (plane->method, &axes)
        != GPU_BLUR_TOTALS_FLOAT)
      continue;
    record_axis_weights (plane, &axes.x, WEIGHTS_X (i));
    record_axis_weights (plane, &axes.y, WEIGHTS_Y (i));
  }
}

void
gpu_blur_passes_record (GpuBlurPasses * passes, GpuBlurReadyMethod * method,
    const GpuBlurRecording * recording)
{
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
      [BLUR_SOURCE_FOURS] = in->buffer,
    },
    .format = gpu_pixels_get_format (in->info.pixels),
    .report = report,
  };

  report->n_stages = plane.format->n_planes * method->n_passes;
  gpu_stream_stage (plane.stream, "weights");
  record_weights (&plane);
  for (plane.plane = 0; plane.plane < plane.format->n_planes; plane.plane++)
    record_plane (&plane, in, out);
}
