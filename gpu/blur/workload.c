/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "workload.h"
#include "planekind.h"

#define MILLION 1e6

void
gpu_blur_plane_size_init (GpuBlurPlaneSize * size, const GpuBlurTask * task,
    guint plane)
{
  const GpuFrameInfo *info = task->info;
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);

  size->components = format->components[plane];
  size->pixels = (gdouble) gpu_frame_info_plane_width (info, plane)
      * gpu_frame_info_plane_height (info, plane) / MILLION;
  size->samples = size->pixels * (size->components - (format->unused >= 0));
  gpu_blur_axes_init (&size->axes, task->settings, format, plane);
}

static void
count_plane (GpuBlurWorkload * workload, const GpuBlurTask * task, guint plane)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (task->info->pixels);
  gdouble *n = workload->n;
  GpuBlurPlaneSize size;

  gpu_blur_plane_size_init (&size, task, plane);
  n[GPU_BLUR_PIXELS] += size.pixels;
  if (size.components == 3)
    n[GPU_BLUR_STRADDLING] += size.pixels;
  n[GPU_BLUR_BYTES] += size.pixels * gpu_pixel_format_get_size (format, plane);
  n[GPU_BLUR_SAMPLES] += size.samples;
}

void
gpu_blur_workload_init (GpuBlurWorkload * workload, const GpuBlurTask * task)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (task->info->pixels);
  gboolean half = gpu_blur_choose_precision (task->settings, format)
      == GPU_BLUR_HALF;

  *workload = (GpuBlurWorkload) {
    .method = task->method,
    .sums = half ? GPU_BLUR_SUMS_HALF : GPU_BLUR_SUMS_FLOAT,
    .form = GPU_BLUR_USUAL,
  };
  for (guint i = 0; i < format->n_planes; i++)
    count_plane (workload, task, i);
}
