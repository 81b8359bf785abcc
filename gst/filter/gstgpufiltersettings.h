/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the properties of every filter ask for. */
#pragma once

#include "gst/common/gstgpuproperties.h"

G_BEGIN_DECLS

enum
{
  GST_GPU_FILTER_PROP_0,
  GST_GPU_FILTER_PROP_DEVICE,
  GST_GPU_FILTER_PROP_ASYNC_DEPTH,
  GST_GPU_FILTER_PROP_ON_DEVICE_LOST,
  GST_GPU_FILTER_PROP_STATS,    /* no setting: gstgpufilterstats.h */
};

/* What becomes of the stream when the device is lost. */
typedef enum
{
  GST_GPU_FILTER_ON_DEVICE_LOST_ERROR,
  GST_GPU_FILTER_ON_DEVICE_LOST_RECOVER,
} GstGpuFilterOnDeviceLost;

typedef struct
{
  gchar *selector;              /* of the device, as of gpu_device_open() */
  guint async_depth;
  GstGpuFilterOnDeviceLost on_device_lost;
} GstGpuFilterSettings;

void gst_gpu_filter_settings_install (GObjectClass * object_class);

/* All have their defaults; @settings are zeroed. */
void gst_gpu_filter_settings_init (GstGpuFilterSettings * settings);
void gst_gpu_filter_settings_clear (GstGpuFilterSettings * settings);

/* As of GObjectClass, of @element, whose lock guards @settings. Where its state is too
 * high for a change, that is refused with a warning. */
void gst_gpu_filter_settings_set (GstGpuFilterSettings * settings,
    GstElement * element, guint id, const GValue * value, GParamSpec * pspec);
void gst_gpu_filter_settings_get (const GstGpuFilterSettings * settings,
    GstElement * element, guint id, GValue * value, GParamSpec * pspec);

G_END_DECLS
