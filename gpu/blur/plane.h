/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is blurred of a plane: how its samples are summed, and its weights. */
#pragma once

#include "settings.h"
#include "gpu/core/stream/stream.h"

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

typedef struct
{
  const GpuPixelFormat *format;
  guint index;                  /* in the format */
  guint components;             /* samples of a pixel */
  gboolean half;                /* sums are stored as halves, not floats */
  gboolean linear;              /* linear light is blurred, not code values */
  GpuBlurAxes axes;
} GpuBlurPlane;

/* Returns plane @index of frames of @format that are blurred with @settings. */
GpuBlurPlane gpu_blur_plane_get (const GpuBlurSettings * settings,
    const GpuPixelFormat * format, guint index);

/* Returns the pixels of a unit of a plane (shaders/blur/shared.h). */
guint gpu_blur_plane_get_unit (const GpuBlurPlane * plane);

/* Whether both axes have the same weights. */
gboolean gpu_blur_axes_are_alike (const GpuBlurAxes * axes);

/* Writes the radius + 1 weights of the distances 0…radius. They are normalised: the sum
 * over -radius…radius is 1. */
void gpu_blur_axis_weights (const GpuBlurAxis * axis, gfloat * weights);

/* Tables of weights that shaders read have those of rows, then those of columns, of each
 * plane: where they begin. */
#define GPU_BLUR_AXIS_WEIGHTS (GPU_BLUR_MAX_RADIUS + 1)
#define GPU_BLUR_WEIGHTS_X(plane) (2 * (plane) * GPU_BLUR_AXIS_WEIGHTS)
#define GPU_BLUR_WEIGHTS_Y(plane) \
  (GPU_BLUR_WEIGHTS_X (plane) + GPU_BLUR_AXIS_WEIGHTS)
#define GPU_BLUR_TABLE_WEIGHTS GPU_BLUR_WEIGHTS_X (GPU_BLUR_MAX_PLANES)

/* Records the write of both axes' weights of @plane to @table, which begins at float @first of
 * the buffer. */
void gpu_blur_plane_write_weights (const GpuBlurPlane * plane,
    GpuStream * stream, GpuBuffer * table, guint first);

/* Whether samples are 8-bit code values. Some arithmetic supports only these. */
gboolean gpu_blur_is_of_bytes (const GpuPixelFormat * format);

/* Whether the bilateral filter can do frames of @format. It weighs the colours of a pixel
 * together, so those of R'G'B' must lie in one plane; and it weighs luma alone, so Y'CbCr
 * must have planes, and no alpha. Samples must be bytes. */
gboolean gpu_blur_can_weigh_colours (const GpuPixelFormat * format);

/* Whether linear light is blurred: the settings have a table of light, and samples are
 * bytes. */
gboolean gpu_blur_is_of_light (const GpuBlurSettings * settings,
    const GpuPixelFormat * format);

/* Whether sums can be integers: the kernel is a box, samples are bytes, and code values
 * are blurred. */
gboolean gpu_blur_can_sum_integers (const GpuBlurSettings * settings,
    const GpuPixelFormat * format);

/* Returns the precision that is used: the requested one, or if that is AUTO, HALF for
 * codes of 8 bits and FLOAT for other samples. Always FLOAT for codes of more bits and for
 * a bilateral filter. Never AUTO. */
GpuBlurPrecision gpu_blur_choose_precision (const GpuBlurSettings * settings,
    const GpuPixelFormat * format);

G_END_DECLS
