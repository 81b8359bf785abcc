/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The properties that all filters have. */
#pragma once

#include "gst/common/gstgpuproperties.h"

G_BEGIN_DECLS

enum
{
  GST_GPU_FILTER_PROP_0,
  GST_GPU_FILTER_PROP_DEVICE,
  GST_GPU_FILTER_PROP_ASYNC_DEPTH,
  GST_GPU_FILTER_PROP_ON_DEVICE_LOST,
  GST_GPU_FILTER_PROP_STATS,    /* read-only, see gstgpufilterstats.h */
};

/* What happens to the stream when the device is lost. */
typedef enum
{
  GST_GPU_FILTER_ON_DEVICE_LOST_ERROR,
  GST_GPU_FILTER_ON_DEVICE_LOST_RECOVER,
} GstGpuFilterOnDeviceLost;

typedef struct
{
  gchar *selector;              /* of the device, see gpu_device_open() */
  guint async_depth;
  GstGpuFilterOnDeviceLost on_device_lost;
} GstGpuFilterSettings;

/* Installs the properties, except "stats". */
void gst_gpu_filter_settings_install (GObjectClass * object_class);

/* Sets the defaults. @settings must be zeroed. */
void gst_gpu_filter_settings_init (GstGpuFilterSettings * settings);
/* Frees the members. */
void gst_gpu_filter_settings_clear (GstGpuFilterSettings * settings);

/* As gst_gpu_properties_set() and gst_gpu_properties_get(). */
void gst_gpu_filter_settings_set (GstGpuFilterSettings * settings,
    GstElement * element, const GValue * value, GParamSpec * pspec);
void gst_gpu_filter_settings_get (const GstGpuFilterSettings * settings,
    GstElement * element, GValue * value, GParamSpec * pspec);

G_END_DECLS
