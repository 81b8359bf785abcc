/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpufiltersettings.h"

#define DEFAULT_ASYNC_DEPTH 3
#define MAX_ASYNC_DEPTH 8
#define DEFAULT_ON_DEVICE_LOST GST_GPU_FILTER_ON_DEVICE_LOST_ERROR

/* *INDENT-OFF* */
static const GEnumValue on_device_lost_values[] = {
  {GST_GPU_FILTER_ON_DEVICE_LOST_ERROR, "The stream ends in an error", "error"},
  {GST_GPU_FILTER_ON_DEVICE_LOST_RECOVER,
    "The stream goes on with the device opened anew, or another one",
    "recover"},
  {0, NULL, NULL}
};

static const GstGpuEnum on_device_lost_choices = {
  "GstGpuFilterOnDeviceLost", on_device_lost_values
};

#define OFFSET(field) G_STRUCT_OFFSET (GstGpuFilterSettings, field)

static const GstGpuProperty properties[] = {
  /**
   * GstGpuFilter:device:
   *
   * The Vulkan device to run on: its index in the loader's list, its UUID, or
   * a part of its name; empty for the best one. The device is opened in the change
   * from NULL to READY. The property can be changed in NULL only; in other states a
   * change is refused with a warning.
   */
  {GST_GPU_FILTER_PROP_DEVICE, "device", "Device",
    "Vulkan device: its index, UUID or a part of its name; empty for "
    "the best one (changeable in NULL)",
    G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS,
    G_TYPE_STRING, OFFSET (selector)},
  /**
   * GstGpuFilter:async-depth:
   *
   * How many frames the device may work on at the same time. A further frame waits
   * for the oldest of them. In PAUSED and PLAYING a change is refused with a warning.
   */
  {GST_GPU_FILTER_PROP_ASYNC_DEPTH, "async-depth", "Async depth",
    "Frames that the device may work on at once",
    G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY,
    G_TYPE_UINT, OFFSET (async_depth), DEFAULT_ASYNC_DEPTH, 1, MAX_ASYNC_DEPTH},
  /**
   * GstGpuFilter:on-device-lost:
   *
   * What happens to the stream when the device is lost: its driver reset it, it was
   * removed, or it hangs. `error`: the stream ends with an error, and the next start
   * opens another device. `recover`: the element posts a warning, frames that the device
   * had begun are lost, and the stream continues with the next frame on another device:
   * the same one, opened again, or the best one that works. All information from
   * earlier frames is forgotten. A device that hangs blocks the stream for ten seconds
   * each time. If three devices in a row are lost before they have processed 100
   * frames, the stream ends with an error.
   */
  {GST_GPU_FILTER_PROP_ON_DEVICE_LOST, "on-device-lost", "On device lost",
    "What becomes of the stream when the device is lost",
    G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_PLAYING,
    G_TYPE_ENUM, OFFSET (on_device_lost), DEFAULT_ON_DEVICE_LOST,
    .choices = &on_device_lost_choices},
  {0}
};
/* *INDENT-ON* */

void
gst_gpu_filter_settings_install (GObjectClass * object_class)
{
  gst_gpu_properties_install (properties, object_class);
}

void
gst_gpu_filter_settings_init (GstGpuFilterSettings * settings)
{
  gst_gpu_properties_init (properties, settings);
}

void
gst_gpu_filter_settings_clear (GstGpuFilterSettings * settings)
{
  g_free (settings->selector);
}

void
gst_gpu_filter_settings_set (GstGpuFilterSettings * settings,
    GstElement * element, const GValue * value, GParamSpec * pspec)
{
  gst_gpu_properties_set (properties, settings, element, value, pspec);
}

void
gst_gpu_filter_settings_get (const GstGpuFilterSettings * settings,
    GstElement * element, GValue * value, GParamSpec * pspec)
{
  gst_gpu_properties_get (properties, settings, element, value, pspec);
}
