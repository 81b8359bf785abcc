/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "passes.h"
#include "passesrecord.h"
#include "gpu/core/rounding.h"

/* The largest buffer of row sums. Frames that need more are processed in strips of
 * columns. */
#define MAX_MIDDLE_SIZE ((gsize) 128 << 20)

/* A method, prepared for one combination of the other members. */
typedef struct
{
  GpuPixels pixels;
  gboolean half, integers, linear, is_in_blocks;
  GpuBlurReadyMethod method;
} Ready;

static GpuBlurFamily *
create (GpuDevice * device)
{
  GpuBlurPasses *passes = g_new0 (GpuBlurPasses, 1);

  passes->family.type = &gpu_blur_passes_type;
  passes->device = gpu_device_ref (device);
  passes->ready = g_ptr_array_new_with_free_func (g_free);
  return &passes->family;
}

static void
free_passes (GpuBlurFamily * family)
{
  GpuBlurPasses *passes = (GpuBlurPasses *) family;

  g_clear_pointer (&passes->weights, gpu_buffer_unref);
  g_clear_pointer (&passes->middle, gpu_buffer_unref);
  g_ptr_array_unref (passes->ready);
  gpu_device_unref (passes->device);
  g_free (passes);
}

static gsize
get_memory (GpuBlurFamily * family)
{
  GpuBlurPasses *passes = (GpuBlurPasses *) family;
  GpuBuffer *buffers[] = { passes->weights, passes->middle };

  return gpu_buffers_get_size (buffers, G_N_ELEMENTS (buffers));
}

/* --- buffers --- */

static gsize
middle_size (GpuBlurPasses * passes, const GpuBlurSettings * settings,
    const GpuPixelFormat * format, guint frame_width, guint frame_height)
{
  gboolean half = gpu_blur_choose_precision (settings, format) == GPU_BLUR_HALF;
  gsize size = 0;

  for (guint i = 0; i < format->n_planes; i++) {
    gsize width = ROUND_UP (DIV_UP (frame_width, 1u << format->shift_x[i]), 4);
    gsize height = DIV_UP (frame_height, 1u << format->shift_y[i]);
    guint words = BLUR_WORDS_PER_SUM (format->components[i],
        half && settings->kernel != GPU_BLUR_BOX);

    size = MAX (size, width * height * words * 4);
  }
  return MIN (size, MIN (MAX_MIDDLE_SIZE,
          gpu_device_get_info (passes->device)->max_binding));
}

/* Checks that a strip fits the buffer of row sums. A strip has at least four columns, and
 * a row sum at most four words. */
static gboolean
check_height (GpuBlurPasses * passes, guint height, GError ** error)
{
  gsize limit = MIN (MAX_MIDDLE_SIZE,
      gpu_device_get_info (passes->device)->max_binding) / (4 * 4 * 4);

  if (height <= limit)
    return TRUE;
  g_set_error (error, GPU_ERROR, GPU_ERROR_TOO_LARGE,
      "A frame of %u rows is too high to be blurred here; use one of at most %"
      G_GSIZE_FORMAT " rows.", height, limit);
  return FALSE;
}

static gboolean
prepare (GpuBlurFamily * family, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, GError ** error)
{
  GpuBlurPasses *passes = (GpuBlurPasses *) family;
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);

  return check_height (passes, info->height, error)
      && gpu_buffer_ensure (&passes->weights, passes->device,
      GPU_BLUR_PASSES_WEIGHTS * sizeof (gfloat), "blur weights", error)
      && gpu_buffer_ensure (&passes->middle, passes->device,
      middle_size (passes, settings, format, info->width, info->height),
      "blur row sums", error);
}

/* --- methods --- */

/* Returns the prepared method of @task, for its format, layout, precision and kind of sums.
 * It is made at the first call; later calls return the same one with its pipelines. Owned by
 * the family. */
static GpuBlurReadyMethod *
get_method (GpuBlurFamily * family, const GpuBlurTask * task)
{
  GpuBlurPasses *passes = (GpuBlurPasses *) family;
  const GpuBlurSettings *settings = task->settings;
  GpuPixels pixels = task->info->pixels;
  const GpuPixelFormat *format = gpu_blur_task_get_format (task);
  gboolean half = gpu_blur_choose_precision (settings, format) == GPU_BLUR_HALF;
  gboolean integers = gpu_blur_can_sum_integers (settings, format);
  gboolean linear = gpu_blur_is_of_light (settings, format);
  gboolean is_in_blocks = gpu_frame_info_is_in_blocks (task->info);
  Ready *ready;

  for (guint i = 0; i < passes->ready->len; i++) {
    ready = passes->ready->pdata[i];
    if (ready->method.method == task->method && ready->pixels == pixels
        && ready->half == half && ready->integers == integers
        && ready->linear == linear && ready->is_in_blocks == is_in_blocks)
      return &ready->method;
  }
  ready = g_new (Ready, 1);
  ready->pixels = pixels;
  ready->half = half;
  ready->integers = integers;
  ready->linear = linear;
  ready->is_in_blocks = is_in_blocks;
  gpu_blur_ready_method_init (&ready->method, passes->device,
      task->method, NULL, settings, format, is_in_blocks);
  g_ptr_array_add (passes->ready, ready);
  return &ready->method;
}

static gboolean
reaches (GpuBlurFamily * family, const GpuBlurTask * task)
{
  return gpu_blur_ready_method_reaches (get_method (family, task),
      task->settings, gpu_blur_task_get_format (task));
}

static gboolean
request (GpuBlurFamily * family, const GpuBlurTask * task,
    GpuBlurKernels which, GpuKernelUrgency urgency, GError ** error)
{
  GpuDevice *device = ((GpuBlurPasses *) family)->device;
  GpuBlurReadyMethod *method = get_method (family, task);

  return which == GPU_BLUR_ALL_KERNELS
      ? gpu_blur_ready_method_request_all (method, device,
      gpu_blur_task_get_format (task), urgency, error)
      : gpu_blur_ready_method_request (method, device, task->settings,
      gpu_blur_task_get_format (task), urgency, error);
}

static gboolean
is_ready (GpuBlurFamily * family, const GpuBlurTask * task)
{
  return gpu_blur_ready_method_is_built (get_method (family, task),
      task->settings, gpu_blur_task_get_format (task));
}

static gpointer
make_plan (GpuBlurFamily * family, const GpuBlurTask * task, GError ** error)
{
  const GpuBlurPassesPlan plan = { get_method (family, task) };

  return request (family, task, GPU_BLUR_NEEDED_KERNELS, GPU_KERNEL_SOON,
      error) ? g_memdup2 (&plan, sizeof plan) : NULL;
}

static gboolean
record (GpuBlurFamily * family, gconstpointer plan,
    const GpuBlurRecording * recording, GError ** error)
{
  gpu_blur_passes_record ((GpuBlurPasses *) family,
      ((const GpuBlurPassesPlan *) plan)->method, recording);
  return TRUE;
}

const GpuBlurFamilyType gpu_blur_passes_type = {
  .create = create,
  .free = free_passes,
  .get_memory = get_memory,
  .prepare = prepare,
  .reaches = reaches,
  .request = request,
  .is_ready = is_ready,
  .make_plan = make_plan,
  .record = record,
};
