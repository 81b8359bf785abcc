/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernels of the pyramid for a plane of frames. */
#pragma once

#include "levels.h"
#include "gpu/blur/planekind.h"
#include "gpu/core/kernel/builder.h"

G_BEGIN_DECLS

typedef enum
{
  GPU_BLUR_PYRAMID_COLUMNS,     /* down columns, from the frame */
  GPU_BLUR_PYRAMID_COLUMNS_WIDE,        /* the same, for more rows a step */
  GPU_BLUR_PYRAMID_COLUMNS_OF_LEVEL,    /* from any other level, any step */
  GPU_BLUR_PYRAMID_ROWS,        /* along rows */
  GPU_BLUR_PYRAMID_ROWS_WIDE,
  GPU_BLUR_PYRAMID_BLUR,
  GPU_BLUR_PYRAMID_UP,          /* to the frame */
  GPU_BLUR_PYRAMID_WALK_COLUMNS,        /* down columns, from the frame */
  GPU_BLUR_PYRAMID_WALK_COLUMNS_OF_LEVEL,       /* from any other level */
  GPU_BLUR_PYRAMID_WALK_ROWS,   /* along rows down, the Gaussian, and up */
  GPU_BLUR_PYRAMID_WALK_UP,     /* the Gaussian down columns, and up */
  GPU_BLUR_PYRAMID_KERNELS,
} GpuBlurPyramidKernel;

/* The device's; NULL those that were not asked for. */
typedef struct
{
  GpuKernel *kernels[GPU_BLUR_PYRAMID_KERNELS];
} GpuBlurPyramidKernels;

/* Values that a sample of a level has, for planes of so many samples a pixel. */
guint gpu_blur_pyramid_lanes (guint components);

/* Which one does the step down columns from level @step, of which 0 is the frame, and
 * which the one along rows. */
GpuBlurPyramidKernel gpu_blur_pyramid_kernel_of_columns (const GpuBlurLevels *
    levels, guint step);
GpuBlurPyramidKernel gpu_blur_pyramid_kernel_of_rows (const GpuBlurLevels *
    levels, guint step);

/* Fills in those that @levels take, NULL: any, for planes of @kind, and builds what is
 * not built. @walks: whether these levels are walked (pyramidwalk.h), or any may be. FALSE
 * with @error set where one cannot be built. */
gboolean gpu_blur_pyramid_kernels_get (GpuBlurPyramidKernels * kernels,
    GpuDevice * device, const GpuBlurPlaneKind * kind, gboolean walks,
    const GpuBlurLevels * levels, GError ** error);

/* Has all of them built in the background. @kernels: empty, and kept as long as
 * the builder. */
void gpu_blur_pyramid_kernels_request (GpuBlurPyramidKernels * kernels,
    GpuBuilder * builder, const GpuBlurPlaneKind * kind, gboolean walks);

G_END_DECLS
