/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpufiltererror.h"

#include "gst/memory/gstgpuframe.h"
#include "gstgpufilterprivate.h"

#define GST_CAT_DEFAULT gst_gpu_filter_debug

static GQuark
find_message_code_of_frame (const GError * error, gint * code)
{
  if (error->code == GST_GPU_FRAME_ERROR_READ) {
    *code = GST_RESOURCE_ERROR_READ;
    return GST_RESOURCE_ERROR;
  }
  *code = GST_STREAM_ERROR_FORMAT;
  return GST_STREAM_ERROR;
}

static GQuark
find_message_code (const GError * error, gint * code)
{
  if (error->domain == GST_GPU_FRAME_ERROR)
    return find_message_code_of_frame (error, code);
  if (error->domain != GPU_ERROR) {
    *code = error->code;
    return error->domain;
  }
  switch (error->code) {
    case GPU_ERROR_NO_VULKAN:
      *code = GST_LIBRARY_ERROR_INIT;
      return GST_LIBRARY_ERROR;
    case GPU_ERROR_NO_DEVICE:
      *code = GST_RESOURCE_ERROR_NOT_FOUND;
      return GST_RESOURCE_ERROR;
    case GPU_ERROR_UNSUPPORTED:
      *code = GST_RESOURCE_ERROR_SETTINGS;
      return GST_RESOURCE_ERROR;
    case GPU_ERROR_TOO_LARGE:
      *code = GST_STREAM_ERROR_FORMAT;
      return GST_STREAM_ERROR;
    case GPU_ERROR_OUT_OF_MEMORY:
      *code = GST_RESOURCE_ERROR_NO_SPACE_LEFT;
      return GST_RESOURCE_ERROR;
    case GPU_ERROR_LOST:
      *code = GST_RESOURCE_ERROR_FAILED;
      return GST_RESOURCE_ERROR;
    default:
      *code = GST_LIBRARY_ERROR_FAILED;
      return GST_LIBRARY_ERROR;
  }
}

void
gst_gpu_filter_post_error (GstGpuFilter * self, GstGpuAllocator * allocator,
    const GError * error, const gchar * file, const gchar * function, gint line)
{
  GstGpuFilterPrivate *priv = self->priv;
  gchar *debug = NULL;
  gboolean is_first;
  gint code;
  GQuark domain = find_message_code (error, &code);

  GST_OBJECT_LOCK (self);
  is_first = !priv->failed && gst_gpu_filter_is_current (priv, allocator);
  if (is_first) {
    priv->failed = TRUE;
    debug = gst_gpu_filter_describe_device_and_time (priv);
  }
  GST_OBJECT_UNLOCK (self);
  if (!is_first) {
    GST_INFO_OBJECT (self, "not posted: %s", error->message);
    return;
  }
  gst_element_message_full (GST_ELEMENT (self), GST_MESSAGE_ERROR, domain,
      code, g_strdup (error->message), debug, file, function, line);
}

void
gst_gpu_filter_forget_errors (GstGpuFilter * self)
{
  GST_OBJECT_LOCK (self);
  self->priv->failed = FALSE;
  GST_OBJECT_UNLOCK (self);
}

void
gst_gpu_filter_count_dropped (GstGpuFilter * self)
{
  GST_OBJECT_LOCK (self);
  self->priv->counters.dropped++;
  GST_OBJECT_UNLOCK (self);
}

void
gst_gpu_filter_note_bad_frame (GstGpuFilter * self, const GError * error)
{
  GstGpuFilterPrivate *priv = self->priv;
  gboolean is_first;
  gint code;
  GQuark domain = find_message_code (error, &code);

  GST_OBJECT_LOCK (self);
  priv->counters.dropped++;
  is_first = !priv->counters.told_of_bad_frame;
  priv->counters.told_of_bad_frame = TRUE;
  GST_OBJECT_UNLOCK (self);
  if (is_first)
    gst_element_message_full (GST_ELEMENT (self), GST_MESSAGE_WARNING, domain,
        code, g_strdup_printf ("%s Such frames are dropped.", error->message),
        NULL, __FILE__, GST_FUNCTION, __LINE__);
  else
    GST_INFO_OBJECT (self, "dropped: %s", error->message);
}
