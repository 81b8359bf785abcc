/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The levels of a pyramid for one plane: their sizes, and the kernel that is applied on
 * the coarsest level.
 *
 * Each step down is a cubic B-spline, and so is the single step up. The splines already
 * filter, so the kernel on the coarsest level is not a Gaussian with the remaining
 * variance: its frequency response is that of the wanted Gaussian divided by those of the
 * splines. With it, levels can be as coarse as 1.6 samples per sigma. (Burt and Adelson,
 * The Laplacian Pyramid as a Compact Image Code, 1983; Unser, Aldroubi and Eden, The L2
 * polynomial spline pyramid, 1993.) */
#pragma once

#include <glib.h>
#include "shaders/blur/pyramid/pyramid.h"

G_BEGIN_DECLS

#define GPU_BLUR_MAX_STEPS 3

typedef enum
{
  GPU_BLUR_LEVELS_X,
  GPU_BLUR_LEVELS_Y,
  GPU_BLUR_LEVELS_AXES,
} GpuBlurLevelsAxis;

typedef struct
{
  guint sizes[GPU_BLUR_MAX_STEPS + 1];  /* samples of the plane, then of each level */
  guint radius;                 /* of the kernel, in samples of the coarsest level */
  gfloat weights[PYRAMID_MAX_RADIUS + 1];       /* of distances 0…radius; the sum over
                                                   -radius…radius is 1 */
} GpuBlurLevelsOfAxis;

typedef struct
{
  guint n_steps;                /* steps down, at least 1 */
  GpuBlurLevelsOfAxis axes[GPU_BLUR_LEVELS_AXES];
} GpuBlurLevels;

/* Fills in the levels for a plane of @sizes and a Gaussian of @sigmas, both arrays of
 * GPU_BLUR_LEVELS_AXES in samples of the plane. Returns FALSE if there are no such levels:
 * the plane is too small or too large, or the Gaussian is too narrow, or too wide for the
 * plane. */
gboolean gpu_blur_levels_init (GpuBlurLevels * levels, const guint * sizes,
    const gdouble * sigmas);

/* Whether the kernel of an axis is too wide for the kernels that scale up
 * (PYRAMID_RADIUS). */
gboolean gpu_blur_levels_are_wide_along (const GpuBlurLevels * levels,
    GpuBlurLevelsAxis axis);
/* The same along any axis. */
gboolean gpu_blur_levels_are_wide (const GpuBlurLevels * levels);

/* Returns the samples of level @level (1…n_steps) along an axis, including its margins. */
guint gpu_blur_levels_extent (const GpuBlurLevels * levels,
    GpuBlurLevelsAxis axis, guint level);

G_END_DECLS
