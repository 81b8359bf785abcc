/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bilateral.h"
#include "bilateralrecord.h"
#include "bilateraltables.h"

typedef struct
{
  GpuBlurMethod method;
} Plan;

static GpuBlurFamily *
create (GpuDevice * device)
{
  GpuBlurBilateral *bilateral = g_new0 (GpuBlurBilateral, 1);

  bilateral->family.type = &gpu_blur_bilateral_type;
  bilateral->device = gpu_device_ref (device);
  bilateral->kernels = gpu_blur_bilateral_kernels_new (device);
  return &bilateral->family;
}

static void
free_bilateral (GpuBlurFamily * family)
{
  GpuBlurBilateral *bilateral = (GpuBlurBilateral *) family;

  gpu_blur_bilateral_kernels_free (bilateral->kernels);
  g_clear_pointer (&bilateral->tables, gpu_buffer_unref);
  for (guint i = 0; i < GPU_BLUR_BILATERAL_SCRATCHES; i++)
    g_clear_pointer (&bilateral->scratches[i], gpu_buffer_unref);
  gpu_device_unref (bilateral->device);
  g_free (bilateral);
}

static gsize
get_memory (GpuBlurFamily * family)
{
  GpuBlurBilateral *bilateral = (GpuBlurBilateral *) family;

  return gpu_buffers_get_size (&bilateral->tables, 1)
      + gpu_buffers_get_size (bilateral->scratches,
      GPU_BLUR_BILATERAL_SCRATCHES);
}

/* --- buffers --- */

/* The separable method needs one more pass than it has rounds, and can always run. */
static gboolean
ensure_scratches (GpuBlurBilateral * bilateral,
    const GpuBlurSettings * settings, const GpuFrameInfo * info,
    GError ** error)
{
  guint n = MIN (2 * settings->rounds - 1, GPU_BLUR_BILATERAL_SCRATCHES);
  GpuFrameInfo scratch;

  gpu_blur_bilateral_lay_out (info, &scratch);
  for (guint i = 0; i < n; i++)
    if (!gpu_buffer_ensure (&bilateral->scratches[i], bilateral->device,
            scratch.size, "bilateral frame", error))
      return FALSE;
  return TRUE;
}

static gboolean
prepare (GpuBlurFamily * family, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, GError ** error)
{
  GpuBlurBilateral *bilateral = (GpuBlurBilateral *) family;
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);

  if (!gpu_blur_can_weigh_colours (format)) {
    g_set_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
        "The bilateral filter cannot do %s; use a format of 8 bits such as RGBA, "
        "NV12 or I420.", format->name);
    return FALSE;
  }
  return gpu_buffer_ensure (&bilateral->tables, bilateral->device,
      GPU_BLUR_BILATERAL_TABLE_SIZE * sizeof (gfloat), "bilateral weights",
      error) && ensure_scratches (bilateral, settings, info, error);
}

/* --- tasks --- */

/* Returns the largest radius of all axes and planes. */
static guint
get_radius (const GpuBlurTask * task)
{
  guint radius = 0;

  for (guint i = 0; i < gpu_blur_task_get_format (task)->n_planes; i++) {
    GpuBlurAxes axes;

    gpu_blur_axes_init (&axes, task->settings, gpu_blur_task_get_format (task),
        i);
    radius = MAX (radius, MAX (axes.x.radius, axes.y.radius));
  }
  return radius;
}

static gboolean
reaches (GpuBlurFamily * family, const GpuBlurTask * task)
{
  switch (task->method) {
    case GPU_BLUR_DIRECT_SHARED:
      return get_radius (task) <= gpu_blur_bilateral_kernels_max_radius (
          ((GpuBlurBilateral *) family)->device);
    default:
      return task->method == GPU_BLUR_SEPARABLE;
  }
}

/* --- kernels --- */

/* What is asked of the kernels of a task. */
typedef struct
{
  GpuBlurBilateralKernels *kernels;
  GpuKernelUrgency urgency;
} Wish;

/* Acts on a kind of kernel that a task needs. */
typedef gboolean (*Act) (const Wish * wish, const GpuBlurPlaneKind * kind,
    GpuBlurBilateralAxes which, const GpuBlurAxes * axes, GError ** error);

static gboolean
for_plane (const Wish * wish, const GpuBlurTask * task, guint plane, Act act,
    GError ** error)
{
  const GpuBlurPlaneKind kind = gpu_blur_plane_kind (task->settings,
      gpu_blur_task_get_format (task), plane);
  GpuBlurAxes axes;

  gpu_blur_axes_init (&axes, task->settings, gpu_blur_task_get_format (task),
      plane);
  if (task->method != GPU_BLUR_SEPARABLE)
    return act (wish, &kind, GPU_BLUR_BILATERAL_WINDOW, &axes, error);
  return act (wish, &kind, GPU_BLUR_BILATERAL_ROWS, &axes, error)
      && act (wish, &kind, GPU_BLUR_BILATERAL_COLUMNS, &axes, error);
}

static gboolean
for_kernels (const Wish * wish, const GpuBlurTask * task, Act act,
    GError ** error)
{
  for (guint i = 0; i < gpu_blur_task_get_format (task)->n_planes; i++)
    if (!for_plane (wish, task, i, act, error))
      return FALSE;
  return TRUE;
}

static gboolean
request_one (const Wish * wish, const GpuBlurPlaneKind * kind,
    GpuBlurBilateralAxes which, const GpuBlurAxes * axes, GError ** error)
{
  GpuBlurBilateralKernel kernel;

  return gpu_blur_bilateral_kernels_get (wish->kernels, kind, which, axes,
      wish->urgency, &kernel, error);
}

static gboolean
request_all (const Wish * wish, const GpuBlurPlaneKind * kind,
    GpuBlurBilateralAxes which, const GpuBlurAxes * axes, GError ** error)
{
  return gpu_blur_bilateral_kernels_request_all (wish->kernels, kind, which,
      wish->urgency, error);
}

static gboolean
is_built (const Wish * wish, const GpuBlurPlaneKind * kind,
    GpuBlurBilateralAxes which, const GpuBlurAxes * axes, GError ** error)
{
  return gpu_blur_bilateral_kernels_is_built (wish->kernels, kind, which, axes);
}

static gboolean
request (GpuBlurFamily * family, const GpuBlurTask * task,
    GpuBlurKernels which, GpuKernelUrgency urgency, GError ** error)
{
  const Wish wish = { ((GpuBlurBilateral *) family)->kernels, urgency };

  return for_kernels (&wish, task,
      which == GPU_BLUR_ALL_KERNELS ? request_all : request_one, error);
}

static gboolean
is_ready (GpuBlurFamily * family, const GpuBlurTask * task)
{
  const Wish wish = { ((GpuBlurBilateral *) family)->kernels };

  return for_kernels (&wish, task, is_built, NULL);
}

static gpointer
make_plan (GpuBlurFamily * family, const GpuBlurTask * task, GError ** error)
{
  const Plan plan = { task->method };

  return request (family, task, GPU_BLUR_NEEDED_KERNELS, GPU_KERNEL_SOON,
      error) ? g_memdup2 (&plan, sizeof plan) : NULL;
}

static gboolean
record (GpuBlurFamily * family, gconstpointer plan,
    const GpuBlurRecording * recording, GError ** error)
{
  return gpu_blur_bilateral_record ((GpuBlurBilateral *) family,
      ((const Plan *) plan)->method, recording, error);
}

const GpuBlurFamilyType gpu_blur_bilateral_type = {
  .create = create,
  .free = free_bilateral,
  .get_memory = get_memory,
  .prepare = prepare,
  .reaches = reaches,
  .request = request,
  .is_ready = is_ready,
  .make_plan = make_plan,
  .record = record,
};
