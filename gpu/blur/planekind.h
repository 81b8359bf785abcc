/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What kernels are made for: not one frame, but all planes that look alike to shaders. */
#pragma once

#include "settings.h"
#include "shaders/shader.h"

G_BEGIN_DECLS

typedef struct
{
  const GpuPixelFormat *format;
  guint plane;                  /* of that format */
  gboolean half;                /* sums in memory are halves, not floats */
  gboolean linear;              /* light is blurred, not code values */
} GpuBlurPlaneKind;

/* Variants of a shader that is made for one layout of pixels at a time, by sample and by
 * samples a pixel, less one (shaders/blur/meson.build). */
typedef const GpuShader *GpuBlurVariants[GPU_N_SAMPLES][GPU_MAX_COMPONENTS];

/* Those of shader @name. */
#define GPU_BLUR_VARIANTS(name) { \
  [GPU_SAMPLE_BYTE] = { &gpu_shader_blur_##name##_1, \
    &gpu_shader_blur_##name##_2, &gpu_shader_blur_##name##_3, \
    &gpu_shader_blur_##name##_4 }, \
  [GPU_SAMPLE_HALF] = { [3] = &gpu_shader_blur_##name##_of_halves }, \
  [GPU_SAMPLE_FLOAT] = { [3] = &gpu_shader_blur_##name##_of_floats }, \
}

/* The one of @variants for planes of @kind. */
const GpuShader *gpu_blur_plane_kind_choose (const GpuBlurPlaneKind * kind,
    GpuBlurVariants variants);

/* The kind of a plane of @format that @settings ask for. */
GpuBlurPlaneKind gpu_blur_plane_kind (const GpuBlurSettings * settings,
    const GpuPixelFormat * format, guint plane);

/* Whether samples are codes of a byte: some arithmetic is for these alone. */
gboolean gpu_blur_is_of_bytes (const GpuPixelFormat * format);

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
