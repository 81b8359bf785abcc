/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the properties of gpublur ask for. */
#pragma once

#include "gpu/blur/blur.h"
#include "gst/common/gstgpuproperties.h"

G_BEGIN_DECLS

typedef struct
{
  GpuBlurSettings engine;       /* a sigma below 0 is as the one below */
  gdouble sigma;
  gboolean linear_light;
} GstGpuBlurSettings;

/* Each is a field of GstGpuBlurSettings. */
extern const GstGpuProperty gst_gpu_blur_properties[];

extern const GstGpuEnum gst_gpu_blur_precisions;

/* From class_init. */
void gst_gpu_blur_settings_install (GObjectClass * object_class);

/* What the engine is to do, all but light. */
void gst_gpu_blur_settings_resolve (const GstGpuBlurSettings * settings,
    GpuBlurSettings * engine);

G_END_DECLS
