/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Settings -> a plan, of a method and what it needs -> who records it: strips, the
 * pyramid, or passes. */
#include "blur.h"
#include "cost.h"
#include "light.h"
#include "method.h"
#include "passes.h"
#include "gpu/blur/pyramid/pyramid.h"
#include "gpu/blur/strips/strips.h"
#include "tuning.h"

#include <math.h>

/* Does any settings. */
#define STAND_IN GPU_BLUR_SEPARABLE

/* What is decided once, until frames or settings change. */
typedef struct
{
  gboolean is_made;
  GpuFrameInfo info;
  GpuBlurSettings settings;
  GpuBlurMethod method;         /* that runs */
  GpuBlurReadyMethod *passes;   /* NULL: it is none of theirs */
  GpuBlurStripsPlan strips;     /* where it is theirs, */
  GpuBlurPyramidPlan pyramid;   /* or the pyramid's */
} Plan;

/* What has a plan of its own: a progressive frame, and each field of an interlaced one, for
 * these may differ by a row. */
typedef enum
{
  FRAME,
  FIRST_FIELD,
  SECOND_FIELD,
  MAX_PARTS
} Part;

struct _GpuBlur
{
  GpuDevice *device;
  GpuBuilder *builder;
  GpuBlurStrips *strips;
  GpuBlurPyramid *pyramid;
  GpuBlurPasses *passes;
  GpuBuffer *light;             /* shaders/blur/light.h, of the frame at hand */
  Plan plans[MAX_PARTS];
  /* Since preparing: what is being built beyond what the first frame needs, of its
   * method and of what other sigmas take. */
  gboolean expects_more, expects_others;
};

guint
gpu_blur_max_radius (GpuDevice * device, GpuBlurMethod method,
    GpuBlurPrecision precision, guint components)
{
  if (method == GPU_BLUR_AUTO)
    return GPU_BLUR_MAX_RADIUS;
  if (method == GPU_BLUR_PYRAMID)
    return 0;
  if (method == GPU_BLUR_STRIPS)
    return gpu_blur_strips_max_radius (device, precision);
  return gpu_blur_get_reach (device, method, components,
      BLUR_WORDS_PER_SUM (components, precision != GPU_BLUR_FLOAT));
}

GpuBlur *
gpu_blur_new (GpuDevice * device)
{
  GpuBlur *blur = g_new0 (GpuBlur, 1);

  blur->device = gpu_device_ref (device);
  blur->builder = gpu_builder_new (device);
  blur->strips = gpu_blur_strips_new (device, blur->builder);
  blur->pyramid = gpu_blur_pyramid_new (device, blur->builder);
  blur->passes = gpu_blur_passes_new (device);
  return blur;
}

void
gpu_blur_free (GpuBlur * blur)
{
  gpu_builder_free (blur->builder);
  gpu_blur_strips_free (blur->strips);
  gpu_blur_pyramid_free (blur->pyramid);
  gpu_blur_passes_free (blur->passes);
  g_clear_pointer (&blur->light, gpu_buffer_unref);
  gpu_device_unref (blur->device);
  g_free (blur);
}

void
gpu_blur_set_tuning (GpuBlur * blur, const GpuBlurTuning * tuning)
{
  gpu_blur_pyramid_set_kind (blur->pyramid, tuning->pyramid);
}

gsize
gpu_blur_get_memory (GpuBlur * blur)
{
  return gpu_blur_strips_get_memory (blur->strips)
      + gpu_blur_pyramid_get_memory (blur->pyramid)
      + gpu_buffers_get_size (&blur->light, 1)
      + gpu_blur_passes_get_memory (blur->passes);
}

void
gpu_blur_wait (GpuBlur * blur)
{
  gpu_builder_wait (blur->builder);
}

/* --- which method --- */

static GpuBlurReadyMethod *
get_passes (GpuBlur * blur, GpuBlurMethod method,
    const GpuBlurSettings * settings, const GpuFrameInfo * info)
{
  return gpu_blur_passes_get_method (blur->passes, method, settings,
      info->pixels);
}

static gboolean
reaches (GpuBlur * blur, GpuBlurMethod method,
    const GpuBlurSettings * settings, const GpuFrameInfo * info)
{
  switch (method) {
    case GPU_BLUR_STRIPS:
      return gpu_blur_strips_reaches (blur->strips, settings, info);
    case GPU_BLUR_PYRAMID:
      return gpu_blur_pyramid_find_levels (blur->pyramid, settings, info)
          != NULL;
    default:
      return gpu_blur_ready_method_reaches (get_passes (blur, method, settings,
              info), settings, gpu_pixels_get_format (info->pixels));
  }
}

gboolean
gpu_blur_get_workload (GpuBlur * blur, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, GpuBlurWorkload * workload)
{
  GpuBlurCandidate candidate = {
    .method = settings->method,
    .settings = settings,
    .info = info,
  };

  if (!reaches (blur, settings->method, settings, info))
    return FALSE;
  switch (settings->method) {
    case GPU_BLUR_STRIPS:
      for (guint i = 0; i < gpu_pixels_get_format (info->pixels)->n_planes; i++)
        candidate.strips[i] = gpu_blur_strips_get_shape (blur->strips,
            settings, info, i);
      break;
    case GPU_BLUR_PYRAMID:
      candidate.levels = gpu_blur_pyramid_find_levels (blur->pyramid,
          settings, info);
      break;
    default:
      candidate.passes = get_passes (blur, settings->method, settings, info);
  }
  gpu_blur_workload_init (workload, &candidate);
  return TRUE;
}

static GpuBlurMethod
choose_cheapest (GpuBlur * blur, const GpuBlurSettings * settings,
    const GpuFrameInfo * info)
{
  GpuBlurSettings tried = *settings;
  GpuBlurMethod cheapest = STAND_IN;
  gdouble least = G_MAXDOUBLE;

  for (tried.method = GPU_BLUR_AUTO + 1;
      tried.method <= GPU_BLUR_RUNNING_SUMS; tried.method++) {
    GpuBlurWorkload workload;
    gdouble cost = gpu_blur_get_workload (blur, &tried, info, &workload) ?
        gpu_blur_cost (blur->device, &workload) : G_MAXDOUBLE;

    if (cost < least) {
      cheapest = tried.method;
      least = cost;
    }
  }
  return cheapest;
}

/* What runs: never AUTO. */
static GpuBlurMethod
choose_method (GpuBlur * blur, const GpuBlurSettings * settings,
    const GpuFrameInfo * info)
{
  if (settings->method == GPU_BLUR_AUTO)
    return choose_cheapest (blur, settings, info);
  return reaches (blur, settings->method, settings, info) ? settings->method
      : STAND_IN;
}

/* --- what is made before it is needed --- */

static gboolean
may_be (const GpuBlurSettings * settings, GpuBlurMethod method)
{
  return settings->method == method || settings->method == GPU_BLUR_AUTO;
}

static gboolean
make_room (GpuBlur * blur, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, GError ** error)
{
  return (!may_be (settings, GPU_BLUR_PYRAMID)
      || gpu_blur_pyramid_prepare (blur->pyramid, settings, info, error))
      && (!may_be (settings, GPU_BLUR_STRIPS)
      || gpu_blur_strips_prepare (blur->strips, error))
      && gpu_blur_passes_prepare (blur->passes, settings, info, error);
}

/* What the first frame needs of a method that auto takes: the rest is built while
 * frames flow. */
static gboolean
build_first (GpuBlur * blur, GpuBlurMethod method,
    const GpuBlurSettings * settings, const GpuFrameInfo * info,
    GError ** error)
{
  GpuBlurPyramidPlan plan;

  switch (method) {
    case GPU_BLUR_STRIPS:
      return gpu_blur_strips_build (blur->strips, settings, info, FALSE, error);
    case GPU_BLUR_PYRAMID:
      return gpu_blur_pyramid_plan (blur->pyramid, settings, info, &plan,
          error);
    default:
      return gpu_blur_ready_method_build (get_passes (blur, method, settings,
              info), blur->device, settings,
          gpu_pixels_get_format (info->pixels), error);
  }
}

/* All of a method that was asked for. */
static gboolean
build_all (GpuBlur * blur, GpuBlurMethod method,
    const GpuBlurSettings * settings, const GpuFrameInfo * info,
    GError ** error)
{
  switch (method) {
    case GPU_BLUR_STRIPS:
      return gpu_blur_strips_build (blur->strips, settings, info, TRUE, error);
    case GPU_BLUR_PYRAMID:
      return gpu_blur_pyramid_build (blur->pyramid, settings, info, error);
    default:
      return gpu_blur_ready_method_build_all (get_passes (blur, method,
              settings, info), blur->device,
          gpu_pixels_get_format (info->pixels), error);
  }
}

static gboolean
ensure_light (GpuBlur * blur, GError ** error)
{
  if (!blur->light)
    blur->light = gpu_buffer_new (blur->device, GPU_BUFFER_DEVICE,
        LIGHT_TABLE_SIZE * sizeof (gfloat), "blur light", error);
  return blur->light != NULL;
}

static gboolean
prepare (GpuBlur * blur, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, GError ** error)
{
  GpuBlurMethod method;

  if (!ensure_light (blur, error) || !make_room (blur, settings, info, error))
    return FALSE;
  method = choose_method (blur, settings, info);
  for (Part part = FRAME; part < MAX_PARTS; part++)
    blur->plans[part].is_made = FALSE;
  blur->expects_more = blur->expects_others = FALSE;
  if (settings->method == GPU_BLUR_AUTO)
    return build_first (blur, method, settings, info, error);
  return build_all (blur, method, settings, info, error)
      && build_all (blur, STAND_IN, settings, info, error);
}

gboolean
gpu_blur_prepare (GpuBlur * blur, GpuPixels pixels, guint width,
    guint height, const GpuBlurSettings * settings, GError ** error)
{
  GpuFrameInfo info;

  gpu_frame_info_init (&info, pixels, width, height);
  return prepare (blur, settings, &info, error);
}

static GpuBlurSettings
settings_of_field (const GpuBlurSettings * settings)
{
  GpuBlurSettings field = *settings;

  field.is_field = TRUE;
  return field;
}

gboolean
gpu_blur_prepare_fields (GpuBlur * blur, GpuPixels pixels, guint width,
    guint height, const GpuBlurSettings * settings, GError ** error)
{
  const GpuBlurSettings of_field = settings_of_field (settings);
  GpuFrameInfo info, field;

  gpu_frame_info_init (&info, pixels, width, height);
  for (guint i = 0; i < gpu_frame_info_count_fields (&info); i++) {
    gpu_frame_info_get_field (&info, i, &field);
    if (!prepare (blur, &of_field, &field, error))
      return FALSE;
  }
  return TRUE;
}

/* --- plans --- */

static gboolean
are_equal (const GpuBlurSettings * a, const GpuBlurSettings * b)
{
  return a->kernel == b->kernel && a->sigma_x == b->sigma_x
      && a->sigma_y == b->sigma_y && a->radius == b->radius
      && a->method == b->method && a->precision == b->precision
      && a->edge == b->edge && a->full_range == b->full_range
      && a->is_field == b->is_field && !a->light == !b->light;
}

static gboolean
make_plan (GpuBlur * blur, Part part, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, GError ** error)
{
  Plan plan = {.is_made = TRUE,.info = *info,.settings = *settings,
    .method = choose_method (blur, settings, info)
  };

  blur->plans[part].is_made = FALSE;
  switch (plan.method) {
    case GPU_BLUR_STRIPS:
      gpu_blur_strips_plan (blur->strips, settings, info, &plan.strips);
      break;
    case GPU_BLUR_PYRAMID:
      if (!gpu_blur_pyramid_plan (blur->pyramid, settings, info, &plan.pyramid,
              error))
        return FALSE;
      break;
    default:
      plan.passes = get_passes (blur, plan.method, settings, info);
      if (!gpu_blur_ready_method_build (plan.passes, blur->device, settings,
              gpu_pixels_get_format (info->pixels), error))
        return FALSE;
  }
  blur->plans[part] = plan;
  return TRUE;
}

/* Sigmas and radii from narrow to wide, each by so much more than the one before: some
 * methods are the fastest for a few alone. */
#define NARROW 0.3
#define WIDER 1.04

static void
expect (GpuBlur * blur, const GpuBlurSettings * settings,
    const GpuFrameInfo * info)
{
  GpuBlurMethod method = choose_method (blur, settings, info);

  switch (method) {
    case GPU_BLUR_STRIPS:
      gpu_blur_strips_expect (blur->strips, settings, info);
      break;
    case GPU_BLUR_PYRAMID:
      gpu_blur_pyramid_expect (blur->pyramid, settings, info);
      break;
    default:
      gpu_blur_ready_method_request_all (get_passes (blur, method, settings,
              info), blur->builder, gpu_pixels_get_format (info->pixels));
  }
}

/* Has built in the background what auto takes for narrower and wider ones: once
 * they move, no frame is to wait for that. */
static void
expect_others (GpuBlur * blur, const GpuBlurSettings * settings,
    const GpuFrameInfo * info)
{
  gdouble largest = MAX (settings->sigma_x, settings->sigma_y);
  GpuBlurSettings other = *settings;

  for (gdouble sigma = NARROW; sigma <= GPU_BLUR_MAX_SIGMA; sigma *= WIDER) {
    if (settings->radius >= 0)
      other.radius = ceil (sigma * 3);
    if (largest > 0) {
      other.sigma_x = settings->sigma_x * sigma / largest;
      other.sigma_y = settings->sigma_y * sigma / largest;
    }
    expect (blur, &other, info);
  }
}

/* The first frame has what it needs, and passes all that frames like it need. From the
 * second on, what may serve later is built. */
static void
look_ahead (GpuBlur * blur, const Plan * plan,
    const GpuBlurSettings * settings, const GpuFrameInfo * info, gboolean moves)
{
  if (settings->method != GPU_BLUR_AUTO || !plan->is_made)
    return;
  if (!blur->expects_more && !plan->passes)
    expect (blur, &plan->settings, info);
  blur->expects_more = TRUE;
  if (moves && !blur->expects_others) {
    expect (blur, &plan->settings, info);
    expect_others (blur, settings, info);
  }
  blur->expects_others |= moves;
}

static gboolean
ensure_plan (GpuBlur * blur, Part part, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, GError ** error)
{
  const Plan *plan = &blur->plans[part];
  gboolean moves = !plan->is_made || !are_equal (&plan->settings, settings);

  look_ahead (blur, plan, settings, info, moves);
  if (!moves && gpu_frame_info_is_alike (&plan->info, info))
    return TRUE;
  return make_plan (blur, part, settings, info, error);
}

/* --- recording --- */

static gboolean
record_plan (GpuBlur * blur, const Plan * plan,
    const GpuBlurRecording * recording, GError ** error)
{
  switch (plan->method) {
    case GPU_BLUR_STRIPS:
      return gpu_blur_strips_record (blur->strips, &plan->strips, recording,
          error);
    case GPU_BLUR_PYRAMID:
      return gpu_blur_pyramid_record (blur->pyramid, &plan->pyramid, recording,
          error);
    default:
      return gpu_blur_passes_record (blur->passes, plan->passes, recording,
          error);
  }
}

static gboolean
record_part (GpuBlur * blur, Part part, const GpuBlurRecording * recording,
    GError ** error)
{
  return ensure_plan (blur, part, recording->settings, &recording->in->info,
      error) && record_plan (blur, &blur->plans[part], recording, error);
}

static GpuFrame
get_field (const GpuFrame * frame, guint i)
{
  GpuFrame field = *frame;

  gpu_frame_info_get_field (&frame->info, i, &field.info);
  return field;
}

/* One after the other: they share what lies between rows and columns. */
static gboolean
record_fields (GpuBlur * blur, const GpuBlurRecording * frame, GError ** error)
{
  const GpuBlurSettings of_field = settings_of_field (frame->settings);
  GpuBlurReport of_second = *frame->report;

  for (guint i = 0; i < gpu_frame_info_count_fields (&frame->in->info); i++) {
    const GpuFrame in = get_field (frame->in, i);
    const GpuFrame out = get_field (frame->out, i);
    const GpuBlurRecording field = {
      .stream = frame->stream,
      .settings = &of_field,
      .light = frame->light,
      .in = &in,
      .out = &out,
      .report = i == 0 ? frame->report : &of_second,
    };

    if (i > 0)
      gpu_stream_barrier (frame->stream);
    if (!record_part (blur, FIRST_FIELD + i, &field, error))
      return FALSE;
  }
  return TRUE;
}

static void
record_light (GpuBlur * blur, GpuStream * stream, const gfloat * light)
{
  gfloat table[LIGHT_TABLE_SIZE];

  gpu_blur_light_make_table (light, table);
  gpu_stream_stage (stream, "light");
  gpu_stream_write (stream, blur->light, 0, table, sizeof table);
  gpu_stream_barrier (stream);
}

gboolean
gpu_blur_record (GpuBlur * blur, GpuStream * stream,
    const GpuBlurSettings * settings, const GpuFrames * frames,
    GpuBlurReport * report, GError ** error)
{
  const GpuFrameInfo *info = &frames->in->info;
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  GpuBlurReport unused_report;
  const GpuBlurRecording recording = {
    .stream = stream,
    .settings = settings,
    .light = blur->light,
    .in = frames->in,
    .out = frames->out,
    .report = report ? report : &unused_report,
  };
  gboolean recorded;

  *recording.report = (GpuBlurReport) {
  .precision = gpu_blur_choose_precision (settings, format)};
  if (gpu_blur_is_of_light (settings, format))
    record_light (blur, stream, settings->light);
  recorded = info->is_interlaced ? record_fields (blur, &recording, error)
      : record_part (blur, FRAME, &recording, error);
  if (!recorded)
    gpu_stream_abandon (stream);
  return recorded;
}
