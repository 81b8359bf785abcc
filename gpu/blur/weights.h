/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "settings.h"

G_BEGIN_DECLS

/* One axis of a blur of one plane. Lengths are in samples of the plane. */
typedef struct
{
  guint radius;                 /* taps are -radius…radius */
  gdouble sigma;                /* of a Gaussian; 0: a box */
  gdouble end;                  /* box: weight of each end tap; inner taps have 1 */
  guint inner_weight, end_weight;       /* box: the same two weights as integers */
} GpuBlurAxis;

/* Both axes of a blur of one plane. */
typedef struct
{
  GpuBlurAxis x, y;
  gboolean exact;               /* sums are integers with equal weights: a box of
                                   integer half-widths over code values of bytes */
  gboolean fits_word;           /* box: sums of integers over both axes have at most 32
                                   bits */
} GpuBlurAxes;

/* Fills in @axes for plane @plane of frames of @format. */
void gpu_blur_axes_init (GpuBlurAxes * axes, const GpuBlurSettings * settings,
    const GpuPixelFormat * format, guint plane);

/* Whether both axes have the same weights. */
gboolean gpu_blur_axes_are_alike (const GpuBlurAxes * axes);

/* Writes the radius + 1 weights of the distances 0…radius. They are normalised: the sum
 * over -radius…radius is 1. */
void gpu_blur_axis_weights (const GpuBlurAxis * axis, gfloat * weights);

G_END_DECLS
