/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes a plan for settings and frames, by the family of the method that runs, and records
 * it. */
#include "blur.h"
#include "choice.h"
#include "working.h"

#include <math.h>

/* The decisions for one kind of frame. Made again when frames or settings change. */
typedef struct
{
  GpuFrameInfo info;
  GpuBlurSettings settings;
  GpuBlurMethod best;           /* the method for these; never AUTO */
  GpuBlurMethod method;         /* the method that runs: the best, or for AUTO another one
                                   while the kernels of the best are built */
  GpuBlurFamily *family;        /* runs it */
  gpointer plan;                /* the family's; NULL: none of the members is set */
} Plan;

/* A progressive frame has a plan, and so has each field of an interlaced frame: the
 * heights of two fields can differ by one row. */
typedef enum
{
  FRAME,
  FIRST_FIELD,
  SECOND_FIELD,
  N_FRAME_KINDS
} FrameKind;

struct _GpuBlur
{
  GpuDevice *device;
  GpuBlurFamilies families;
  GpuBlurWorking working;
  GpuBuffer *light;             /* the current frame's table, see shaders/blur/light.h */
  Plan plans[N_FRAME_KINDS];
  gboolean expects_changes;     /* kernels for other settings were requested since the last
                                   preparation */
};

const GpuNeeds gpu_blur_needs = {.buffers = 6};

GpuBlur *
gpu_blur_new (GpuDevice * device)
{
  GpuBlur *blur = g_new0 (GpuBlur, 1);

  blur->device = gpu_device_ref (device);
  gpu_blur_families_init (&blur->families, device);
  return blur;
}

void
gpu_blur_free (GpuBlur * blur)
{
  for (FrameKind kind = FRAME; kind < N_FRAME_KINDS; kind++)
    g_free (blur->plans[kind].plan);
  gpu_blur_families_clear (&blur->families);
  g_clear_pointer (&blur->light, gpu_buffer_unref);
  gpu_blur_working_clear (&blur->working);
  gpu_device_unref (blur->device);
  g_free (blur);
}

void
gpu_blur_set_tuning (GpuBlur * blur, const GpuBlurTuning * tuning)
{
  for (guint i = 0; i < GPU_BLUR_N_FAMILIES; i++) {
    GpuBlurFamily *family = blur->families.list[i];

    if (family->type->set_tuning)
      family->type->set_tuning (family, tuning);
  }
}

gsize
gpu_blur_get_memory (GpuBlur * blur)
{
  return gpu_buffers_get_size (&blur->light, 1)
      + gpu_blur_working_get_memory (&blur->working)
      + gpu_blur_families_get_memory (&blur->families);
}

gboolean
gpu_blur_reaches (GpuBlur * blur, const GpuBlurSettings * settings,
    const GpuFrameInfo * info)
{
  const GpuBlurTask task = { settings->method, settings, info };

  return gpu_blur_families_reach (&blur->families, &task);
}

gboolean
gpu_blur_takes (GpuPixels pixels)
{
  const GpuBlurSettings plain = { 0 };
  const GpuPixelFormat *format =
      gpu_pixels_get_format (gpu_blur_working_choose (pixels, &plain));

  return format->grouping == GPU_SINGLE;
}

gboolean
gpu_blur_takes_bilateral (GpuPixels pixels)
{
  const GpuBlurSettings plain = { 0 };
  const GpuPixelFormat *format =
      gpu_pixels_get_format (gpu_blur_working_choose (pixels, &plain));

  return gpu_blur_takes (pixels) && gpu_blur_can_weigh_colours (format);
}

/* --- preparation --- */

/* Deep codes that are converted to light in floats need sums of floats as well. */
static GpuBlurSettings
settings_of_format (const GpuBlurSettings * settings, GpuPixels pixels)
{
  GpuBlurSettings fitting = *settings;

  if (gpu_pixel_format_get_code_bits (gpu_pixels_get_format (pixels)) > 8)
    fitting.precision = GPU_BLUR_FLOAT;
  return fitting;
}

static gboolean
may_run (const GpuBlurSettings * settings, const GpuBlurFamilyType * type)
{
  for (GpuBlurMethod i = GPU_BLUR_AUTO + 1; i < GPU_BLUR_N_METHODS; i++)
    if ((settings->method == GPU_BLUR_AUTO || settings->method == i
            || i == GPU_BLUR_STAND_IN)
        && gpu_blur_method_get_family (i, settings->kernel) == type)
      return TRUE;
  return FALSE;
}

static gboolean
make_room (GpuBlur * blur, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, GError ** error)
{
  for (guint i = 0; i < GPU_BLUR_N_FAMILIES; i++) {
    GpuBlurFamily *family = blur->families.list[i];

    if (may_run (settings, family->type)
        && !family->type->prepare (family, settings, info, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
request (GpuBlur * blur, const GpuBlurTask * task, GpuBlurWhich which,
    GpuKernelUrgency urgency, GError ** error)
{
  GpuBlurFamily *family = gpu_blur_families_get (&blur->families, task);

  return gpu_blur_family_request (family, task, which, urgency, error);
}

/* Requests the kernels of a method that was asked for, for every sigma and radius, and
 * those of the method that runs where it cannot. */
static gboolean
request_named (GpuBlur * blur, const GpuBlurTask * task, GError ** error)
{
  const GpuBlurTask stand_in =
      { GPU_BLUR_STAND_IN, task->settings, task->info };

  return request (blur, task, GPU_BLUR_ALL_KERNELS, GPU_KERNEL_LATER, error)
      && request (blur, &stand_in, GPU_BLUR_ALL_KERNELS, GPU_KERNEL_LATER,
      error);
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
  GpuFrameInfo inside;
  GpuBlurTask best, now;

  gpu_blur_working_lay_out (info, settings, &inside);
  if (!gpu_device_meets (blur->device, &gpu_blur_needs, error)
      || !ensure_light (blur, error)
      || !make_room (blur, settings, &inside, error)
      || !gpu_blur_working_prepare (&blur->working, blur->device, settings,
          info, error))
    return FALSE;
  best = gpu_blur_choose (&blur->families, settings, &inside);
  now = gpu_blur_choose_now (&blur->families, &best);
  for (FrameKind kind = FRAME; kind < N_FRAME_KINDS; kind++)
    g_clear_pointer (&blur->plans[kind].plan, g_free);
  blur->expects_changes = FALSE;
  return request (blur, &now, GPU_BLUR_NEEDED_KERNELS, GPU_KERNEL_SOON, error)
      && (settings->method == GPU_BLUR_AUTO
      || request_named (blur, &best, error));
}

gboolean
gpu_blur_prepare (GpuBlur * blur, GpuPixels pixels, guint width,
    guint height, const GpuBlurSettings * settings, GError ** error)
{
  const GpuBlurSettings fitting = settings_of_format (settings, pixels);
  GpuFrameInfo info;

  gpu_frame_info_init (&info, pixels, width, height);
  return prepare (blur, &fitting, &info, error);
}

static GpuBlurSettings
settings_of_field (const GpuBlurSettings * settings, GpuPixels pixels)
{
  GpuBlurSettings field = settings_of_format (settings, pixels);

  field.is_field = TRUE;
  return field;
}

gboolean
gpu_blur_prepare_fields (GpuBlur * blur, GpuPixels pixels, guint width,
    guint height, const GpuBlurSettings * settings, GError ** error)
{
  const GpuBlurSettings of_field = settings_of_field (settings, pixels);
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
      && a->range == b->range && a->rounds == b->rounds
      && a->method == b->method && a->precision == b->precision
      && a->edge == b->edge && a->full_range == b->full_range
      && a->is_field == b->is_field && !a->light == !b->light
      && !a->transfer == !b->transfer;
}

static gboolean
make_plan (GpuBlur * blur, FrameKind kind, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, GError ** error)
{
  const GpuBlurTask best = gpu_blur_choose (&blur->families, settings, info);
  const GpuBlurTask now = gpu_blur_choose_now (&blur->families, &best);
  GpuBlurFamily *family = gpu_blur_families_get (&blur->families, &now);
  Plan *plan = &blur->plans[kind];

  gpu_blur_log_choice (&blur->families, &best, &now);
  g_free (plan->plan);
  *plan = (Plan) {
    .info = *info,
    .settings = *settings,
    .best = best.method,
    .method = now.method,
    .family = family,
    .plan = family->type->make_plan (family, &now, error),
  };
  return plan->plan != NULL;
}

/* The smallest sigma of a geometric series, and its ratio. The steps are small because
 * some methods are the fastest only in a short range of sigmas. */
#define NARROW 0.3
#define WIDER 1.04

/* Requests kernels of the method that AUTO chooses. A failure is no error: a frame that
 * needs the kernels reports it. */
static void
expect (GpuBlur * blur, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, GpuBlurWhich which, GpuKernelUrgency urgency)
{
  const GpuBlurTask task = gpu_blur_choose (&blur->families, settings, info);

  request (blur, &task, which, urgency, NULL);
}

/* Requests all kernels of the methods that AUTO chooses for other sigmas and radii, so that
 * no frame waits for a kernel when these change. */
static void
expect_sigmas (GpuBlur * blur, const GpuBlurSettings * settings,
    const GpuFrameInfo * info)
{
  gdouble largest = MAX (settings->sigma_x, settings->sigma_y);
  GpuBlurSettings other = *settings;
  gboolean is_expected[GPU_BLUR_N_METHODS] = { FALSE };

  for (gdouble sigma = NARROW; sigma <= GPU_BLUR_MAX_SIGMA; sigma *= WIDER) {
    GpuBlurTask task;

    if (settings->radius >= 0)
      other.radius = ceil (sigma * 3);
    if (largest > 0) {
      other.sigma_x = settings->sigma_x * sigma / largest;
      other.sigma_y = settings->sigma_y * sigma / largest;
    }
    task = gpu_blur_choose (&blur->families, &other, info);
    if (!is_expected[task.method])
      expect (blur, &other, info, GPU_BLUR_ALL_KERNELS, GPU_KERNEL_LATER);
    is_expected[task.method] = TRUE;
  }
}

/* Requests the kernels that run first with @settings. */
static void
expect_first (GpuBlur * blur, const GpuBlurSettings * settings,
    const GpuFrameInfo * info)
{
  const GpuBlurTask best = gpu_blur_choose (&blur->families, settings, info);
  const GpuBlurTask now = gpu_blur_choose_now (&blur->families, &best);

  request (blur, &now, GPU_BLUR_NEEDED_KERNELS, GPU_KERNEL_LATER, NULL);
}

/* Whether families can blur frames of @format with @kernel, in linear light or not. */
static gboolean
can_change_to (const GpuPixelFormat * format, GpuBlurKernel kernel,
    gboolean light)
{
  return (kernel != GPU_BLUR_BILATERAL || gpu_blur_can_weigh_colours (format))
      && (!light || (format->model == GPU_MODEL_RGB
          && gpu_blur_is_of_bytes (format)));
}

/* Requests the kernels that run first after a change of what kernels are built for. */
static void
expect_changes (GpuBlur * blur, const GpuBlurSettings * settings,
    const GpuFrameInfo * info)
{
  static const gfloat unread_light[1];
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  GpuBlurSettings other = *settings;

  for (guint light = 0; light < 2; light++)
    for (other.kernel = 0; other.kernel < GPU_BLUR_N_KERNELS; other.kernel++)
      for (other.precision = 0; other.precision < GPU_BLUR_N_PRECISIONS;
          other.precision++) {
        other.light = light ? unread_light : NULL;
        if (can_change_to (format, other.kernel, light))
          expect_first (blur, &other, info);
      }
}

/* Requests the few kernels that do all sigmas and radii, for the time until others are
 * built. On a fast device builds take some milliseconds, and these kernels are too slow for
 * wide blurs. */
static void
expect_stand_in (GpuBlur * blur, const GpuBlurSettings * settings,
    const GpuFrameInfo * info)
{
  const GpuBlurTask task = { GPU_BLUR_STAND_IN, settings, info };

  if (gpu_blur_may_run_another (settings) && gpu_device_is_slow (blur->device))
    request (blur, &task, GPU_BLUR_NEEDED_KERNELS, GPU_KERNEL_SOON, NULL);
}

/* Requests the best kernels for @settings, and once those that later frames may need. The first
 * frame requests nothing, and those behind it nothing soon but the stand-in, as a program of
 * few frames should not wait at its end for builds. @moves: whether the settings have
 * changed. */
static void
look_ahead (GpuBlur * blur, const Plan * plan,
    const GpuBlurSettings * settings, const GpuFrameInfo * info, gboolean moves)
{
  if (settings->method != GPU_BLUR_AUTO || !plan->plan)
    return;
  if (moves || !blur->expects_changes)
    expect (blur, settings, info, GPU_BLUR_NEEDED_KERNELS,
        moves ? GPU_KERNEL_SOON : GPU_KERNEL_LATER);
  if (blur->expects_changes)
    return;
  expect_stand_in (blur, settings, info);
  expect_sigmas (blur, settings, info);
  expect_changes (blur, settings, info);
  blur->expects_changes = TRUE;
}

void
gpu_blur_wait (GpuBlur * blur)
{
  for (FrameKind kind = FRAME; kind < N_FRAME_KINDS; kind++) {
    const Plan *plan = &blur->plans[kind];

    if (plan->plan)
      expect (blur, &plan->settings, &plan->info, GPU_BLUR_NEEDED_KERNELS,
          GPU_KERNEL_SOON);
  }
  gpu_kernels_wait (blur->device);
}

/* Whether another method should run than the plan's: its best is ready now. */
static gboolean
is_outdated (GpuBlur * blur, const Plan * plan)
{
  const GpuBlurTask best = { plan->best, &plan->settings, &plan->info };

  return plan->method != plan->best
      && gpu_blur_families_are_ready (&blur->families, &best);
}

/* Whether kernels for @a can do @b. */
static gboolean
are_laid_out_alike (const GpuFrameInfo * a, const GpuFrameInfo * b)
{
  return gpu_frame_info_is_alike (a, b)
      && gpu_frame_info_is_in_blocks (a) == gpu_frame_info_is_in_blocks (b);
}

static gboolean
ensure_plan (GpuBlur * blur, FrameKind kind, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, GError ** error)
{
  const Plan *plan = &blur->plans[kind];
  gboolean moves = !plan->plan || !are_equal (&plan->settings, settings);

  look_ahead (blur, plan, settings, info, moves);
  if (!moves && are_laid_out_alike (&plan->info, info)
      && !is_outdated (blur, plan))
    return TRUE;
  return make_plan (blur, kind, settings, info, error);
}

/* --- recording --- */

/* @outside: the frames as the caller has them. */
static gboolean
record_kind (GpuBlur * blur, FrameKind kind, const GpuBlurRecording * outside,
    GError ** error)
{
  const GpuFrames frames = { outside->in, outside->out };
  const Plan *plan = &blur->plans[kind];
  GpuBlurRecording inside = *outside;
  GpuFrame in, out;

  inside.in = &in;
  inside.out = &out;
  gpu_blur_working_enter (&blur->working, outside->stream,
      inside.settings, &frames, &in, &out);
  if (!ensure_plan (blur, kind, inside.settings, &in.info, error))
    return FALSE;
  inside.report->method = plan->method;
  plan->family->type->record (plan->family, plan->plan, &inside);
  gpu_blur_working_leave (&blur->working, outside->stream, &frames, &out);
  return TRUE;
}

static gboolean
record_fields (GpuBlur * blur, const GpuBlurRecording * frame, GError ** error)
{
  const GpuBlurSettings of_field = settings_of_field (frame->settings,
      frame->in->info.pixels);
  GpuBlurReport of_second = *frame->report;

  for (guint i = 0; i < gpu_frame_info_count_fields (&frame->in->info); i++) {
    const GpuFrame in = gpu_frame_get_field (frame->in, i);
    const GpuFrame out = gpu_frame_get_field (frame->out, i);
    const GpuBlurRecording field = {
      .stream = frame->stream,
      .settings = &of_field,
      .light = frame->light,
      .in = &in,
      .out = &out,
      .report = i == 0 ? frame->report : &of_second,
    };

    if (!record_kind (blur, FIRST_FIELD + i, &field, error))
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
}

gboolean
gpu_blur_record (GpuBlur * blur, GpuStream * stream,
    const GpuBlurSettings * settings, const GpuFrames * frames,
    GpuBlurReport * report, GError ** error)
{
  const GpuFrameInfo *info = &frames->in->info;
  const GpuPixelFormat *format =
      gpu_pixels_get_format (gpu_blur_working_choose (info->pixels, settings));
  const GpuBlurSettings fitting = settings_of_format (settings, info->pixels);
  GpuBlurReport unused_report;
  const GpuBlurRecording recording = {
    .stream = stream,
    .settings = &fitting,
    .light = blur->light,
    .in = frames->in,
    .out = frames->out,
    .report = report ? report : &unused_report,
  };
  gboolean recorded;

  *recording.report = (GpuBlurReport) {
    .precision = gpu_blur_choose_precision (&fitting, format),
  };
  if (gpu_blur_is_of_light (settings, format))
    record_light (blur, stream, settings->light);
  gpu_blur_working_begin (&blur->working, stream, settings, info->pixels);
  recorded = info->is_interlaced ? record_fields (blur, &recording, error)
      : record_kind (blur, FRAME, &recording, error);
  return gpu_stream_accept (stream, recorded, error);
}
