/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "strips.h"
#include "boxstrips.h"
#include "shaders/blur/strips/shared.h"
#include "stripsmarch.h"
#include "gpu/core/rounding.h"

typedef struct
{
  GpuBlurStripsSet *sets[GPU_BLUR_MAX_PLANES];
} Plan;

static GpuBlurFamily *
create (GpuDevice * device)
{
  GpuBlurStrips *strips = g_new0 (GpuBlurStrips, 1);

  strips->family.type = &gpu_blur_strips_type;
  strips->device = gpu_device_ref (device);
  strips->kernels = gpu_blur_strips_kernels_new (device);
  return &strips->family;
}

static void
free_strips (GpuBlurFamily * family)
{
  GpuBlurStrips *strips = (GpuBlurStrips *) family;

  gpu_blur_strips_kernels_free (strips->kernels);
  g_clear_pointer (&strips->weights, gpu_buffer_unref);
  gpu_device_unref (strips->device);
  g_free (strips);
}

static gsize
get_memory (GpuBlurFamily * family)
{
  return gpu_buffers_get_size (&((GpuBlurStrips *) family)->weights, 1);
}

/* --- reach --- */

static gboolean
sums_are_reached (GpuDevice * device, const GpuPixelFormat * format,
    const GpuBlurAxes * axes, gboolean half)
{
  return MAX (axes->x.radius, axes->y.radius)
      <= gpu_blur_strips_kernels_max_radius (device,
      STRIPS_COLUMN_WORDS (format->sample), half);
}

static GpuBlurBoxPlane
get_box_plane (const GpuBlurTask * task, guint plane)
{
  const GpuPixelFormat *format = gpu_blur_task_get_format (task);
  guint64 width = gpu_frame_info_plane_width (task->info, plane);

  return (GpuBlurBoxPlane) {
    .components = format->components[plane],
    .has_alpha = format->alpha >= 0,
    .columns = DIV_UP (width * format->components[plane], 4),
  };
}

static gboolean
is_reached (GpuDevice * device, const GpuBlurTask * task, guint plane)
{
  const GpuPixelFormat *format = gpu_blur_task_get_format (task);
  gboolean half = gpu_blur_choose_precision (task->settings, format)
      == GPU_BLUR_HALF;
  const GpuBlurBoxPlane box = get_box_plane (task, plane);
  GpuBlurAxes axes;

  gpu_blur_axes_init (&axes, task->settings, format, plane);
  return axes.exact ? gpu_blur_box_strips_reach (device, &box, &axes)
      : sums_are_reached (device, format, &axes, half);
}

static gboolean
reaches (GpuBlurFamily * family, const GpuBlurTask * task)
{
  GpuDevice *device = ((GpuBlurStrips *) family)->device;
  const GpuPixelFormat *format = gpu_blur_task_get_format (task);
  guint max_strips = MIN (gpu_device_get_info (device)->max_groups[0],
      G_MAXUINT16);

  for (guint i = 0; i < format->n_planes; i++) {
    guint64 width = gpu_frame_info_plane_width (task->info, i);

    if (!is_reached (device, task, i)
        || width * format->components[i] > 4ull * STRIPS_COLUMNS * max_strips)
      return FALSE;
  }
  return TRUE;
}

/* --- buffers and pipelines --- */

static gboolean
prepare (GpuBlurFamily * family, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, GError ** error)
{
  GpuBlurStrips *strips = (GpuBlurStrips *) family;

  if (!strips->weights)
    strips->weights = gpu_buffer_new (strips->device, GPU_BUFFER_DEVICE,
        2 * STRIPS_AXIS_WEIGHTS * GPU_BLUR_MAX_PLANES * sizeof (gfloat),
        "strips weights", error);
  return strips->weights != NULL;
}

/* The largest radius for which halves are precise enough with any weights. */
#define FEW_TAPS 8

/* Whether the rounding errors of weights stay small in sums of halves. If many weights are
 * nearly equal, they are rounded in the same direction and the errors add up. They do not
 * for a Gaussian that is cut off where it is low. */
static gboolean
dies_away (const GpuBlurAxis * axis)
{
  return axis->radius <= FEW_TAPS
      || (axis->sigma > 0 && axis->radius >= 2.5 * axis->sigma);
}

/* Whether all sums are halves: if that is requested, faster and precise enough. It is not
 * precise enough for wide kernels, for premultiplied colours, and for linear light, in
 * which dark codes are close together. */
static gboolean
are_in_halves (GpuDevice * device, const GpuBlurSettings * settings,
    const GpuPixelFormat * format, const GpuBlurAxes * axes)
{
  return settings->precision == GPU_BLUR_HALF
      && gpu_blur_is_of_bytes (format) && format->alpha < 0
      && !gpu_blur_is_of_light (settings, format)
      && MAX (axes->x.radius, axes->y.radius) <= STRIPS_MAX_UNROLLED
      && dies_away (&axes->x) && dies_away (&axes->y)
      && gpu_device_get_info (device)->has_float16
      && !gpu_device_is_slow (device);
}

GpuBlurSums
gpu_blur_strips_choose_sums (GpuDevice * device,
    const GpuBlurSettings * settings, const GpuBlurPlaneKind * kind,
    const GpuBlurAxes * axes)
{
  if (axes->exact)
    return GPU_BLUR_SUMS_INTEGERS;
  if (are_in_halves (device, settings, kind->format, axes))
    return GPU_BLUR_SUMS_IN_HALVES;
  return kind->half ? GPU_BLUR_SUMS_HALF : GPU_BLUR_SUMS_FLOAT;
}

static GpuBlurStripsSet *
get_set (GpuBlurStrips * strips, const GpuBlurSettings * settings,
    const GpuPixelFormat * format, guint plane, const GpuBlurAxes * axes)
{
  const GpuBlurPlaneKind kind = gpu_blur_plane_kind (settings, format, plane);

  return gpu_blur_strips_kernels_get_set (strips->kernels, &kind,
      gpu_blur_strips_choose_sums (strips->device, settings, &kind, axes));
}

/* Returns the set for plane @plane of a task, and fills in its @axes. */
static GpuBlurStripsSet *
get_own_set (GpuBlurStrips * strips, const GpuBlurTask * task, guint plane,
    GpuBlurAxes * axes)
{
  gpu_blur_axes_init (axes, task->settings, gpu_blur_task_get_format (task),
      plane);
  return get_set (strips, task->settings, gpu_blur_task_get_format (task),
      plane, axes);
}

/* Requests the rolled kernels: for the widest kernels, for narrow ones, which may use
 * another set, and for whole boxes, if the settings' kernel is a box. */
static gboolean
request_rolled (GpuBlurStrips * strips, const GpuBlurTask * task, guint plane,
    GpuKernelUrgency urgency, GError ** error)
{
  const GpuPixelFormat *format = gpu_blur_task_get_format (task);
  const GpuBlurAxes narrow = { 0 };
  const GpuBlurAxes whole = {
    .exact = gpu_blur_can_sum_integers (task->settings, format)
  };
  GpuBlurAxes axes;
  GpuBlurStripsSet *sets[] = {
    get_own_set (strips, task, plane, &axes),
    get_set (strips, task->settings, format, plane, &narrow),
    get_set (strips, task->settings, format, plane, &whole),
  };

  for (guint i = 0; i < G_N_ELEMENTS (sets); i++)
    if (!gpu_blur_strips_kernels_request_rolled (strips->kernels, sets[i],
            urgency, error))
      return FALSE;
  return TRUE;
}

static gboolean
request (GpuBlurFamily * family, const GpuBlurTask * task,
    GpuBlurKernels which, GpuKernelUrgency urgency, GError ** error)
{
  GpuBlurStrips *strips = (GpuBlurStrips *) family;
  gboolean periodic = gpu_blur_strips_are_periodic (task->settings);

  for (guint i = 0; i < gpu_blur_task_get_format (task)->n_planes; i++) {
    GpuBlurAxes axes;
    GpuBlurStripsSet *set = get_own_set (strips, task, i, &axes);

    if (!(which == GPU_BLUR_ALL_KERNELS
            ? request_rolled (strips, task, i, urgency, error)
            : gpu_blur_strips_kernels_request (strips->kernels, set, &axes,
                periodic, urgency, error)))
      return FALSE;
  }
  return TRUE;
}

static gboolean
is_ready (GpuBlurFamily * family, const GpuBlurTask * task)
{
  GpuBlurStrips *strips = (GpuBlurStrips *) family;
  gboolean periodic = gpu_blur_strips_are_periodic (task->settings);

  for (guint i = 0; i < gpu_blur_task_get_format (task)->n_planes; i++) {
    GpuBlurAxes axes;
    GpuBlurStripsSet *set = get_own_set (strips, task, i, &axes);

    if (!gpu_blur_strips_kernels_are_ready (strips->kernels, set, &axes,
            periodic))
      return FALSE;
  }
  return TRUE;
}

static gpointer
make_plan (GpuBlurFamily * family, const GpuBlurTask * task, GError ** error)
{
  Plan *plan = g_new0 (Plan, 1);
  GpuBlurAxes axes;

  for (guint i = 0; i < gpu_blur_task_get_format (task)->n_planes; i++)
    plan->sets[i] = get_own_set ((GpuBlurStrips *) family, task, i, &axes);
  return plan;
}

static gboolean
record (GpuBlurFamily * family, gconstpointer plan,
    const GpuBlurRecording * recording, GError ** error)
{
  return gpu_blur_strips_march ((GpuBlurStrips *) family,
      ((const Plan *) plan)->sets, recording, error);
}

const GpuBlurFamilyType gpu_blur_strips_type = {
  .builds_slowly = TRUE,
  .create = create,
  .free = free_strips,
  .get_memory = get_memory,
  .prepare = prepare,
  .reaches = reaches,
  .request = request,
  .is_ready = is_ready,
  .make_plan = make_plan,
  .record = record,
};
