/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The caps of gpublur. */
#pragma once

#include "gpu/core/frame/format.h"

#include <gst/video/video.h>

G_BEGIN_DECLS

/* What is blurred, as far as formats depend on it. */
typedef enum
{
  GST_GPU_BLUR_SAMPLES,         /* each by itself, or linear light */
  GST_GPU_BLUR_COLOURS,         /* by their differences: kernel=bilateral */
  GST_GPU_BLUR_LIT_COLOURS,     /* the same in linear light */
  GST_GPU_BLUR_N_SUBJECTS
} GstGpuBlurSubject;

/* Adds the pad templates. Call it from class_init. */
void gst_gpu_blur_caps_install (GstElementClass * klass);

/* Returns whether frames of the format can be blurred so. */
gboolean gst_gpu_blur_caps_take (GpuPixels pixels, GstGpuBlurSubject subject);

/* Returns caps with these formats. The caller owns the result. */
GstCaps *gst_gpu_blur_caps_get_formats (GstGpuBlurSubject subject);

/* Whether @caps have at least one of these formats. */
gboolean gst_gpu_blur_caps_have_formats (GstCaps * caps,
    GstGpuBlurSubject subject);

G_END_DECLS
