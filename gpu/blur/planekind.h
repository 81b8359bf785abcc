/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kind of a plane: the properties that pipelines depend on. Planes of one kind use
 * the same pipelines. */
#pragma once

#include "settings.h"

G_BEGIN_DECLS

typedef struct
{
  const GpuPixelFormat *format;
  guint plane;                  /* index in the format */
  gboolean half;                /* sums are stored as halves, not floats */
  gboolean linear;              /* linear light is blurred, not code values */
} GpuBlurPlaneKind;

/* Returns the kind of plane @plane of frames of @format that are blurred with
 * @settings. */
GpuBlurPlaneKind gpu_blur_plane_kind (const GpuBlurSettings * settings,
    const GpuPixelFormat * format, guint plane);

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
