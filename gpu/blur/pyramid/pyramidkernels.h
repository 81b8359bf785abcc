/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The compute kernels of the pyramid for one kind of plane. */
#pragma once

#include "levels.h"
#include "gpu/blur/planekind.h"
#include "gpu/core/kernel/kernel.h"

G_BEGIN_DECLS

typedef enum
{
  GPU_BLUR_PYRAMID_DOWN,        /* reduces the frame */
  GPU_BLUR_PYRAMID_DOWN_FROM_LEVEL,     /* reduces a level */
  GPU_BLUR_PYRAMID_BLUR,        /* blurs the coarsest level with a wide kernel */
  GPU_BLUR_PYRAMID_UP,          /* blurs the coarsest level and scales it up to the frame */
  GPU_BLUR_PYRAMID_WALK_COLUMNS,        /* reduces columns, from the frame */
  GPU_BLUR_PYRAMID_WALK_COLUMNS_OF_LEVEL,       /* the same from a level */
  GPU_BLUR_PYRAMID_WALK_LEVEL,  /* reduces rows, which do not go up at once */
  GPU_BLUR_PYRAMID_WALK_ROWS,   /* reduces, blurs and scales up rows */
  GPU_BLUR_PYRAMID_WALK_UP,     /* blurs columns and scales them up to the frame */
  GPU_BLUR_PYRAMID_KERNELS,
} GpuBlurPyramidKernel;

/* The kernels are owned by the device. NULL: not needed. */
typedef struct
{
  GpuKernel *kernels[GPU_BLUR_PYRAMID_KERNELS];
} GpuBlurPyramidKernels;

/* Returns the values of a sample of a level, for planes of @components samples a pixel. */
guint gpu_blur_pyramid_lanes (guint components);

/* Fills in the kernels that @levels need for planes of @kind, and requests them. @levels
 * may be NULL: all that any levels need. @walks: whether planes are walked
 * (pyramidrecord.h). Errors: those of gpu_kernel_request(). */
gboolean gpu_blur_pyramid_kernels_request (GpuBlurPyramidKernels * kernels,
    GpuDevice * device, const GpuBlurPlaneKind * kind, gboolean walks,
    const GpuBlurLevels * levels, GpuKernelUrgency urgency, GError ** error);

/* Whether the kernels that @levels need for planes of @kind are built. */
gboolean gpu_blur_pyramid_kernels_are_built (GpuDevice * device,
    const GpuBlurPlaneKind * kind, gboolean walks,
    const GpuBlurLevels * levels);

G_END_DECLS
