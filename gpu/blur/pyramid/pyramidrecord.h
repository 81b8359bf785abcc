/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Records the pyramid of a frame. On GPUs there is a dispatch for each step down, and one that
 * blurs the coarsest level and scales it up; groups compute tiles, and share in shared memory
 * what neighbours need. On CPU devices planes are walked: a thread goes along an axis, loads
 * each sample once and uses no shared memory. The last two dispatches then combine steps: one
 * reduces rows, blurs them and scales them up to the frame's width; the other blurs columns
 * and scales them up. */
#pragma once

#include "levels.h"
#include "gpu/blur/family.h"

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

/* The two buffers of a plane's levels. Dispatches read one and write the other, in turn. */
typedef enum
{
  GPU_BLUR_SIDE_FIRST,          /* written first */
  GPU_BLUR_SIDE_SECOND,
  GPU_BLUR_SIDES,
} GpuBlurSide;

/* What is decided for a plane until settings or frames change. */
typedef struct
{
  GpuBlurPlane plane;
  GpuBlurLevels levels;
  GpuKernel *kernels[GPU_BLUR_PYRAMID_KERNELS]; /* owned by the device; NULL: not needed */
  gboolean walks;               /* it goes down by walks, and up if they reach (levels.h) */
  guint sample_words;           /* words of a sample of a level */
  GpuBuffer *const *sides;      /* GPU_BLUR_SIDES; not owned */
} GpuBlurPyramidPlane;

/* Records all planes, side by side, and adds their stages to the report. */
void gpu_blur_pyramid_record (const GpuBlurPyramidPlane * planes,
    const GpuBlurRecording * recording);

G_END_DECLS
