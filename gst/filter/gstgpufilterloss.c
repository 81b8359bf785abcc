/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpufilterloss.h"

#include "gstgpufilterprivate.h"

#define GST_CAT_DEFAULT gst_gpu_filter_debug

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

/* Returns whether the stream survives a loss of the device. The caller holds the object
 * lock. */
static gboolean
may_recover (const GstGpuFilterPrivate * priv)
{
  return priv->settings.on_device_lost == GST_GPU_FILTER_ON_DEVICE_LOST_RECOVER
      && (priv->counters.recoveries < MAX_RECOVERIES
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

/* Returns TRUE with @error set if on-device-lost is "recover" but there were too many
 * losses. */
static gboolean
gives_up (GstGpuFilter * self, GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;
  gboolean given_up;

  GST_OBJECT_LOCK (self);
  given_up =
      priv->settings.on_device_lost == GST_GPU_FILTER_ON_DEVICE_LOST_RECOVER
      && !may_recover (priv);
  GST_OBJECT_UNLOCK (self);
  if (given_up)
    g_set_error (error, GPU_ERROR, GPU_ERROR_LOST,
        "\"%s\" was lost, and so were "
        "%u devices before it, with fewer than %u frames in between: the stream "
        "does not go on. Update the driver or choose another device, and restart "
        "the pipeline.", gpu_device_get_info (priv->device)->name,
        MAX_RECOVERIES, FEW_FRAMES);
  return given_up;
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
  g_autoptr (GError) loss = NULL, end = NULL;

  if ((*error)->domain != GPU_ERROR || (*error)->code == GPU_ERROR_CANCELLED
      || !is_lost (self->priv->device, &loss))
    return;
  if (gives_up (self, &end)) {
    g_clear_error (error);
    *error = g_steal_pointer (&end);
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
    debug = gst_gpu_filter_describe_device_and_time (priv);
  }
  GST_OBJECT_UNLOCK (self);
  if (goes_on)
    GST_INFO_OBJECT (self, "goes on: %s", error->message);
  if (warns)
    warn_of_loss (self, name, debug);
  return goes_on;
}
