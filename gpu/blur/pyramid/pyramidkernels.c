/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pyramidkernels.h"
#include "shaders.h"
#include "shaders/blur/pyramid/pyramid.h"

typedef struct
{
  const GpuShader *shader;
  guint32 constants[PYRAMID_CONSTANTS];
} Plan;

guint
gpu_blur_pyramid_lanes (guint components)
{
  return components <= 2 ? 2 : 4;
}

static gboolean
is_walk (GpuBlurPyramidKernel kernel)
{
  return kernel >= GPU_BLUR_PYRAMID_WALK_COLUMNS;
}

/* Whether any levels need @kernel. */
static gboolean
is_taken_by_some (GpuBlurPyramidKernel kernel, gboolean walks)
{
  return is_walk (kernel) ? walks : !walks || kernel == GPU_BLUR_PYRAMID_BLUR
      || kernel == GPU_BLUR_PYRAMID_UP;
}

static gboolean
is_taken (GpuBlurPyramidKernel kernel, gboolean walks,
    const GpuBlurLevels * levels)
{
  gboolean is_wide = gpu_blur_levels_are_wide (levels);
  gboolean has_levels_between = levels->n_steps > 1;

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
      return walks && !is_wide;
  }
}

static const GpuShader *const shaders[GPU_BLUR_PYRAMID_KERNELS] = {
  [GPU_BLUR_PYRAMID_DOWN] = &gpu_shader_blur_pyramid_down,
  [GPU_BLUR_PYRAMID_DOWN_FROM_LEVEL] = &gpu_shader_blur_pyramid_down,
  [GPU_BLUR_PYRAMID_BLUR] = &gpu_shader_blur_pyramid_blur,
  [GPU_BLUR_PYRAMID_UP] = &gpu_shader_blur_pyramid_up,
  [GPU_BLUR_PYRAMID_WALK_COLUMNS] = &gpu_shader_blur_pyramid_walk_columns,
  [GPU_BLUR_PYRAMID_WALK_COLUMNS_OF_LEVEL] =
      &gpu_shader_blur_pyramid_walk_columns,
  [GPU_BLUR_PYRAMID_WALK_LEVEL] = &gpu_shader_blur_pyramid_walk_level,
  [GPU_BLUR_PYRAMID_WALK_ROWS] = &gpu_shader_blur_pyramid_walk_rows,
  [GPU_BLUR_PYRAMID_WALK_UP] = &gpu_shader_blur_pyramid_walk_up,
};

static gboolean
sees_frame (GpuBlurPyramidKernel kernel)
{
  return kernel == GPU_BLUR_PYRAMID_DOWN
      || kernel == GPU_BLUR_PYRAMID_UP
      || kernel == GPU_BLUR_PYRAMID_WALK_COLUMNS
      || kernel == GPU_BLUR_PYRAMID_WALK_UP;
}

static gboolean
walks_along_rows (GpuBlurPyramidKernel kernel)
{
  return kernel == GPU_BLUR_PYRAMID_WALK_LEVEL
      || kernel == GPU_BLUR_PYRAMID_WALK_ROWS;
}

static guint
count_threads (GpuBlurPyramidKernel kernel)
{
  switch (kernel) {
    case GPU_BLUR_PYRAMID_DOWN:
    case GPU_BLUR_PYRAMID_DOWN_FROM_LEVEL:
      return PYRAMID_DOWN_GROUP;
    case GPU_BLUR_PYRAMID_BLUR:
      return PYRAMID_BLUR_GROUP;
    case GPU_BLUR_PYRAMID_UP:
      return PYRAMID_UP_GROUP;
    default:
      return walks_along_rows (kernel) ? PYRAMID_WALK_ROW_GROUP
          : PYRAMID_WALK_GROUP;
  }
}

/* Returns shader and constants of a kernel. Kernels that neither read nor write frames are
 * the same for all formats with the same number of lanes; but those that sum along rows
 * skip an unused lane. */
static Plan
plan_kernel (GpuBlurPyramidKernel kernel, const GpuBlurPlaneKind * kind)
{
  const GpuPixelFormat *format = kind->format;
  gboolean frame = sees_frame (kernel);
  Plan plan = { shaders[kernel], {0} };

  plan.constants[PYRAMID_THREADS] = count_threads (kernel);
  plan.constants[PYRAMID_ALPHA] = frame ? format->alpha : -1;
  plan.constants[PYRAMID_UNUSED] =
      frame || walks_along_rows (kernel) ? format->unused : -1;
  plan.constants[PYRAMID_LANES] =
      gpu_blur_pyramid_lanes (format->components[kind->plane]);
  plan.constants[PYRAMID_HALF] = kind->half;
  plan.constants[PYRAMID_LINEAR] = frame && kind->linear;
  plan.constants[PYRAMID_FRAME] = frame;
  plan.constants[PYRAMID_SAMPLE] = frame ? format->sample : SAMPLE_BYTE;
  plan.constants[PYRAMID_COMPONENTS] =
      frame ? format->components[kind->plane] : 4;
  return plan;
}

gboolean
gpu_blur_pyramid_kernels_request (GpuBlurPyramidKernels * kernels,
    GpuDevice * device, const GpuBlurPlaneKind * kind, gboolean walks,
    const GpuBlurLevels * levels, GpuKernelUrgency urgency, GError ** error)
{
  *kernels = (GpuBlurPyramidKernels) {
    {
      NULL}
  };
  for (guint i = 0; i < GPU_BLUR_PYRAMID_KERNELS; i++) {
    Plan plan = plan_kernel (i, kind);

    if (levels ? !is_taken (i, walks, levels) : !is_taken_by_some (i, walks))
      continue;
    kernels->kernels[i] = gpu_kernel_request (device, plan.shader,
        plan.constants, PYRAMID_CONSTANTS, urgency, error);
    if (!kernels->kernels[i])
      return FALSE;
  }
  return TRUE;
}

gboolean
gpu_blur_pyramid_kernels_are_built (GpuDevice * device,
    const GpuBlurPlaneKind * kind, gboolean walks, const GpuBlurLevels * levels)
{
  for (guint i = 0; i < GPU_BLUR_PYRAMID_KERNELS; i++) {
    Plan plan = plan_kernel (i, kind);

    if (is_taken (i, walks, levels) && !gpu_kernels_have (device, plan.shader,
            plan.constants, PYRAMID_CONSTANTS))
      return FALSE;
  }
  return TRUE;
}
