/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpufiltersettings.h"

#define DEFAULT_ASYNC_DEPTH 2
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
   * a part of its name; empty for the best one. Opened on the way from NULL to
   * READY: changeable in NULL; in other states a change is refused with a
   * warning.
   */
  {GST_GPU_FILTER_PROP_DEVICE, "device", "Device",
    "Vulkan device: its index, UUID or a part of its name; empty for "
    "the best one (changeable in NULL)",
    G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS,
    G_TYPE_STRING, OFFSET (selector)},
  /**
   * GstGpuFilter:async-depth:
   *
   * How many frames the device may work on at once. One more waits for the
   * oldest of them. From PAUSED on a change is refused with a warning.
   */
  {GST_GPU_FILTER_PROP_ASYNC_DEPTH, "async-depth", "Async depth",
    "Frames that the device may work on at once",
    G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | GST_PARAM_MUTABLE_READY,
    G_TYPE_UINT, OFFSET (async_depth), DEFAULT_ASYNC_DEPTH, 1, MAX_ASYNC_DEPTH},
  /**
   * GstGpuFilter:on-device-lost:
   *
   * What becomes of the stream when the device is lost: its driver reset it, it was
   * removed, or it hangs. `error`: it ends in an error, and the next start opens
   * another device. `recover`: a warning is posted, frames that the device had begun
   * are lost, and the stream goes on with the next frame on another device: the same
   * one opened anew, or the best of those that work. What was known of earlier frames
   * is forgotten. A device that hangs holds up the stream while it is waited for, ten
   * seconds at a time. Where the third device in a row is lost before it has worked on
   * 100 frames, the stream ends in an error.
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

/* Whether the element is in @state or below it, and not on its way further up,
 * which it seems to be after that failed. With the object lock. */
static gboolean
stays_at_most (GstElement * element, GstState state)
{
  return GST_STATE (element) <= state && (GST_STATE_NEXT (element) <= state
      || GST_STATE_RETURN (element) == GST_STATE_CHANGE_FAILURE);
}

/* In which a property may be set: what is taken on the way up from there is
 * not looked at again. */
static GstState
get_highest_state (const GParamSpec * pspec)
{
  if (pspec->flags & GST_PARAM_MUTABLE_PLAYING)
    return GST_STATE_PLAYING;
  return pspec->flags & GST_PARAM_MUTABLE_READY ? GST_STATE_READY
      : GST_STATE_NULL;
}

void
gst_gpu_filter_settings_set (GstGpuFilterSettings * settings,
    GstElement * element, guint id, const GValue * value, GParamSpec * pspec)
{
  GstState highest = get_highest_state (pspec);
  gboolean may_be_set, is_known = TRUE;

  GST_OBJECT_LOCK (element);
  may_be_set = stays_at_most (element, highest);
  if (may_be_set)
    is_known = gst_gpu_properties_set (properties, settings, id, value);
  GST_OBJECT_UNLOCK (element);
  if (!is_known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (element, id, pspec);
  if (!may_be_set)
    GST_ELEMENT_WARNING (element, LIBRARY, SETTINGS,
        ("\"%s\" stays as it is: set the element to %s before you change it.",
            pspec->name, gst_element_state_get_name (highest)), (NULL));
}

void
gst_gpu_filter_settings_get (const GstGpuFilterSettings * settings,
    GstElement * element, guint id, GValue * value, GParamSpec * pspec)
{
  gboolean is_known;

  GST_OBJECT_LOCK (element);
  is_known = gst_gpu_properties_get (properties, settings, id, value);
  GST_OBJECT_UNLOCK (element);
  if (!is_known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (element, id, pspec);
}
