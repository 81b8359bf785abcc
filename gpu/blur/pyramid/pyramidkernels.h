/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The compute kernels of the pyramid for one kind of plane. */
#pragma once

#include "levels.h"
#include "gpu/blur/planekind.h"
#include "gpu/core/kernel/kernel.h"

G_BEGIN_DECLS

typedef enum
{
  GPU_BLUR_PYRAMID_COLUMNS,     /* reduces columns, from the frame; narrow steps */
  GPU_BLUR_PYRAMID_COLUMNS_WIDE,        /* the same for PYRAMID_IS_WIDE() steps */
  GPU_BLUR_PYRAMID_COLUMNS_OF_LEVEL,    /* the same from a level; all steps */
  GPU_BLUR_PYRAMID_ROWS,        /* reduces rows, and blurs them; narrow steps */
  GPU_BLUR_PYRAMID_ROWS_WIDE,   /* the same for PYRAMID_IS_WIDE() steps */
  GPU_BLUR_PYRAMID_BLUR,        /* blurs columns */
  GPU_BLUR_PYRAMID_UP,          /* scales up to the frame */
  GPU_BLUR_PYRAMID_WALK_COLUMNS,        /* reduces columns, from the frame */
  GPU_BLUR_PYRAMID_WALK_COLUMNS_OF_LEVEL,       /* the same from a level */
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

/* Return the kernel that reduces the columns, or the rows, of level @step. Level 0 is the
 * frame. */
GpuBlurPyramidKernel gpu_blur_pyramid_kernel_of_columns (const GpuBlurLevels *
    levels, guint step);
GpuBlurPyramidKernel gpu_blur_pyramid_kernel_of_rows (const GpuBlurLevels *
    levels, guint step);

/* Fills in the kernels that @levels need for planes of @kind, and requests them. @levels
 * may be NULL: all kernels. @walks: whether these levels are walked (pyramidwalk.h);
 * without levels, whether any may be. Errors: those of gpu_kernel_request(). */
gboolean gpu_blur_pyramid_kernels_request (GpuBlurPyramidKernels * kernels,
    GpuDevice * device, const GpuBlurPlaneKind * kind, gboolean walks,
    const GpuBlurLevels * levels, GpuKernelUrgency urgency, GError ** error);

/* Whether the kernels that @levels need for planes of @kind are built. */
gboolean gpu_blur_pyramid_kernels_are_built (GpuDevice * device,
    const GpuBlurPlaneKind * kind, gboolean walks,
    const GpuBlurLevels * levels);

G_END_DECLS
