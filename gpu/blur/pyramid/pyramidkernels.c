/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pyramidkernels.h"
#include "shaders.h"
#include "shaders/blur/pyramid/pyramid.h"

static const GpuBlurVariant columns_shaders[] =
GPU_BLUR_VARIANTS (pyramid_down_columns);
static const GpuBlurVariant up_shaders[] = GPU_BLUR_VARIANTS (pyramid_up);
static const GpuBlurVariant walk_columns_shaders[] =
GPU_BLUR_VARIANTS (pyramid_walk_columns);
static const GpuBlurVariant walk_up_shaders[] =
GPU_BLUR_VARIANTS (pyramid_walk_up);

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
is_wide (const GpuBlurLevels * levels, GpuBlurLevelsAxis axis, guint step)
{
  const guint *sizes = levels->axes[axis].sizes;

  return PYRAMID_IS_WIDE (sizes[step], sizes[step + 1]);
}

GpuBlurPyramidKernel
gpu_blur_pyramid_kernel_of_columns (const GpuBlurLevels * levels, guint step)
{
  if (step > 0)
    return GPU_BLUR_PYRAMID_COLUMNS_OF_LEVEL;
  return is_wide (levels, GPU_BLUR_LEVELS_Y, step) ?
      GPU_BLUR_PYRAMID_COLUMNS_WIDE : GPU_BLUR_PYRAMID_COLUMNS;
}

GpuBlurPyramidKernel
gpu_blur_pyramid_kernel_of_rows (const GpuBlurLevels * levels, guint step)
{
  return is_wide (levels, GPU_BLUR_LEVELS_X, step) ?
      GPU_BLUR_PYRAMID_ROWS_WIDE : GPU_BLUR_PYRAMID_ROWS;
}

static gboolean
is_walk (GpuBlurPyramidKernel kernel)
{
  return kernel >= GPU_BLUR_PYRAMID_WALK_COLUMNS;
}

/* Whether walked levels need @kernel. Only the last step along rows is walked. */
static gboolean
is_taken_to_walk (GpuBlurPyramidKernel kernel, const GpuBlurLevels * levels)
{
  for (guint step = 0; step + 1 < levels->n_steps; step++)
    if (kernel == gpu_blur_pyramid_kernel_of_rows (levels, step))
      return TRUE;
  return is_walk (kernel) && (levels->n_steps > 1
      || kernel != GPU_BLUR_PYRAMID_WALK_COLUMNS_OF_LEVEL);
}

static gboolean
is_taken (GpuBlurPyramidKernel kernel, gboolean walks,
    const GpuBlurLevels * levels)
{
  if (!levels)
    return walks || !is_walk (kernel);
  if (walks)
    return is_taken_to_walk (kernel, levels);
  if (kernel == GPU_BLUR_PYRAMID_BLUR || kernel == GPU_BLUR_PYRAMID_UP)
    return TRUE;
  for (guint step = 0; step < levels->n_steps; step++)
    if (kernel == gpu_blur_pyramid_kernel_of_columns (levels, step)
        || kernel == gpu_blur_pyramid_kernel_of_rows (levels, step))
      return TRUE;
  return FALSE;
}

static const GpuShader *
choose_shader (GpuBlurPyramidKernel kernel, const GpuBlurPlaneKind * kind)
{
  switch (kernel) {
    case GPU_BLUR_PYRAMID_COLUMNS:
    case GPU_BLUR_PYRAMID_COLUMNS_WIDE:
      return gpu_blur_plane_kind_choose (kind, columns_shaders);
    case GPU_BLUR_PYRAMID_COLUMNS_OF_LEVEL:
      return &gpu_shader_blur_pyramid_down_columns_level;
    case GPU_BLUR_PYRAMID_ROWS:
    case GPU_BLUR_PYRAMID_ROWS_WIDE:
      return &gpu_shader_blur_pyramid_down_rows;
    case GPU_BLUR_PYRAMID_BLUR:
      return &gpu_shader_blur_pyramid_blur;
    case GPU_BLUR_PYRAMID_WALK_COLUMNS:
      return gpu_blur_plane_kind_choose (kind, walk_columns_shaders);
    case GPU_BLUR_PYRAMID_WALK_COLUMNS_OF_LEVEL:
      return &gpu_shader_blur_pyramid_walk_columns_level;
    case GPU_BLUR_PYRAMID_WALK_ROWS:
      return &gpu_shader_blur_pyramid_walk_rows;
    case GPU_BLUR_PYRAMID_WALK_UP:
      return gpu_blur_plane_kind_choose (kind, walk_up_shaders);
    default:
      return gpu_blur_plane_kind_choose (kind, up_shaders);
  }
}

static gboolean
sees_frame (GpuBlurPyramidKernel kernel)
{
  return kernel <= GPU_BLUR_PYRAMID_COLUMNS_WIDE
      || kernel == GPU_BLUR_PYRAMID_UP
      || kernel == GPU_BLUR_PYRAMID_WALK_COLUMNS
      || kernel == GPU_BLUR_PYRAMID_WALK_UP;
}

static gboolean
goes_along_rows (GpuBlurPyramidKernel kernel)
{
  return kernel == GPU_BLUR_PYRAMID_ROWS || kernel == GPU_BLUR_PYRAMID_ROWS_WIDE
      || kernel == GPU_BLUR_PYRAMID_WALK_ROWS;
}

static guint
count_threads (GpuBlurPyramidKernel kernel)
{
  if (kernel == GPU_BLUR_PYRAMID_WALK_ROWS)
    return PYRAMID_WALK_ROW_GROUP;
  if (is_walk (kernel))
    return PYRAMID_WALK_GROUP;
  return goes_along_rows (kernel) ? PYRAMID_ROW_GROUP : PYRAMID_GROUP;
}

/* Returns shader and constants of a kernel. Kernels that neither read nor write frames are
 * the same for all formats with the same number of lanes; but those that sum along rows
 * skip an unused lane. */
static Plan
plan_kernel (GpuBlurPyramidKernel kernel, const GpuBlurPlaneKind * kind)
{
  const GpuPixelFormat *format = kind->format;
  gboolean frame = sees_frame (kernel);
  Plan plan = { choose_shader (kernel, kind), {0} };

  plan.constants[PYRAMID_THREADS] = count_threads (kernel);
  plan.constants[PYRAMID_ALPHA] = frame ? format->alpha : -1;
  plan.constants[PYRAMID_UNUSED] =
      frame || goes_along_rows (kernel) ? format->unused : -1;
  plan.constants[PYRAMID_LANES] =
      gpu_blur_pyramid_lanes (format->components[kind->plane]);
  plan.constants[PYRAMID_HALF] = kind->half;
  plan.constants[PYRAMID_WIDE] = kernel == GPU_BLUR_PYRAMID_COLUMNS_WIDE
      || kernel == GPU_BLUR_PYRAMID_COLUMNS_OF_LEVEL
      || kernel == GPU_BLUR_PYRAMID_ROWS_WIDE;
  plan.constants[PYRAMID_LINEAR] = frame && kind->linear;
  plan.constants[PYRAMID_SHORTS] = frame ? format->sample : 0;
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

    if (!is_taken (i, walks, levels))
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
