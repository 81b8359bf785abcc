/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What kernels are made for: not one frame, but all planes that look alike to shaders. */
#pragma once

#include "settings.h"

G_BEGIN_DECLS

typedef struct
{
  const GpuPixelFormat *format;
  guint plane;                  /* of that format */
  gboolean half;                /* sums in memory are halves, not floats */
  gboolean linear;              /* light is blurred, not code values */
} GpuBlurPlaneKind;

/* The kind of a plane of @format that @settings ask for. */
GpuBlurPlaneKind gpu_blur_plane_kind (const GpuBlurSettings * settings,
    const GpuPixelFormat * format, guint plane);

/* Whether light is blurred: that of bytes. */
gboolean gpu_blur_is_of_light (const GpuBlurSettings * settings,
    const GpuPixelFormat * format);

/* Whether sums can be integers: boxes of bytes that are not decoded. */
gboolean gpu_blur_can_sum_integers (const GpuBlurSettings * settings,
    const GpuPixelFormat * format);

/* Never AUTO. */
GpuBlurPrecision gpu_blur_choose_precision (const GpuBlurSettings * settings,
    const GpuPixelFormat * format);

G_END_DECLS
