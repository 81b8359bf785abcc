/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The caps of gpublur: which formats suit which properties. */
#pragma once

#include "gpu/core/frame/format.h"

#include <gst/video/video.h>

G_BEGIN_DECLS

/* What properties need of a format, beside that it can be blurred. A set of these has the bits
 * 1 << need. If several are not met, the first one is told. */
typedef enum
{
  GST_GPU_BLUR_NEEDS_COLOURS,   /* that can be compared: kernel=bilateral */
  GST_GPU_BLUR_NEEDS_LIT_COLOURS,       /* beside that, in linear light */
  GST_GPU_BLUR_NEEDS_LUMA,
  GST_GPU_BLUR_NEEDS_CHROMA,
  GST_GPU_BLUR_NEEDS_ALPHA,
  GST_GPU_BLUR_N_NEEDS          /* also: none */
} GstGpuBlurNeed;

/* Adds the pad templates. Call it from class_init. */
void gst_gpu_blur_caps_install (GstElementClass * klass);

/* Returns the first of @needs that the format does not meet, or GST_GPU_BLUR_N_NEEDS. */
GstGpuBlurNeed gst_gpu_blur_caps_find_unmet (GpuPixels pixels, guint needs);

/* Returns caps with the formats that meet all @needs. The caller owns the result. */
GstCaps *gst_gpu_blur_caps_get_formats (guint needs);

/* Returns why frames of @caps are refused, with what to do, if it is because of @needs; else
 * NULL. Static. */
const gchar *gst_gpu_blur_caps_describe_refusal (GstCaps * caps, guint needs);

/* Returns what to tell if @need is not met, and left out. Static. */
const gchar *gst_gpu_blur_caps_describe_ignored (GstGpuBlurNeed need);

G_END_DECLS
