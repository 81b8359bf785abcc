/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "blur.h"

G_BEGIN_DECLS

/* One axis of a blur on one plane. */
typedef struct
{
  guint radius;                 /* taps reach from -radius to radius */
  gboolean exact;               /* a box of whole half-width: equal weights */
  gdouble sigma;                /* Gaussian */
  gdouble end;                  /* box: weight of its two end taps */
} GpuBlurAxis;

/* The radius of the whole frame, before any subsampling. */
guint gpu_blur_full_radius (const GpuBlurSettings * settings);

/* The axis of a plane that is subsampled @shift times (a half each). */
void gpu_blur_axis_init (GpuBlurAxis * axis, const GpuBlurSettings * settings,
    guint shift);

/* Writes the radius + 1 weights of distances 0 to radius; over both sides
 * they sum to 1. Nothing is written for an exact axis: it needs none. */
void gpu_blur_axis_weights (const GpuBlurAxis * axis, gfloat * weights);

G_END_DECLS
