/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pyramidkernels.h"
#include "shaders.h"

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
  [GPU_BLUR_PYRAMID_WALK_LEVEL] = { &gpu_shader_blur_pyramid_walk_level,
    PYRAMID_WALK_ROW_GROUP, FALSE, TRUE },
  [GPU_BLUR_PYRAMID_WALK_ROWS] = { &gpu_shader_blur_pyramid_walk_rows,
    PYRAMID_WALK_ROW_GROUP, FALSE, TRUE },
  [GPU_BLUR_PYRAMID_WALK_UP] =
      { &gpu_shader_blur_pyramid_walk_up, PYRAMID_WALK_GROUP, TRUE },
};

guint
gpu_blur_pyramid_lanes (guint components)
{
  return components <= 2 ? 2 : 4;
}

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
static void
get_constants (GpuBlurPyramidKernel kernel, const GpuBlurPlaneKind * kind,
    guint32 * constants)
{
  const GpuPixelFormat *format = kind->format;
  guint components = format->components[kind->plane];
  gboolean frame = table[kernel].sees_frame;

  constants[PYRAMID_THREADS] = table[kernel].threads;
  constants[PYRAMID_ALPHA] = frame ? format->alpha : -1;
  constants[PYRAMID_UNUSED] =
      frame || table[kernel].skips_unused ? format->unused : -1;
  constants[PYRAMID_LANES] = gpu_blur_pyramid_lanes (components);
  constants[PYRAMID_HALF] = kind->half;
  constants[PYRAMID_LINEAR] = frame && kind->linear;
  constants[PYRAMID_FRAME] = frame;
  constants[PYRAMID_SAMPLE] = frame ? format->sample : SAMPLE_BYTE;
  constants[PYRAMID_COMPONENTS] = frame ? components : 4;
}

gboolean
gpu_blur_pyramid_kernels_request (GpuBlurPyramidKernels * kernels,
    GpuDevice * device, const GpuBlurPlaneKind * kind, gboolean walks,
    const GpuBlurLevels * levels, GpuKernelUrgency urgency, GError ** error)
{
  *kernels = (GpuBlurPyramidKernels) { {NULL}};
  for (guint i = 0; i < GPU_BLUR_PYRAMID_KERNELS; i++) {
    guint32 constants[PYRAMID_CONSTANTS];

    if (!is_taken (i, walks, levels))
      continue;
    get_constants (i, kind, constants);
    kernels->kernels[i] = gpu_kernel_request (device, table[i].shader,
        constants, PYRAMID_CONSTANTS, urgency, error);
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
    guint32 constants[PYRAMID_CONSTANTS];

    get_constants (i, kind, constants);
    if (is_taken (i, walks, levels) && !gpu_kernels_have (device,
            table[i].shader, constants, PYRAMID_CONSTANTS))
      return FALSE;
  }
  return TRUE;
}
