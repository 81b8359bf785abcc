/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "strips.h"
#include "shaders/blur/strips/shared.h"
#include "stripsmarch.h"

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

static const GpuPixelFormat *
get_format (const GpuBlurTask * task)
{
  return gpu_pixels_get_format (task->info->pixels);
}

/* --- reach --- */

/* The radius for all formats of bytes, whose columns are one word. Other formats can have
 * a slightly larger radius. */
static guint
get_max_radius (GpuDevice * device, GpuBlurMethod method,
    GpuBlurPrecision precision, guint components)
{
  return gpu_blur_strips_kernels_max_radius (device, 1,
      precision != GPU_BLUR_FLOAT);
}

static gboolean
is_reached (GpuDevice * device, const GpuPixelFormat * format,
    const GpuBlurAxes * axes, gboolean half)
{
  return !axes->exact && MAX (axes->x.radius, axes->y.radius)
      <= gpu_blur_strips_kernels_max_radius (device,
      STRIPS_COLUMN_WORDS (format->sample), half);
}

static gboolean
reaches (GpuBlurFamily * family, const GpuBlurTask * task)
{
  GpuDevice *device = ((GpuBlurStrips *) family)->device;
  const GpuPixelFormat *format = get_format (task);
  gboolean half = gpu_blur_choose_precision (task->settings, format)
      == GPU_BLUR_HALF;
  guint max_strips = MIN (gpu_device_get_info (device)->max_groups[0],
      G_MAXUINT16);

  for (guint i = 0; i < format->n_planes; i++) {
    guint64 width = gpu_frame_info_plane_width (task->info, i);
    GpuBlurAxes axes;

    gpu_blur_axes_init (&axes, task->settings, format, i);
    if (!is_reached (device, format, &axes, half)
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

static GpuBlurStripsSet *
get_set (GpuBlurStrips * strips, const GpuBlurSettings * settings,
    const GpuPixelFormat * format, guint plane, const GpuBlurAxes * axes)
{
  const GpuBlurPlaneKind kind = gpu_blur_plane_kind (settings, format, plane);

  return gpu_blur_strips_kernels_get_set (strips->kernels, &kind,
      are_in_halves (strips->device, settings, format, axes));
}

/* Returns the set for plane @plane of a task, and fills in its @axes. */
static GpuBlurStripsSet *
get_own_set (GpuBlurStrips * strips, const GpuBlurTask * task, guint plane,
    GpuBlurAxes * axes)
{
  gpu_blur_axes_init (axes, task->settings, get_format (task), plane);
  return get_set (strips, task->settings, get_format (task), plane, axes);
}

/* Requests the rolled kernels: for the widest kernels, and for narrow ones, which may use
 * another set. */
static gboolean
request_rolled (GpuBlurStrips * strips, const GpuBlurTask * task, guint plane,
    GpuKernelUrgency urgency, GError ** error)
{
  const GpuBlurAxes none = { 0 };
  GpuBlurAxes axes;
  GpuBlurStripsSet *set = get_own_set (strips, task, plane, &axes);
  GpuBlurStripsSet *narrow = get_set (strips, task->settings,
      get_format (task), plane, &none);

  return gpu_blur_strips_kernels_request_rolled (strips->kernels, narrow,
      urgency, error)
      && gpu_blur_strips_kernels_request_rolled (strips->kernels, set,
      urgency, error);
}

static gboolean
request (GpuBlurFamily * family, const GpuBlurTask * task,
    GpuBlurKernels which, GpuKernelUrgency urgency, GError ** error)
{
  GpuBlurStrips *strips = (GpuBlurStrips *) family;
  gboolean periodic = gpu_blur_strips_are_periodic (task->settings);

  for (guint i = 0; i < get_format (task)->n_planes; i++) {
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

  for (guint i = 0; i < get_format (task)->n_planes; i++) {
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

  for (guint i = 0; i < get_format (task)->n_planes; i++)
    plan->sets[i] = get_own_set ((GpuBlurStrips *) family, task, i, &axes);
  return plan;
}

/* --- the workload --- */

static GpuBlurForm
get_form (const GpuBlurStripsShape * shape, const GpuBlurTask * task,
    const GpuBlurAxes * axes)
{
  if (shape->radius == 0)
    return MAX (axes->x.radius, axes->y.radius) > STRIPS_MAX_UNROLLED ?
        GPU_BLUR_ROLLED : GPU_BLUR_NARROW_ROLLED;
  if (shape->threads < GPU_BLUR_STRIPS_THREADS)
    return GPU_BLUR_CROWDED;
  return gpu_blur_is_of_bytes (get_format (task)) ? GPU_BLUR_USUAL
      : GPU_BLUR_OF_VALUES;
}

/* The dispatches of all planes run concurrently and count as one. */
static void
count_plane (GpuBlurWorkload * workload, const GpuBlurStripsShape * shape,
    const GpuBlurPlaneSize * size)
{
  gdouble x = 2 * MAX (size->axes.x.radius, shape->radius) + 1;
  gdouble y = 2 * MAX (size->axes.y.radius, shape->radius) + 1;
  gdouble *n = workload->n;

  n[GPU_BLUR_DISPATCHES] = 1;
  n[GPU_BLUR_CHAIN] = MAX (n[GPU_BLUR_CHAIN],
      size->samples / size->pixels * x * (y + GPU_BLUR_STRIPS_MIN_SECTION));
  n[GPU_BLUR_TAPS] += size->samples * (x + y);
}

static void
count (GpuBlurFamily * family, const GpuBlurTask * task,
    GpuBlurWorkload * workload)
{
  GpuBlurStrips *strips = (GpuBlurStrips *) family;

  for (guint i = 0; i < get_format (task)->n_planes; i++) {
    GpuBlurAxes axes;
    GpuBlurStripsSet *set = get_own_set (strips, task, i, &axes);
    const GpuBlurStripsShape shape =
        gpu_blur_strips_kernels_get_shape (strips->kernels, set, &axes);
    GpuBlurPlaneSize size;

    gpu_blur_plane_size_init (&size, task, i);
    count_plane (workload, &shape, &size);
    if (i > 0)
      continue;
    workload->form = get_form (&shape, task, &axes);
    if (shape.in_halves)
      workload->sums = GPU_BLUR_SUMS_IN_HALVES;
  }
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
  .get_max_radius = get_max_radius,
  .prepare = prepare,
  .reaches = reaches,
  .count = count,
  .request = request,
  .is_ready = is_ready,
  .make_plan = make_plan,
  .record = record,
};
