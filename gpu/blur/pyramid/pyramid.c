/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pyramid.h"
#include "pyramidrecord.h"
#include "gpu/blur/weights.h"

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

/* The family's plan. */
typedef struct
{
  GpuBlurPyramidPlane planes[GPU_BLUR_MAX_PLANES];
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
find_levels (Pyramid * pyramid, const GpuBlurTask * task)
{
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
  return find_levels ((Pyramid *) family, task) != NULL;
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

/* @plan: NULL: requests the kernels of all levels. */
static gboolean
request_planes (Pyramid * pyramid, const GpuBlurTask * task, Plan * plan,
    GpuKernelUrgency urgency, GError ** error)
{
  const GpuPixelFormat *format = gpu_blur_task_get_format (task);
  const GpuBlurLevels *levels = plan ? find_levels (pyramid, task) : NULL;

  for (guint i = 0; i < format->n_planes; i++) {
    const GpuBlurPlaneKind kind = gpu_blur_plane_kind (task->settings, format,
        i);
    GpuBlurPyramidPlane plane = {
      .walks = pyramid->walks,
      .sample_words = words_of_sample (format->components[i], kind.half),
      .sides = pyramid->sides[i],
    };

    if (!gpu_blur_pyramid_kernels_request (&plane.kernels, pyramid->device,
            &kind, pyramid->walks, levels ? &levels[i] : NULL, urgency, error))
      return FALSE;
    if (!plan)
      continue;
    plane.levels = levels[i];
    plan->planes[i] = plane;
  }
  return TRUE;
}

static gboolean
request (GpuBlurFamily * family, const GpuBlurTask * task,
    GpuBlurKernels which, GpuKernelUrgency urgency, GError ** error)
{
  Plan plan;

  return request_planes ((Pyramid *) family, task,
      which == GPU_BLUR_ALL_KERNELS ? NULL : &plan, urgency, error);
}

static gboolean
is_ready (GpuBlurFamily * family, const GpuBlurTask * task)
{
  Pyramid *pyramid = (Pyramid *) family;
  const GpuPixelFormat *format = gpu_blur_task_get_format (task);
  const GpuBlurLevels *levels = find_levels (pyramid, task);

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

  return request_planes ((Pyramid *) family, task, plan, GPU_KERNEL_SOON,
      error) ? g_steal_pointer (&plan) : NULL;
}

static gboolean
record (GpuBlurFamily * family, gconstpointer plan,
    const GpuBlurRecording * recording, GError ** error)
{
  gpu_blur_pyramid_record (((const Plan *) plan)->planes, recording);
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
