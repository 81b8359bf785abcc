/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Errors: one message for what goes wrong, wherever it does. And what maps of our
 * memory have to tell. */
#include "gstgpufilterprivate.h"

#include "gst/memory/gstgpuframe.h"

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

/* Where and when it went wrong, for developers; NULL without a device. With
 * the object lock. */
static gchar *
describe_device_and_time (GstGpuFilterPrivate * priv)
{
  const GpuDeviceInfo *info;

  if (!priv->device)
    return NULL;
  info = gpu_device_get_info (priv->device);
  return g_strdup_printf ("device \"%s\" (%s), after %" G_GUINT64_FORMAT
      " frames", info->name, info->uuid, priv->counters.frames);
}

/* Not of an earlier run, nor of a device that was replaced. With the object lock. */
static gboolean
is_current (GstGpuFilterPrivate * priv, GstGpuAllocator * allocator)
{
  return !allocator || GST_ALLOCATOR (allocator) == priv->allocator;
}

/* Where in the source something went wrong. */
typedef struct
{
  const gchar *file, *function;
  gint line;
} Place;

/* @allocator: of the memory that could not be mapped; NULL where it is not
 * that. */
static void
post_error (GstGpuFilter * self, GstGpuAllocator * allocator,
    const GError * error, const Place * place)
{
  GstGpuFilterPrivate *priv = self->priv;
  gchar *debug = NULL;
  gboolean news;
  gint code;
  GQuark domain = find_message_code (error, &code);

  GST_OBJECT_LOCK (self);
  news = !priv->failed && is_current (priv, allocator);
  if (news) {
    priv->failed = TRUE;
    debug = describe_device_and_time (priv);
  }
  GST_OBJECT_UNLOCK (self);
  if (!news) {
    GST_INFO_OBJECT (self, "not posted: %s", error->message);
    return;
  }
  gst_element_message_full (GST_ELEMENT (self), GST_MESSAGE_ERROR, domain,
      code, g_strdup (error->message), debug, place->file, place->function,
      place->line);
}

void
gst_gpu_filter_post_error (GstGpuFilter * self, const GError * error,
    const gchar * file, const gchar * function, gint line)
{
  const Place place = { file, function, line };

  post_error (self, NULL, error, &place);
}

/* Not so in a process that ends or was forked: it gets no other device. */
static gboolean
has_lost_device (GstGpuFilterPrivate * priv, GError ** loss)
{
  gpu_device_look (priv->device);
  return !gpu_device_check_alive (priv->device, loss)
      && g_error_matches (*loss, GPU_ERROR, GPU_ERROR_LOST);
}

void
gst_gpu_filter_name_loss (GstGpuFilter * self, GError ** error)
{
  g_autoptr (GError) loss = NULL, end = NULL;

  if ((*error)->domain != GPU_ERROR || (*error)->code == GPU_ERROR_CANCELLED
      || !has_lost_device (self->priv, &loss))
    return;
  if (gst_gpu_filter_gives_up (self, &end)) {
    g_clear_error (error);
    *error = g_steal_pointer (&end);
  } else if ((*error)->code != GPU_ERROR_LOST) {
    g_clear_error (error);
    *error = g_steal_pointer (&loss);
  }
}

static void
warn_of_loss (GstGpuFilter * self, const gchar * name, gchar * debug)
{
  gst_element_message_full (GST_ELEMENT (self), GST_MESSAGE_WARNING,
      GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED,
      g_strdup_printf ("\"%s\" was lost: it was reset or removed, or it hangs. "
          "Frames that it had begun are lost; the stream goes on with the next "
          "one. If this happens again, update the driver or choose another "
          "device.", name), debug, __FILE__, GST_FUNCTION, __LINE__);
}

/* @allocator: as above. */
static gboolean
survives (GstGpuFilter * self, GstGpuAllocator * allocator,
    const GError * error)
{
  GstGpuFilterPrivate *priv = self->priv;
  g_autoptr (GError) loss = NULL;
  g_autofree gchar *name = NULL;
  gchar *debug = NULL;
  gboolean goes_on, is_news;

  GST_OBJECT_LOCK (self);
  goes_on = is_current (priv, allocator) && gst_gpu_filter_may_recover (priv)
      && has_lost_device (priv, &loss);
  is_news = goes_on && !priv->told_of_loss;
  if (is_news) {
    priv->told_of_loss = TRUE;
    name = g_strdup (gpu_device_get_info (priv->device)->name);
    debug = describe_device_and_time (priv);
  }
  GST_OBJECT_UNLOCK (self);
  if (goes_on)
    GST_INFO_OBJECT (self, "goes on: %s", error->message);
  if (is_news)
    warn_of_loss (self, name, debug);
  return goes_on;
}

gboolean
gst_gpu_filter_survives (GstGpuFilter * self, const GError * error)
{
  return survives (self, NULL, error);
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

static void
count_map_event (GstGpuFilterCounters * counters, GstGpuMapEvent event)
{
  if (event == GST_GPU_MAP_DOWNLOADED)
    counters->downloads++;
  else if (event == GST_GPU_MAP_WAITED_FOR_RESULT)
    counters->waits_for_result++;
  else
    counters->waits_for_readers++;
}

/* A map of our memory, wherever in the pipeline and after whatever time. Each
 * run has an allocator of its own: memory of an earlier one says nothing about
 * this one. */
void
gst_gpu_filter_on_map_event (GstElement * owner, GstGpuAllocator * allocator,
    GstGpuMapEvent event, const GError * error)
{
  GstGpuFilter *self = GST_GPU_FILTER (owner);
  GstGpuFilterPrivate *priv = self->priv;
  const Place place = { __FILE__, GST_FUNCTION, __LINE__ };

  if (event == GST_GPU_MAP_FAILED) {
    if (!survives (self, allocator, error))
      post_error (self, allocator, error, &place);
    return;
  }
  GST_OBJECT_LOCK (self);
  if (GST_ALLOCATOR (allocator) == priv->allocator)
    count_map_event (&priv->counters, event);
  GST_OBJECT_UNLOCK (self);
}
