/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The properties of gpublur, the settings that they hold, presets of them, and the formats
 * that suit them. */
#pragma once

#include "gpu/blur/blur.h"
#include "gst/common/gstgpuproperties.h"
#include "gst/filter/gstgpufilter.h"
#include "gstgpublurareas.h"

G_BEGIN_DECLS

typedef struct
{
  GpuBlurSettings engine;       /* a negative sigma: use the sigma below */
  gdouble sigma;
  gboolean linear_light;
  GstGpuBlurAreas areas;
} GstGpuBlurSettings;

/* Each property is stored in a member of GstGpuBlurSettings. */
extern const GstGpuProperty gst_gpu_blur_properties[];

extern const GstGpuEnum gst_gpu_blur_precisions;

/* Installs the properties. Call it from class_init. */
void gst_gpu_blur_settings_install (GObjectClass * object_class);

extern const GstGpuFilterPresets gst_gpu_blur_presets;

/* --- caps --- */

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
