/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "settings.h"

G_BEGIN_DECLS

/* One axis of a blur on one plane. */
typedef struct
{
  guint radius;                 /* taps reach from -radius to radius */
  gdouble sigma;                /* Gaussian; 0: a box */
  gdouble end;                  /* box: weight of its two end taps */
  guint inner_weight, end_weight;       /* box, in integers: of the taps between
                                           these two, and of them */
} GpuBlurAxis;

/* Both axes of a blur on one plane. */
typedef struct
{
  GpuBlurAxis x, y;
  gboolean exact;               /* equal weights, of code values: a box
                                   of whole half-widths */
} GpuBlurAxes;

void gpu_blur_axes_init (GpuBlurAxes * axes, const GpuBlurSettings * settings,
    const GpuPixelFormat * format, guint plane);

/* Whether both have the same weights. */
gboolean gpu_blur_axes_are_alike (const GpuBlurAxes * axes);

/* Writes the radius + 1 weights of distances 0 to radius; over both sides
 * they sum to 1. */
void gpu_blur_axis_weights (const GpuBlurAxis * axis, gfloat * weights);

G_END_DECLS
