/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The levels of a pyramid for one plane: how large they are, and the Gaussian
 * that is left to do on the coarsest of them.
 *
 * Every step down is a cubic B-spline, and so is the only one up. Of the Gaussian's
 * response they have done their part already, so the rest is the quotient of the
 * two, not a Gaussian of what variance is left: with that, levels can be as coarse
 * as 1.6 samples a sigma. (Burt and Adelson, The Laplacian Pyramid as a Compact Image Code,
 * 1983; Unser, Aldroubi and Eden, The L2 polynomial spline pyramid, 1993.) */
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
  guint sizes[GPU_BLUR_MAX_STEPS + 1];  /* samples: of the plane, of each level */
  guint radius;
  gfloat weights[PYRAMID_MAX_RADIUS + 1];       /* by distance; over both sides
                                                   they sum to 1 */
} GpuBlurLevelsOfAxis;

typedef struct
{
  guint n_steps;                /* down, at least 1 */
  GpuBlurLevelsOfAxis axes[GPU_BLUR_LEVELS_AXES];
} GpuBlurLevels;

/* For a plane of @sizes samples an axis and a Gaussian of @sigmas samples. FALSE
 * where there are no such levels: a plane that is too small, or a Gaussian that
 * is too narrow, or too wide for the plane. */
gboolean gpu_blur_levels_init (GpuBlurLevels * levels, const guint * sizes,
    const gdouble * sigmas);

/* Samples of level @level (1 to n_steps) along an axis, with its margins. */
guint gpu_blur_levels_extent (const GpuBlurLevels * levels,
    GpuBlurLevelsAxis axis, guint level);

G_END_DECLS
