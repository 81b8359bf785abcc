/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pyramidrecord.h"
#include "shaders.h"

/* The least product of both sigmas: for narrower Gaussians other methods are faster. The
 * first level then has less than a third of the plane's samples. */
#define MIN_SIGMAS (2.8 * 2.8)
#define MAX_LEVEL_SHARE 0.327

G_STATIC_ASSERT (GPU_BLUR_FAMILY_BUFFERS >=
    GPU_BLUR_MAX_PLANES * GPU_BLUR_SIDES);

typedef struct
{
  GpuBlurFamily family;
  GpuBlurPyramidKind kind;      /* 0: that of the class of device */
  /* The last result of find_levels(), which takes longer than recording a frame. */
  GpuFrameInfo found_info;
  gdouble found_sigmas[GPU_BLUR_LEVELS_AXES];   /* 0: no result yet */
  gboolean found_field;
  gboolean is_found;
  GpuBlurLevels found[GPU_BLUR_MAX_PLANES];
} Pyramid;

static gboolean
walks (const Pyramid * pyramid)
{
  return pyramid->kind == GPU_BLUR_PYRAMID_WALKS
      || (pyramid->kind != GPU_BLUR_PYRAMID_GROUPS
      && gpu_device_is_slow (pyramid->family.device));
}

static void
set_tuning (GpuBlurFamily * family, const GpuBlurTuning * tuning)
{
  ((Pyramid *) family)->kind = tuning->pyramid;
}

/* Returns the buffers of a plane: GPU_BLUR_SIDES. */
static GpuBuffer **
get_sides (GpuBlurFamily * family, guint plane)
{
  return &family->buffers[plane * GPU_BLUR_SIDES];
}

/* --- levels and buffer sizes --- */

/* Returns the values of a sample of a level. */
static guint
count_lanes (const GpuBlurPlane * plane)
{
  return plane->components <= 2 ? 2 : 4;
}

static guint
words_of_sample (const GpuBlurPlane * plane)
{
  return count_lanes (plane) / (plane->half ? 2 : 1);
}

static gboolean
init_levels (GpuBlurLevels * levels, const GpuBlurTask * task, guint index)
{
  const GpuBlurPlane plane = gpu_blur_task_get_plane (task, index);
  const guint sizes[GPU_BLUR_LEVELS_AXES] = {
    gpu_frame_info_plane_width (task->info, index),
    gpu_frame_info_plane_height (task->info, index),
  };
  const gdouble sigmas[GPU_BLUR_LEVELS_AXES] = {
    plane.axes.x.sigma, plane.axes.y.sigma
  };

  return gpu_blur_levels_init (levels, sizes, sigmas);
}

/* Room for margins, and for sizes and pitches that are rounded up. */
#define BEYOND (2 * PYRAMID_MARGIN + 4)

static gsize
most_to_bind (const Pyramid * pyramid)
{
  return gpu_device_get_info (pyramid->family.device)->max_binding & ~(gsize) 3;
}

/* Returns the bytes of a side of a plane that are enough for every sigma whose levels can be
 * bound. */
static gsize
side_size (const Pyramid * pyramid, const GpuBlurPlane * plane,
    const GpuFrameInfo * info)
{
  guint i = plane->index;
  gsize width = gpu_frame_info_plane_width (info, i);
  gsize height = gpu_frame_info_plane_height (info, i);
  /* The first level of a subsampled plane may have as many samples as the plane, as its
   * sigma is smaller. Walked rows become as wide as the plane. */
  gboolean is_whole = plane->format->shift_x[i] == 0
      && plane->format->shift_y[i] == 0;
  gdouble share = is_whole && !walks (pyramid) ? MAX_LEVEL_SHARE : 1;
  gsize samples = (gsize) (width * height * share)
      + BEYOND * (width + height + BEYOND);

  return MIN (samples * words_of_sample (plane) * 4, most_to_bind (pyramid));
}

/* Returns the samples of a side that levels need: the first step down leaves the most. */
static gsize
count_samples (const Pyramid * pyramid, const GpuBlurLevels * levels)
{
  const guint *widths = levels->axes[GPU_BLUR_LEVELS_X].sizes;
  gsize width = widths[walks (pyramid) ? 0 : 1];
  gsize height = levels->axes[GPU_BLUR_LEVELS_Y].sizes[1];

  return (width + BEYOND) * (height + BEYOND);
}

/* Whether the levels that were found can be bound. */
static gboolean
are_bindable (const Pyramid * pyramid, const GpuBlurTask * task)
{
  for (guint i = 0; i < gpu_blur_task_get_format (task)->n_planes; i++) {
    const GpuBlurPlane plane = gpu_blur_task_get_plane (task, i);

    if (count_samples (pyramid, &pyramid->found[i])
        * words_of_sample (&plane) * 4 > most_to_bind (pyramid))
      return FALSE;
  }
  return TRUE;
}

static gboolean
init_all_levels (Pyramid * pyramid, const GpuBlurTask * task)
{
  for (guint i = 0; i < gpu_blur_task_get_format (task)->n_planes; i++)
    if (!init_levels (&pyramid->found[i], task, i))
      return FALSE;
  return TRUE;
}

static gboolean
was_found (const Pyramid * pyramid, const GpuBlurTask * task)
{
  return pyramid->found_sigmas[0] == task->settings->sigma_x
      && pyramid->found_sigmas[1] == task->settings->sigma_y
      && pyramid->found_field == task->settings->is_field
      && gpu_frame_info_is_alike (&pyramid->found_info, task->info);
}

static gboolean
is_wide (const GpuBlurTask * task)
{
  const GpuBlurPlane plane = gpu_blur_task_get_plane (task, 0);

  return plane.axes.x.sigma * plane.axes.y.sigma >= MIN_SIGMAS;
}

/* Returns the levels of each plane, valid until the next call; NULL if @task cannot be
 * done. */
static const GpuBlurLevels *
find_levels (Pyramid * pyramid, const GpuBlurTask * task)
{
  const GpuBlurSettings *settings = task->settings;

  if (settings->kernel != GPU_BLUR_GAUSSIAN || settings->radius >= 0
      || !is_wide (task))
    return NULL;
  if (!was_found (pyramid, task)) {
    pyramid->found_sigmas[0] = settings->sigma_x;
    pyramid->found_sigmas[1] = settings->sigma_y;
    pyramid->found_field = settings->is_field;
    pyramid->found_info = *task->info;
    pyramid->is_found = init_all_levels (pyramid, task);
  }
  return pyramid->is_found && are_bindable (pyramid, task) ? pyramid->found
      : NULL;
}

static gboolean
reaches (GpuBlurFamily * family, const GpuBlurTask * task)
{
  return find_levels ((Pyramid *) family, task) != NULL;
}

static gboolean
prepare (GpuBlurFamily * family, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, GError ** error)
{
  Pyramid *pyramid = (Pyramid *) family;
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);

  if (settings->kernel != GPU_BLUR_GAUSSIAN)
    return TRUE;
  for (guint i = 0; i < format->n_planes; i++) {
    const GpuBlurPlane plane = gpu_blur_plane_get (settings, format, i);

    for (GpuBlurSide side = 0; side < GPU_BLUR_SIDES; side++)
      if (!gpu_buffer_ensure (&get_sides (family, i)[side],
              pyramid->family.device, side_size (pyramid, &plane, info),
              "blur levels", error))
        return FALSE;
  }
  return TRUE;
}

/* --- kernels --- */

static const struct
{
  const GpuShader *shader;
  guint threads;
  gboolean sees_frame;          /* reads or writes the frame */
  gboolean skips_unused;        /* does not sum an unused lane of levels */
} table[GPU_BLUR_PYRAMID_KERNELS] = {
  [GPU_BLUR_PYRAMID_DOWN] =
      { &gpu_shader_blur_pyramid_down, PYRAMID_DOWN_GROUP, TRUE },
  [GPU_BLUR_PYRAMID_DOWN_FROM_LEVEL] =
      { &gpu_shader_blur_pyramid_down, PYRAMID_DOWN_GROUP },
  [GPU_BLUR_PYRAMID_BLUR] =
      { &gpu_shader_blur_pyramid_blur, PYRAMID_BLUR_GROUP },
  [GPU_BLUR_PYRAMID_UP] =
      { &gpu_shader_blur_pyramid_up, PYRAMID_UP_GROUP, TRUE },
  [GPU_BLUR_PYRAMID_WALK_COLUMNS] =
      { &gpu_shader_blur_pyramid_walk_columns, PYRAMID_WALK_GROUP, TRUE },
  [GPU_BLUR_PYRAMID_WALK_COLUMNS_OF_LEVEL] =
      { &gpu_shader_blur_pyramid_walk_columns, PYRAMID_WALK_GROUP },
  [GPU_BLUR_PYRAMID_WALK_LEVEL] = { &gpu_shader_blur_pyramid_walk_rows,
    PYRAMID_WALK_ROW_GROUP, FALSE, TRUE },
  [GPU_BLUR_PYRAMID_WALK_ROWS] = { &gpu_shader_blur_pyramid_walk_rows,
    PYRAMID_WALK_ROW_GROUP, FALSE, TRUE },
  [GPU_BLUR_PYRAMID_WALK_UP] =
      { &gpu_shader_blur_pyramid_walk_up, PYRAMID_WALK_GROUP, TRUE },
};

/* Whether @levels need @kernel; NULL: whether some levels do. */
static gboolean
is_taken (GpuBlurPyramidKernel kernel, gboolean walks,
    const GpuBlurLevels * levels)
{
  gboolean is_wide = !levels || gpu_blur_levels_are_wide (levels);
  gboolean is_narrow = !levels || !gpu_blur_levels_are_wide (levels);
  gboolean has_levels_between = !levels || levels->n_steps > 1;

  switch (kernel) {
    case GPU_BLUR_PYRAMID_DOWN:
      return !walks;
    case GPU_BLUR_PYRAMID_DOWN_FROM_LEVEL:
      return !walks && has_levels_between;
    case GPU_BLUR_PYRAMID_BLUR:
      return is_wide;
    case GPU_BLUR_PYRAMID_UP:
      return !walks || is_wide;
    case GPU_BLUR_PYRAMID_WALK_COLUMNS:
      return walks;
    case GPU_BLUR_PYRAMID_WALK_COLUMNS_OF_LEVEL:
      return walks && has_levels_between;
    case GPU_BLUR_PYRAMID_WALK_LEVEL:
      return walks && (has_levels_between || is_wide);
    default:
      return walks && is_narrow;
  }
}

/* Kernels that neither read nor write frames are the same for all formats with the same number
 * of lanes; but those that sum along rows skip an unused lane. */
static GpuBlurWanted
get_wanted (GpuBlurPyramidKernel kernel, const GpuBlurPlane * plane)
{
  const GpuPixelFormat *format = plane->format;
  gboolean frame = table[kernel].sees_frame;

  return (GpuBlurWanted) {
    .shader = table[kernel].shader,
    .n_constants = PYRAMID_CONSTANTS,
    .constants = {
      [PYRAMID_THREADS] = table[kernel].threads,
      [PYRAMID_ALPHA] = frame ? format->alpha : -1,
      [PYRAMID_UNUSED] = frame || table[kernel].skips_unused ? format->unused
          : -1,
      [PYRAMID_LANES] = count_lanes (plane),
      [PYRAMID_HALF] = plane->half,
      [PYRAMID_LINEAR] = frame && plane->linear,
      [PYRAMID_FRAME] = frame,
      [PYRAMID_SAMPLE] = frame ? format->sample : SAMPLE_BYTE,
      [PYRAMID_COMPONENTS] = frame ? plane->components : 4,
      [PYRAMID_GOES_UP] = kernel == GPU_BLUR_PYRAMID_WALK_ROWS,
    },
  };
}

static void
list_kernels (GpuBlurFamily * family, const GpuBlurTask * task,
    GpuBlurWhich which, GArray * wanted)
{
  Pyramid *pyramid = (Pyramid *) family;
  const GpuBlurLevels *levels = which == GPU_BLUR_ALL_KERNELS ? NULL
      : find_levels (pyramid, task);

  for (guint i = 0; i < gpu_blur_task_get_format (task)->n_planes; i++) {
    const GpuBlurPlane plane = gpu_blur_task_get_plane (task, i);

    for (guint k = 0; k < GPU_BLUR_PYRAMID_KERNELS; k++)
      if (is_taken (k, walks (pyramid), levels ? &levels[i] : NULL)) {
        const GpuBlurWanted one = get_wanted (k, &plane);

        g_array_append_val (wanted, one);
      }
  }
}

/* --- the plan --- */

static gboolean
request_kernels (GpuBlurPyramidPlane * plane, GpuDevice * device,
    GError ** error)
{
  for (guint i = 0; i < GPU_BLUR_PYRAMID_KERNELS; i++) {
    const GpuBlurWanted wanted = get_wanted (i, &plane->plane);

    if (!is_taken (i, plane->walks, &plane->levels))
      continue;
    plane->kernels[i] = gpu_blur_wanted_request (&wanted, device,
        GPU_KERNEL_SOON, error);
    if (!plane->kernels[i])
      return FALSE;
  }
  return TRUE;
}

static gpointer
make_plan (GpuBlurFamily * family, const GpuBlurTask * task, GError ** error)
{
  Pyramid *pyramid = (Pyramid *) family;
  const GpuBlurLevels *levels = find_levels (pyramid, task);
  guint n_planes = gpu_blur_task_get_format (task)->n_planes;
  g_autofree GpuBlurPyramidPlane *planes = g_new0 (GpuBlurPyramidPlane,
      n_planes);

  for (guint i = 0; i < n_planes; i++) {
    GpuBlurPyramidPlane *plane = &planes[i];

    plane->plane = gpu_blur_task_get_plane (task, i);
    plane->levels = levels[i];
    plane->walks = walks (pyramid);
    plane->sample_words = words_of_sample (&plane->plane);
    plane->sides = get_sides (family, i);
    if (!request_kernels (plane, pyramid->family.device, error))
      return NULL;
  }
  return g_steal_pointer (&planes);
}

static void
record (GpuBlurFamily * family, gpointer plan,
    const GpuBlurRecording * recording)
{
  gpu_blur_pyramid_record (plan, recording);
}

const GpuBlurFamilyType gpu_blur_pyramid_type = {
  .size = sizeof (Pyramid),
  .set_tuning = set_tuning,
  .prepare = prepare,
  .reaches = reaches,
  .list_kernels = list_kernels,
  .make_plan = make_plan,
  .record = record,
};
