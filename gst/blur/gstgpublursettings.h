/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The properties of gpublur, and the settings that they hold. */
#pragma once

#include "gpu/blur/blur.h"
#include "gst/common/gstgpuproperties.h"
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

/* Fills in the settings of the engine, except light and full_range. */
void gst_gpu_blur_settings_resolve (const GstGpuBlurSettings * settings,
    GpuBlurSettings * engine);

G_END_DECLS
