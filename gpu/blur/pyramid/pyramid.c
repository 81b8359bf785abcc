/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pyramid.h"
#include "pyramidpass.h"
#include "levels.h"
#include "gpu/blur/weights.h"
#include "pyramidkernels.h"
#include "pyramidsteps.h"
#include "pyramidwalk.h"
#include "gpu/core/rounding.h"

/* The least product of both sigmas: for narrower Gaussians other methods are faster. The
 * first level then has less than a third of the plane's samples. */
#define MIN_SIGMAS (2.8 * 2.8)
#define MAX_LEVEL_SHARE 0.327

typedef struct
{
  GpuBlurFamily family;
  GpuDevice *device;
  GpuBuffer *sides[GPU_BLUR_MAX_PLANES][GPU_BLUR_SIDES];
  gboolean walks;
  /* The last result of find_levels(), which takes longer than recording a frame. */
  GpuFrameInfo found_info;
  gdouble found_sigmas[GPU_BLUR_LEVELS_AXES];   /* 0: no result yet */
  gboolean found_field;
  gboolean is_found;
  GpuBlurLevels found[GPU_BLUR_MAX_PLANES];
} Pyramid;

/* The family's plan. All members are indexed by plane. */
typedef struct
{
  GpuBlurLevels levels[GPU_BLUR_MAX_PLANES];
  GpuBlurPyramidKernels kernels[GPU_BLUR_MAX_PLANES];
} Plan;

static void
set_kind (Pyramid * pyramid, GpuBlurPyramidKind kind)
{
  pyramid->walks = kind == GPU_BLUR_PYRAMID_WALKS
      || (kind != GPU_BLUR_PYRAMID_GROUPS
      && gpu_device_is_slow (pyramid->device));
}

static GpuBlurFamily *
create (GpuDevice * device)
{
  Pyramid *pyramid = g_new0 (Pyramid, 1);

  pyramid->family.type = &gpu_blur_pyramid_type;
  pyramid->device = gpu_device_ref (device);
  set_kind (pyramid, 0);
  return &pyramid->family;
}

static void
free_pyramid (GpuBlurFamily * family)
{
  Pyramid *pyramid = (Pyramid *) family;

  for (guint i = 0; i < GPU_BLUR_MAX_PLANES; i++)
    for (guint k = 0; k < GPU_BLUR_SIDES; k++)
      g_clear_pointer (&pyramid->sides[i][k], gpu_buffer_unref);
  gpu_device_unref (pyramid->device);
  g_free (pyramid);
}

static void
set_tuning (GpuBlurFamily * family, const GpuBlurTuning * tuning)
{
  set_kind ((Pyramid *) family, tuning->pyramid);
}

static gsize
get_memory (GpuBlurFamily * family)
{
  return gpu_buffers_get_size (((Pyramid *) family)->sides[0],
      GPU_BLUR_SIDES * GPU_BLUR_MAX_PLANES);
}

/* --- levels and buffer sizes --- */

static guint
words_of_sample (guint components, gboolean half)
{
  return gpu_blur_pyramid_lanes (components) / (half ? 2 : 1);
}

static gboolean
init_levels (GpuBlurLevels * levels, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, guint plane)
{
  const guint sizes[] = {
    gpu_frame_info_plane_width (info, plane),
    gpu_frame_info_plane_height (info, plane),
  };
  gdouble sigmas[GPU_BLUR_LEVELS_AXES];
  GpuBlurAxes axes;

  gpu_blur_axes_init (&axes, settings, gpu_pixels_get_format (info->pixels),
      plane);
  sigmas[GPU_BLUR_LEVELS_X] = axes.x.sigma;
  sigmas[GPU_BLUR_LEVELS_Y] = axes.y.sigma;
  return gpu_blur_levels_init (levels, sizes, sigmas);
}

/* Room for margins, and for sizes and pitches that are rounded up. */
#define BEYOND (2 * PYRAMID_MARGIN + 4)

static gsize
most_to_bind (const Pyramid * pyramid)
{
  return gpu_device_get_info (pyramid->device)->max_binding & ~(gsize) 3;
}

/* Returns the bytes of a side of a plane that are enough for every sigma whose levels can be
 * bound. */
static gsize
side_size (const Pyramid * pyramid, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, guint plane)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  gboolean half = gpu_blur_choose_precision (settings, format) == GPU_BLUR_HALF;
  gsize width = gpu_frame_info_plane_width (info, plane);
  gsize height = gpu_frame_info_plane_height (info, plane);
  /* The first level of a subsampled plane may have as many samples as the plane, as its
   * sigma is smaller. Walked rows become as wide as the plane. */
  gboolean is_whole = format->shift_x[plane] == 0
      && format->shift_y[plane] == 0;
  gdouble share = is_whole && !pyramid->walks ? MAX_LEVEL_SHARE : 1;
  gsize samples = (gsize) (width * height * share)
      + BEYOND * (width + height + BEYOND);

  return MIN (samples * words_of_sample (format->components[plane], half) * 4,
      most_to_bind (pyramid));
}

/* Returns the samples of a side that levels need: the first step down leaves the most. */
static gsize
count_samples (const Pyramid * pyramid, const GpuBlurLevels * levels)
{
  const guint *widths = levels->axes[GPU_BLUR_LEVELS_X].sizes;
  gsize width = widths[pyramid->walks ? 0 : 1];
  gsize height = levels->axes[GPU_BLUR_LEVELS_Y].sizes[1];

  return (width + BEYOND) * (height + BEYOND);
}

/* Whether the levels that were found can be bound. */
static gboolean
are_bindable (const Pyramid * pyramid, const GpuBlurSettings * settings,
    const GpuPixelFormat * format)
{
  gboolean half = gpu_blur_choose_precision (settings, format) == GPU_BLUR_HALF;

  for (guint i = 0; i < format->n_planes; i++)
    if (count_samples (pyramid, &pyramid->found[i])
        * words_of_sample (format->components[i], half) * 4
        > most_to_bind (pyramid))
      return FALSE;
  return TRUE;
}

static gboolean
init_all_levels (Pyramid * pyramid, const GpuBlurSettings * settings,
    const GpuFrameInfo * info)
{
  guint n_planes = gpu_pixels_get_format (info->pixels)->n_planes;

  for (guint i = 0; i < n_planes; i++)
    if (!init_levels (&pyramid->found[i], settings, info, i))
      return FALSE;
  return TRUE;
}

static gboolean
was_found (const Pyramid * pyramid, const GpuBlurSettings * settings,
    const GpuFrameInfo * info)
{
  return pyramid->found_sigmas[0] == settings->sigma_x
      && pyramid->found_sigmas[1] == settings->sigma_y
      && pyramid->found_field == settings->is_field
      && gpu_frame_info_is_alike (&pyramid->found_info, info);
}

static gboolean
is_wide (const GpuBlurSettings * settings, const GpuFrameInfo * info)
{
  GpuBlurAxes axes;

  gpu_blur_axes_init (&axes, settings, gpu_pixels_get_format (info->pixels), 0);
  return axes.x.sigma * axes.y.sigma >= MIN_SIGMAS;
}

/* Returns the levels of each plane, valid until the next call; NULL if @task cannot be
 * done. */
static const GpuBlurLevels *
find_levels (GpuBlurFamily * family, const GpuBlurTask * task)
{
  Pyramid *pyramid = (Pyramid *) family;
  const GpuBlurSettings *settings = task->settings;
  const GpuFrameInfo *info = task->info;

  if (settings->kernel != GPU_BLUR_GAUSSIAN || settings->radius >= 0
      || !is_wide (settings, info))
    return NULL;
  if (!was_found (pyramid, settings, info)) {
    pyramid->found_sigmas[0] = settings->sigma_x;
    pyramid->found_sigmas[1] = settings->sigma_y;
    pyramid->found_field = settings->is_field;
    pyramid->found_info = *info;
    pyramid->is_found = init_all_levels (pyramid, settings, info);
  }
  return pyramid->is_found
      && are_bindable (pyramid, settings,
      gpu_blur_task_get_format (task)) ? pyramid->found : NULL;
}

static gboolean
reaches (GpuBlurFamily * family, const GpuBlurTask * task)
{
  return find_levels (family, task) != NULL;
}

/* --- buffers and pipelines --- */

static gboolean
prepare (GpuBlurFamily * family, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, GError ** error)
{
  Pyramid *pyramid = (Pyramid *) family;
  guint n_planes = gpu_pixels_get_format (info->pixels)->n_planes;

  if (settings->kernel != GPU_BLUR_GAUSSIAN)
    return TRUE;
  for (guint i = 0; i < n_planes; i++)
    for (GpuBlurSide side = 0; side < GPU_BLUR_SIDES; side++)
      if (!gpu_buffer_ensure (&pyramid->sides[i][side], pyramid->device,
              side_size (pyramid, settings, info, i), "blur levels", error))
        return FALSE;
  return TRUE;
}

static gboolean
request_all (Pyramid * pyramid, const GpuBlurTask * task,
    GpuKernelUrgency urgency, GError ** error)
{
  const GpuPixelFormat *format = gpu_blur_task_get_format (task);
  GpuBlurPyramidKernels kernels;

  for (guint i = 0; i < format->n_planes; i++) {
    const GpuBlurPlaneKind kind = gpu_blur_plane_kind (task->settings, format,
        i);

    if (!gpu_blur_pyramid_kernels_request (&kernels, pyramid->device, &kind,
            pyramid->walks, NULL, urgency, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
init_plan (Plan * plan, GpuBlurFamily * family, const GpuBlurTask * task,
    GpuKernelUrgency urgency, GError ** error)
{
  Pyramid *pyramid = (Pyramid *) family;
  const GpuPixelFormat *format = gpu_blur_task_get_format (task);
  const GpuBlurLevels *levels = find_levels (family, task);

  for (guint i = 0; i < format->n_planes; i++) {
    const GpuBlurPlaneKind kind = gpu_blur_plane_kind (task->settings, format,
        i);

    plan->levels[i] = levels[i];
    if (!gpu_blur_pyramid_kernels_request (&plan->kernels[i], pyramid->device,
            &kind, pyramid->walks, &levels[i], urgency, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
request (GpuBlurFamily * family, const GpuBlurTask * task,
    GpuBlurKernels which, GpuKernelUrgency urgency, GError ** error)
{
  Plan plan;

  return which == GPU_BLUR_ALL_KERNELS
      ? request_all ((Pyramid *) family, task, urgency, error)
      : init_plan (&plan, family, task, urgency, error);
}

static gboolean
is_ready (GpuBlurFamily * family, const GpuBlurTask * task)
{
  Pyramid *pyramid = (Pyramid *) family;
  const GpuPixelFormat *format = gpu_blur_task_get_format (task);
  const GpuBlurLevels *levels = find_levels (family, task);

  for (guint i = 0; i < format->n_planes; i++) {
    const GpuBlurPlaneKind kind = gpu_blur_plane_kind (task->settings, format,
        i);

    if (!gpu_blur_pyramid_kernels_are_built (pyramid->device, &kind,
            pyramid->walks, &levels[i]))
      return FALSE;
  }
  return TRUE;
}

static gpointer
make_plan (GpuBlurFamily * family, const GpuBlurTask * task, GError ** error)
{
  g_autofree Plan *plan = g_new (Plan, 1);

  return init_plan (plan, family, task, GPU_KERNEL_SOON, error)
      ? g_steal_pointer (&plan) : NULL;
}

/* --- recording --- */

/* Whether a plane has a step; the argument is that of GpuBlurPyramidPassStep. */
typedef gboolean (*HasStep) (const GpuBlurPyramidPass * pass, guint step);

static gboolean
goes_down (const GpuBlurPyramidPass * pass, guint step)
{
  return step < pass->levels.n_steps;
}

static gboolean
walks_along_rows (const GpuBlurPyramidPass * pass, guint step)
{
  return pass->walks && step < pass->levels.n_steps;
}

static gboolean
blurs_apart (const GpuBlurPyramidPass * pass, guint axis)
{
  return gpu_blur_levels_are_wide_along (&pass->levels, axis);
}

static gboolean
goes_up (const GpuBlurPyramidPass * pass, guint step)
{
  return TRUE;
}

static void
go_down (GpuBlurPyramidPasses * passes, GpuBlurPyramidPass * pass, guint step)
{
  if (pass->walks)
    gpu_blur_walk_down_columns (passes, pass, step);
  else
    gpu_blur_step_down (passes, pass, step);
}

static void
go_up (GpuBlurPyramidPasses * passes, GpuBlurPyramidPass * pass, guint step)
{
  if (pass->walks_up)
    gpu_blur_walk_up (passes, pass, step);
  else
    gpu_blur_step_up (passes, pass, step);
}

/* Records @act for all planes that have this step; these run concurrently. */
static void
record_side_by_side (GpuBlurPyramidPasses * passes, guint step, HasStep has,
    GpuBlurPyramidPassStep act)
{
  gboolean joins = FALSE;

  gpu_stream_begin_disjoint (passes->stream);
  for (guint i = 0; i < passes->n_passes; i++) {
    if (!has (&passes->passes[i], step))
      continue;
    if (joins)
      gpu_stream_join (passes->stream);
    act (passes, &passes->passes[i], step);
    joins = TRUE;
  }
  gpu_stream_end_disjoint (passes->stream);
}

static void
record_passes (GpuBlurPyramidPasses * passes)
{
  gpu_stream_stage (passes->stream, "pyramid-down");
  for (guint i = 0; i < GPU_BLUR_MAX_STEPS; i++) {
    record_side_by_side (passes, i, goes_down, go_down);
    record_side_by_side (passes, i, walks_along_rows, gpu_blur_walk_along_rows);
  }
  gpu_stream_stage (passes->stream, "pyramid-up");
  for (guint axis = 0; axis < GPU_BLUR_LEVELS_AXES; axis++)
    record_side_by_side (passes, axis, blurs_apart, gpu_blur_step_blur);
  record_side_by_side (passes, 0, goes_up, go_up);
}

static void
init_pass (GpuBlurPyramidPass * pass, const Pyramid * pyramid,
    const Plan * plan, const GpuBlurRecording * recording, guint plane)
{
  const GpuBlurSettings *settings = recording->settings;
  const GpuPixelFormat *format =
      gpu_pixels_get_format (recording->in->info.pixels);
  const GpuBlurLevels *levels = &plan->levels[plane];
  const gboolean half =
      gpu_blur_choose_precision (settings, format) == GPU_BLUR_HALF;
  const GpuBlurPyramidPass initial = {
    .kernels = plan->kernels[plane],
    .levels = *levels,
    .walks = pyramid->walks,
    .walks_up = pyramid->walks && !gpu_blur_levels_are_wide (levels),
    .sides = pyramid->sides[plane],
    .in = recording->in,
    .out = recording->out,
    .plane = plane,
    .sample_words = words_of_sample (format->components[plane], half),
    .side = GPU_BLUR_SIDE_SECOND,
    .edge = settings->edge,
    .black = gpu_pixel_format_get_black (format, plane, settings->full_range),
  };

  *pass = initial;
}

static void
report_stage (GpuBlurReport * report, const GpuBlurPyramidPass * pass,
    const gchar * name, guint dispatches, guint taps)
{
  guint at = report->n_stages++;

  report->stages[at].name = name;
  report->stages[at].plane = pass->plane;
  report->stages[at].dispatches = dispatches;
  report->stages[at].taps = taps;
}

/* Adds the stages of a plane. Their taps are sums over both axes. Those down are of the
 * first step; those up include the taps of the kernel. */
static void
report_pass (GpuBlurReport * report, const GpuBlurPyramidPass * pass)
{
  guint down = 0, blur = 0;

  for (guint i = 0; i < GPU_BLUR_LEVELS_AXES; i++) {
    const GpuBlurLevelsOfAxis *axis = &pass->levels.axes[i];

    down += DIV_UP (4 * axis->sizes[0], axis->sizes[1]);
    blur += 2 * axis->radius + 1;
  }
  report_stage (report, pass, "pyramid-down", pass->dispatches[0], down);
  report_stage (report, pass, "pyramid-up", pass->dispatches[1], blur + 8);
}

static gboolean
record (GpuBlurFamily * family, gconstpointer plan,
    const GpuBlurRecording * recording, GError ** error)
{
  Pyramid *pyramid = (Pyramid *) family;
  GpuBlurPyramidPasses passes = {
    .device = pyramid->device,
    .stream = recording->stream,
    .light = recording->light,
    .n_passes = gpu_pixels_get_format (recording->in->info.pixels)->n_planes,
  };

  for (guint i = 0; i < passes.n_passes; i++)
    init_pass (&passes.passes[i], pyramid, plan, recording, i);
  record_passes (&passes);
  for (guint i = 0; i < passes.n_passes; i++)
    report_pass (recording->report, &passes.passes[i]);
  return TRUE;
}

const GpuBlurFamilyType gpu_blur_pyramid_type = {
  .create = create,
  .free = free_pyramid,
  .set_tuning = set_tuning,
  .get_memory = get_memory,
  .prepare = prepare,
  .reaches = reaches,
  .request = request,
  .is_ready = is_ready,
  .make_plan = make_plan,
  .record = record,
};
