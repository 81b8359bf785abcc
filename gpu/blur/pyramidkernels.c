/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pyramidkernels.h"
#include "shaders.h"
#include "shaders/blur/pyramid.h"

#define MAX_KERNELS 5

/* By components; first, from level to level. */
static const GpuShader *const down_shaders[] = {
  &gpu_shader_blur_pyramid_down_level, &gpu_shader_blur_pyramid_down_1,
  &gpu_shader_blur_pyramid_down_2, &gpu_shader_blur_pyramid_down_3,
  &gpu_shader_blur_pyramid_down_4,
};

static const GpuShader *const up_shaders[] = {
  &gpu_shader_blur_pyramid_up_level, &gpu_shader_blur_pyramid_up_1,
  &gpu_shader_blur_pyramid_up_2, &gpu_shader_blur_pyramid_up_3,
  &gpu_shader_blur_pyramid_up_4,
};

typedef struct
{
  GpuKernel **slot;
  const GpuShader *shader;
  guint32 constants[PYRAMID_CONSTANTS];
} Plan;

guint
gpu_blur_pyramid_lanes (guint components)
{
  return components <= 2 ? 2 : 4;
}

static Plan
plan_kernel (GpuKernel ** slot, const GpuShader * shader, guint threads,
    gint alpha, gint unused, guint lanes, gboolean half)
{
  return (Plan) {
    slot, shader, {
    [PYRAMID_THREADS] = threads,[PYRAMID_ALPHA] = alpha,[PYRAMID_UNUSED] =
          unused,[PYRAMID_LANES] = lanes,[PYRAMID_HALF] = half,}
  ,};
}

/* Those from level to level are the last two; they and the Gaussian see no frames,
 * so formats share them. */
static void
plan_kernels (Plan * plans, GpuBlurPyramidKernels * kernels,
    const GpuPixelFormat * format, guint plane, gboolean half)
{
  guint components = format->components[plane];
  guint lanes = gpu_blur_pyramid_lanes (components);
  guint words = PYRAMID_PIXELS * components / 4;

  plans[0] = plan_kernel (&kernels->down, down_shaders[components], words,
      format->alpha, format->unused, lanes, half);
  plans[1] = plan_kernel (&kernels->up, up_shaders[components], PYRAMID_GROUP,
      format->alpha, format->unused, lanes, half);
  plans[2] = plan_kernel (&kernels->blur, &gpu_shader_blur_pyramid_blur,
      PYRAMID_GROUP, -1, -1, lanes, half);
  plans[3] = plan_kernel (&kernels->level_down, down_shaders[0],
      PYRAMID_PIXELS, -1, -1, lanes, half);
  plans[4] = plan_kernel (&kernels->level_up, up_shaders[0], PYRAMID_GROUP,
      -1, -1, lanes, half);
}

gboolean
gpu_blur_pyramid_kernels_get (GpuBlurPyramidKernels * kernels,
    GpuDevice * device, const GpuPixelFormat * format, guint plane,
    gboolean half, gboolean several, GError ** error)
{
  guint n = several ? MAX_KERNELS : MAX_KERNELS - 2;
  Plan plans[MAX_KERNELS];

  *kernels = (GpuBlurPyramidKernels) {
  NULL};
  plan_kernels (plans, kernels, format, plane, half);
  for (guint i = 0; i < n; i++) {
    *plans[i].slot = gpu_kernel_get (device, plans[i].shader,
        plans[i].constants, PYRAMID_CONSTANTS, error);
    if (!*plans[i].slot)
      return FALSE;
  }
  return TRUE;
}

void
gpu_blur_pyramid_kernels_request (GpuBlurPyramidKernels * kernels,
    GpuBuilder * builder, const GpuPixelFormat * format, guint plane,
    gboolean half)
{
  Plan plans[MAX_KERNELS];

  plan_kernels (plans, kernels, format, plane, half);
  for (guint i = 0; i < MAX_KERNELS; i++)
    gpu_builder_request (builder, plans[i].shader, plans[i].constants,
        PYRAMID_CONSTANTS, plans[i].slot);
}
