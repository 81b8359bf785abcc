/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The weights of the bilateral filter: tables for windows, and the rates from which shaders
 * compute them along an axis. The host computes both in double precision. */
#pragma once

#include "gpu/blur/weights.h"
#include "shaders/blur/bilateral/shared.h"

G_BEGIN_DECLS

/* The layout of the table in floats: range weights, then, for each plane, the spatial
 * weights of rows and of columns. */
#define GPU_BLUR_BILATERAL_AXIS_WEIGHTS (GPU_BLUR_MAX_RADIUS + 1)
#define GPU_BLUR_BILATERAL_WEIGHTS_X(plane) \
  (BILATERAL_RANGES + 2 * (plane) * GPU_BLUR_BILATERAL_AXIS_WEIGHTS)
#define GPU_BLUR_BILATERAL_WEIGHTS_Y(plane) \
  (GPU_BLUR_BILATERAL_WEIGHTS_X (plane) + GPU_BLUR_BILATERAL_AXIS_WEIGHTS)
#define GPU_BLUR_BILATERAL_TABLE_SIZE \
  GPU_BLUR_BILATERAL_WEIGHTS_X (GPU_BLUR_MAX_PLANES)

/* The weights of squared distances between colours of a format. */
typedef struct
{
  gdouble scale;                /* factor from a squared distance to the index of its
                                   weight, a power of two */
  gdouble rate;                 /* binary logarithm of weight 1; that of weight i is i
                                   times as much */
} GpuBlurBilateralRange;

void gpu_blur_bilateral_range_init (GpuBlurBilateralRange * range,
    const GpuBlurSettings * settings, const GpuPixelFormat * format);

/* Writes the BILATERAL_RANGES weights. */
void gpu_blur_bilateral_range_weights (const GpuBlurBilateralRange * range,
    gfloat * weights);

/* Returns the binary logarithm of the spatial weight of distance 1; 0 if the radius is 0.
 * That of distance d is d² times as much. */
gdouble gpu_blur_bilateral_spatial_rate (const GpuBlurAxis * axis);

G_END_DECLS
