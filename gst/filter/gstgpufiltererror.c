/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpufilterprivate.h"

#include "gpu/core/device/foreign.h"
#include "gst/memory/gstgpuframe.h"

#define GST_CAT_DEFAULT gst_gpu_filter_debug

gboolean
gst_gpu_filter_is_current (const GstGpuFilterPrivate * priv,
    GstGpuAllocator * allocator)
{
  return !allocator || GST_ALLOCATOR (allocator) == priv->allocator;
}

/* Returns the device and the number of frames as debug text for a message; NULL without a
 * device. The caller frees it and holds the object lock. */
static gchar *
describe_device_and_time (const GstGpuFilterPrivate * priv)
{
  const GpuDeviceInfo *info;

  if (!priv->device)
    return NULL;
  info = gpu_device_get_info (priv->device);
  return g_strdup_printf ("device \"%s\" (%s), after %" G_GUINT64_FORMAT
      " frames", info->name, info->uuid, priv->counters.frames);
}

/* Returns the domain of a message about @error, and its code. */
static GQuark
find_message_code (const GError * error, gint * code)
{
  static const struct
  {
    GQuark (*error_domain) (void);
    gint error_code;
      GQuark (*domain) (void);
    gint code;
  } codes[] = {
    /* *INDENT-OFF* */
    {gst_gpu_frame_error_quark, GST_GPU_FRAME_ERROR_READ,
      gst_resource_error_quark, GST_RESOURCE_ERROR_READ},
    {gst_gpu_frame_error_quark, GST_GPU_FRAME_ERROR_FORMAT,
      gst_stream_error_quark, GST_STREAM_ERROR_FORMAT},
    {gpu_error_quark, GPU_ERROR_NO_VULKAN, gst_library_error_quark, GST_LIBRARY_ERROR_INIT},
    {gpu_error_quark, GPU_ERROR_NO_DEVICE,
      gst_resource_error_quark, GST_RESOURCE_ERROR_NOT_FOUND},
    {gpu_error_quark, GPU_ERROR_UNSUPPORTED,
      gst_resource_error_quark, GST_RESOURCE_ERROR_SETTINGS},
    {gpu_error_quark, GPU_ERROR_TOO_LARGE, gst_stream_error_quark, GST_STREAM_ERROR_FORMAT},
    {gpu_error_quark, GPU_ERROR_OUT_OF_MEMORY,
      gst_resource_error_quark, GST_RESOURCE_ERROR_NO_SPACE_LEFT},
    {gpu_error_quark, GPU_ERROR_LOST, gst_resource_error_quark, GST_RESOURCE_ERROR_FAILED},
    /* *INDENT-ON* */
  };

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    if (g_error_matches (error, codes[i].error_domain (), codes[i].error_code)) {
      *code = codes[i].code;
      return codes[i].domain ();
    }
  *code = error->domain == GPU_ERROR ? GST_LIBRARY_ERROR_FAILED : error->code;
  return error->domain == GPU_ERROR ? GST_LIBRARY_ERROR : error->domain;
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
    debug = describe_device_and_time (priv);
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

/* --- lost devices --- */

/* A stream survives at most this many losses in a row, with fewer than FEW_FRAMES frames
 * between two of them. Otherwise a broken device, or a frame that makes every device fail,
 * would never end the stream. */
#define MAX_RECOVERIES 2
#define FEW_FRAMES 100

static gboolean
worked_well (const GstGpuFilterCounters * counters)
{
  return counters->frames - counters->frames_before >= FEW_FRAMES;
}

/* Returns whether another device can take the place of the lost one: not if other elements have
 * lost it, too. The caller holds the object lock. */
static gboolean
wants_recovery (const GstGpuFilterPrivate * priv)
{
  return priv->settings.on_device_lost == GST_GPU_FILTER_ON_DEVICE_LOST_RECOVER
      && !gpu_device_get_adopted (priv->device);
}

/* Returns whether the stream survives a loss of the device. The caller holds the object
 * lock. */
static gboolean
may_recover (const GstGpuFilterPrivate * priv)
{
  return wants_recovery (priv) && (priv->counters.recoveries < MAX_RECOVERIES
      || worked_well (&priv->counters));
}

void
gst_gpu_filter_count_recovery (GstGpuFilter * self)
{
  GstGpuFilterCounters *counters = &self->priv->counters;

  GST_OBJECT_LOCK (self);
  if (worked_well (counters))
    counters->recoveries = 0;
  counters->recoveries++;
  counters->frames_before = counters->frames;
  GST_OBJECT_UNLOCK (self);
}

/* Returns whether the device is lost. FALSE in a forked child or a process that ends: these
 * cannot open another device. The driver may wait. */
static gboolean
is_lost (GpuDevice * device, GError ** loss)
{
  gpu_device_look (device);
  return !gpu_device_check_alive (device, loss)
      && g_error_matches (*loss, GPU_ERROR, GPU_ERROR_LOST);
}

void
gst_gpu_filter_name_loss (GstGpuFilter * self, GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;
  g_autoptr (GError) loss = NULL;
  gboolean gives_up;

  if ((*error)->domain != GPU_ERROR || (*error)->code == GPU_ERROR_CANCELLED
      || !is_lost (priv->device, &loss))
    return;
  GST_OBJECT_LOCK (self);
  gives_up = wants_recovery (priv) && !may_recover (priv);
  GST_OBJECT_UNLOCK (self);
  if (gives_up) {
    g_clear_error (error);
    g_set_error (error, GPU_ERROR, GPU_ERROR_LOST,
        "\"%s\" was lost, and so were "
        "%u devices before it, with fewer than %u frames in between: the stream "
        "does not go on. Update the driver or choose another device, and restart "
        "the pipeline.", gpu_device_get_info (priv->device)->name,
        MAX_RECOVERIES, FEW_FRAMES);
  } else if ((*error)->code != GPU_ERROR_LOST) {
    g_clear_error (error);
    *error = g_steal_pointer (&loss);
  }
}

/* Returns whether the device is lost, and its loss matters: it is that of @allocator, and the
 * stream survives. Called on any thread. */
static gboolean
has_lost_device (GstGpuFilter * self, GstGpuAllocator * allocator)
{
  GstGpuFilterPrivate *priv = self->priv;
  g_autoptr (GError) loss = NULL;
  g_autoptr (GpuDevice) device = NULL;

  GST_OBJECT_LOCK (self);
  if (priv->device && gst_gpu_filter_is_current (priv, allocator)
      && may_recover (priv))
    device = gpu_device_ref (priv->device);
  GST_OBJECT_UNLOCK (self);
  return device && is_lost (device, &loss);
}

gboolean
gst_gpu_filter_survives (GstGpuFilter * self, GstGpuAllocator * allocator,
    const GError * error)
{
  GstGpuFilterPrivate *priv = self->priv;
  g_autofree gchar *name = NULL;
  gchar *debug = NULL;
  gboolean has_lost = has_lost_device (self, allocator), goes_on, warns;

  GST_OBJECT_LOCK (self);
  goes_on = has_lost && gst_gpu_filter_is_current (priv, allocator)
      && may_recover (priv);
  warns = goes_on && !priv->told_of_loss;
  if (warns) {
    priv->told_of_loss = TRUE;
    name = g_strdup (gpu_device_get_info (priv->device)->name);
    debug = describe_device_and_time (priv);
  }
  GST_OBJECT_UNLOCK (self);
  if (goes_on)
    GST_INFO_OBJECT (self, "goes on: %s", error->message);
  if (warns)
    gst_element_message_full (GST_ELEMENT (self), GST_MESSAGE_WARNING,
        GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED,
        g_strdup_printf
        ("\"%s\" was lost: it was reset or removed, or it hangs. "
            "Frames that it had begun are lost; the stream goes on with the "
            "next one. If this happens again, update the driver or choose "
            "another device.", name), debug, __FILE__, GST_FUNCTION, __LINE__);
  return goes_on;
}
