/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The device of an element: how it is found, and what frames need of it from the
 * start to the stop. */
#include "gstgpufilterprivate.h"

#include "gst/common/gstgpucontext.h"

#include <string.h>

#define GST_CAT_DEFAULT gst_gpu_filter_debug

/* A stream survives so many losses in a row, with fewer than FEW_FRAMES frames between one
 * and the next. It has to end some time on a device that is broken, and on a frame that
 * every device is lost with. */
#define MAX_RECOVERIES 2
#define FEW_FRAMES 100

#define PARENT_CLASS \
    GST_ELEMENT_CLASS (g_type_class_peek (GST_TYPE_BASE_TRANSFORM))

/* --- the device --- */

/* Takes the reference. */
static void
set_device (GstGpuFilter * self, GpuDevice * device)
{
  GstGpuFilterPrivate *priv = self->priv;
  GpuDevice *old;

  GST_OBJECT_LOCK (self);
  old = g_steal_pointer (&priv->device);
  priv->device = device;
  GST_OBJECT_UNLOCK (self);
  g_clear_pointer (&old, gpu_device_unref);
}

static gboolean
is_index (const gchar * selector)
{
  return selector && *selector && !selector[strspn (selector, "0123456789")];
}

/* In place of @lost, which may be NULL: the same one opened anew, or where that fails
 * another that @selector names. An index does not: where a device is gone, others have
 * its index. */
static GpuDevice *
find_another (GstGpuFilter * self, GpuDevice * lost, const gchar * selector,
    GError ** error)
{
  GstElement *element = GST_ELEMENT (self);
  GpuDevice *device = NULL;
  GError *failure = NULL;

  if (lost)
    device = gst_gpu_context_find_device (element,
        gpu_device_get_info (lost)->uuid, &failure);
  if (!device && !(lost && is_index (selector))) {
    g_clear_error (&failure);
    device = gst_gpu_context_find_device (element, selector, &failure);
  }
  if (failure)
    g_propagate_error (error, failure);
  return device;
}

/* The one that is there, or another where it was lost. A reference. */
static GpuDevice *
find_device (GstGpuFilter * self, GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;
  g_autofree gchar *selector = NULL;
  g_autoptr (GpuDevice) known = NULL;
  GpuDevice *device;

  GST_OBJECT_LOCK (self);
  if (priv->device)
    known = gpu_device_ref (priv->device);
  selector = g_strdup (priv->selector);
  GST_OBJECT_UNLOCK (self);
  if (known && !gpu_device_is_lost (known))
    return g_steal_pointer (&known);
  device = find_another (self, known, selector, error);
  if (device)
    GST_INFO_OBJECT (self, "using %s", gpu_device_get_info (device)->name);
  return device;
}

gboolean
gst_gpu_filter_open_device (GstGpuFilter * self, GError ** error)
{
  GpuDevice *device = find_device (self, error);

  if (device)
    set_device (self, device);
  return device != NULL;
}

void
gst_gpu_filter_close_device (GstGpuFilter * self)
{
  set_device (self, NULL);
}

/* While frames flow, the device stays what it is. In NULL there is none yet. */
static gboolean
may_change_device (GstGpuFilterPrivate * priv)
{
  return priv->device && !priv->started;
}

/* In place of the device that was found without @context. */
static void
take_device_of (GstGpuFilter * self, GstContext * context)
{
  GstGpuFilterPrivate *priv = self->priv;
  g_autofree gchar *selector = NULL;
  g_autoptr (GError) error = NULL;
  GpuDevice *device, *old = NULL;
  gboolean may_change;

  GST_OBJECT_LOCK (self);
  may_change = may_change_device (priv);
  selector = g_strdup (priv->selector);
  GST_OBJECT_UNLOCK (self);
  if (!may_change)
    return;
  device = gst_gpu_context_take_device (context, selector, &error);
  if (error)
    GST_GPU_FILTER_ERROR (self, error);
  GST_OBJECT_LOCK (self);
  if (device && may_change_device (priv)) {
    old = g_steal_pointer (&priv->device);
    priv->device = g_steal_pointer (&device);
  }
  GST_OBJECT_UNLOCK (self);
  g_clear_pointer (&device, gpu_device_unref);
  g_clear_pointer (&old, gpu_device_unref);
}

/* The parent class keeps it for when a device is next looked for. */
void
gst_gpu_filter_set_context (GstElement * element, GstContext * context)
{
  take_device_of (GST_GPU_FILTER (element), context);
  PARENT_CLASS->set_context (element, context);
}

/* --- the stream --- */

/* Whoever names a device knows what it is. */
static gboolean
is_device_named (GstGpuFilter * self)
{
  gboolean named;

  GST_OBJECT_LOCK (self);
  named = self->priv->selector && *self->priv->selector;
  GST_OBJECT_UNLOCK (self);
  return named;
}

static void
warn_of_slow_device (GstGpuFilter * self, GpuDevice * device)
{
  const GpuDeviceInfo *info = gpu_device_get_info (device);
  const gchar *passed_over = gpu_device_get_passed_over (device);

  if (info->kind != GPU_DEVICE_CPU || is_device_named (self))
    return;
  if (passed_over)
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS,
        ("Running on \"%s\", which is the CPU: this may be slow. Passed over: "
            "%s.", info->name, passed_over), (NULL));
  else
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS,
        ("Running on \"%s\", which is the CPU: this may be slow. If there is a "
            "GPU, install its Vulkan driver, or name it with the property "
            "\"device\".", info->name), (NULL));
}

static gboolean
is_cancelled (gpointer filter)
{
  GstGpuFilterPrivate *priv = GST_GPU_FILTER (filter)->priv;

  return g_atomic_int_get (&priv->flushing)
      || g_atomic_int_get (&priv->stopping);
}

static GpuStream *
new_stream (GstGpuFilter * self, GpuDevice * device, GError ** error)
{
  GpuStream *stream;
  guint depth;

  GST_OBJECT_LOCK (self);
  depth = self->priv->async_depth;
  GST_OBJECT_UNLOCK (self);
  stream = gpu_stream_new (device, depth, GST_OBJECT_NAME (self), error);
  if (stream)
    gpu_stream_set_cancel (stream, is_cancelled, self);
  /* Who looks for a device next is not to find one that is lost and does not say so. */
  else
    gpu_device_look (device);
  return stream;
}

/* Whether @device takes the place of another, or of none. */
static gboolean
is_another (GstGpuFilterPrivate * priv, GpuDevice * device)
{
  return !priv->stream || strcmp (gpu_device_get_info (priv->device)->uuid,
      gpu_device_get_info (device)->uuid) != 0;
}

/* What was there goes only when all of the new is there. */
gboolean
gst_gpu_filter_open_stream (GstGpuFilter * self, GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;
  GpuDevice *device = find_device (self, error);
  GpuStream *stream = device ? new_stream (self, device, error) : NULL;
  GstAllocator *allocator;

  if (!stream) {
    g_clear_pointer (&device, gpu_device_unref);
    return FALSE;
  }
  if (is_another (priv, device))
    warn_of_slow_device (self, device);
  allocator = gst_gpu_allocator_new (device, GST_ELEMENT (self),
      gst_gpu_filter_on_map_event);
  gst_gpu_filter_release_stream (self);
  set_device (self, device);
  GST_OBJECT_LOCK (self);
  priv->stream = stream;
  priv->allocator = allocator;
  priv->told_of_loss = FALSE;
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}

void
gst_gpu_filter_release_stream (GstGpuFilter * self)
{
  GstGpuFilterPrivate *priv = self->priv;
  GstAllocator *allocator;
  GpuStream *stream;

  GST_GPU_FILTER_GET_CLASS (self)->release (self);
  GST_OBJECT_LOCK (self);
  allocator = g_steal_pointer (&priv->allocator);
  stream = g_steal_pointer (&priv->stream);
  if (stream)
    priv->counters.waits_for_slot += gpu_stream_get_slot_waits (stream);
  priv->engine_memory = 0;
  GST_OBJECT_UNLOCK (self);

  gst_gpu_filter_release_pool (&priv->staging);
  gst_gpu_filter_release_pool (&priv->output);
  gst_clear_object (&allocator);
  g_clear_pointer (&stream, gpu_stream_unref);
  priv->is_prepared = FALSE;
}

/* --- losses --- */

static gboolean
worked_well (const GstGpuFilterCounters * counters)
{
  return counters->frames - counters->frames_before >= FEW_FRAMES;
}

gboolean
gst_gpu_filter_may_recover (const GstGpuFilterPrivate * priv)
{
  return priv->on_device_lost == GST_GPU_FILTER_ON_DEVICE_LOST_RECOVER
      && (priv->counters.recoveries < MAX_RECOVERIES
      || worked_well (&priv->counters));
}

static void
count_recovery (GstGpuFilter * self)
{
  GstGpuFilterCounters *counters = &self->priv->counters;

  GST_OBJECT_LOCK (self);
  if (worked_well (counters))
    counters->recoveries = 0;
  counters->recoveries++;
  counters->frames_before = counters->frames;
  GST_OBJECT_UNLOCK (self);
}

gboolean
gst_gpu_filter_gives_up (GstGpuFilter * self, GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;
  gboolean gives_up;

  GST_OBJECT_LOCK (self);
  gives_up = priv->on_device_lost == GST_GPU_FILTER_ON_DEVICE_LOST_RECOVER
      && !gst_gpu_filter_may_recover (priv);
  GST_OBJECT_UNLOCK (self);
  if (gives_up)
    g_set_error (error, GPU_ERROR, GPU_ERROR_LOST,
        "\"%s\" was lost, and so were "
        "%u devices before it, with fewer than %u frames in between: the stream "
        "does not go on. Update the driver or choose another device, and restart "
        "the pipeline.", gpu_device_get_info (priv->device)->name,
        MAX_RECOVERIES, FEW_FRAMES);
  return gives_up;
}

/* Neighbours know the pool of the device before, and may be on another one than this
 * element, or on the same one again: allocation is negotiated anew with both. */
gboolean
gst_gpu_filter_replace_lost_device (GstGpuFilter * self, GError ** error)
{
  g_autoptr (GError) loss = NULL;

  if (gpu_device_check_alive (self->priv->device, &loss)
      || !gst_gpu_filter_survives (self, loss))
    return TRUE;
  count_recovery (self);
  if (!gst_gpu_filter_open_stream (self, error))
    return FALSE;
  gst_base_transform_reconfigure_src (GST_BASE_TRANSFORM (self));
  gst_base_transform_reconfigure_sink (GST_BASE_TRANSFORM (self));
  return TRUE;
}
