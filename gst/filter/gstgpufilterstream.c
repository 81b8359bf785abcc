/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpufilterprivate.h"

#include "gpu/core/device/foreign.h"
#include "gst/common/gstgpucontext.h"
#include "gst/memory/gstgpubufferpool.h"

#include <string.h>

#define GST_CAT_DEFAULT gst_gpu_filter_debug

/* --- the device --- */

/* Sets the device. Takes ownership of the reference. */
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

/* Returns a device to replace @lost, which may be NULL: the same device, opened again, or
 * if that fails another one that matches @selector. An index is not used then, because
 * after a device is removed another device has its index. */
static GpuDevice *
find_another (GstGpuFilter * self, GpuDevice * lost, const gchar * selector,
    GError ** error)
{
  GstElement *element = GST_ELEMENT (self);
  const GpuNeeds *needs = GST_GPU_FILTER_GET_CLASS (self)->needs;
  gboolean is_index = selector && *selector
      && !selector[strspn (selector, "0123456789")];
  GpuDevice *device = NULL;
  GError *failure = NULL;

  if (lost)
    device = gst_gpu_context_find_device (element,
        gpu_device_get_info (lost)->uuid, needs, &failure);
  if (!device && !(lost && is_index)) {
    g_clear_error (&failure);
    device = gst_gpu_context_find_device (element, selector, needs, &failure);
  }
  if (failure)
    g_propagate_error (error, failure);
  return device;
}

/* Returns a new reference to the current device, or to another one if there is none or it
 * is lost. Returns NULL with @error set on failure; see gpu_device_open(). */
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
  selector = g_strdup (priv->settings.selector);
  GST_OBJECT_UNLOCK (self);
  if (known && !gpu_device_is_lost (known))
    return g_steal_pointer (&known);
  device = find_another (self, known, selector, error);
  if (device)
    GST_INFO_OBJECT (self, "using %s (%s)", gpu_device_get_info (device)->name,
        gpu_device_get_info (device)->driver);
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

/* The device must not change between start and stop. In NULL there is no device yet. */
static gboolean
may_change_device (GstGpuFilterPrivate * priv)
{
  return priv->device && !priv->started;
}

void
gst_gpu_filter_take_device_of (GstGpuFilter * self, GstContext * context)
{
  GstGpuFilterPrivate *priv = self->priv;
  g_autofree gchar *selector = NULL;
  g_autoptr (GError) error = NULL;
  GpuDevice *device, *old = NULL;
  gboolean may_change;
  g_autofree gchar *taken = NULL;

  GST_OBJECT_LOCK (self);
  may_change = may_change_device (priv);
  selector = g_strdup (priv->settings.selector);
  GST_OBJECT_UNLOCK (self);
  if (!may_change)
    return;
  device = gst_gpu_context_take_device (context, selector,
      GST_GPU_FILTER_GET_CLASS (self)->needs, &error);
  if (error)
    GST_GPU_FILTER_ERROR (self, error);
  GST_OBJECT_LOCK (self);
  if (device && may_change_device (priv)) {
    old = g_steal_pointer (&priv->device);
    taken = g_strdup (gpu_device_get_info (device)->name);
    priv->device = g_steal_pointer (&device);
  }
  GST_OBJECT_UNLOCK (self);
  if (taken)
    GST_INFO_OBJECT (self, "using %s of a context", taken);
  g_clear_pointer (&device, gpu_device_unref);
  g_clear_pointer (&old, gpu_device_unref);
}

static gchar *
describe_builds (guint built, guint n, gint percent)
{
  return g_strdup_printf ("Compiling shaders: %u of %u", built, n);
}

const GstGpuProgressKind gst_gpu_filter_builds = {
  "shaders", G_USEC_PER_SEC / 2, describe_builds, "Compiled all shaders",
  "Shaders are not wanted any more"
};

static gchar *
describe_parts (guint done, guint n, gint percent)
{
  return g_strdup_printf ("Working on a frame: %u parts are done", done);
}

const GstGpuProgressKind gst_gpu_filter_parts = {
  "frame", G_USEC_PER_SEC, describe_parts, "The frame is done",
  "The frame is not wanted any more", TRUE
};

/* --- the CPU --- */

/* Returns whether the pipeline, or whatever the element is in, has been told before, and notes
 * that it is told now. */
static gboolean
is_pipeline_told (GstGpuFilter * self)
{
  static const gchar key[] = "gst-gpu-told-of-cpu";
  GstObject *top = gst_object_ref (GST_OBJECT (self)), *parent;
  gboolean is_told;

  while ((parent = gst_object_get_parent (top))) {
    gst_object_unref (top);
    top = parent;
  }
  GST_OBJECT_LOCK (top);
  is_told = g_object_get_data (G_OBJECT (top), key) != NULL;
  g_object_set_data (G_OBJECT (top), key, GINT_TO_POINTER (TRUE));
  GST_OBJECT_UNLOCK (top);
  gst_object_unref (top);
  return is_told;
}

/* Not if the user has named the device, or says that the CPU is meant. */
static void
warn_of_slow_device (GstGpuFilter * self, GpuDevice * device)
{
  const GpuDeviceInfo *info = gpu_device_get_info (device);
  const gchar *passed_over = gpu_device_get_passed_over (device);
  const gchar *allowed = g_getenv ("GST_GPU_ALLOW_CPU");
  g_autofree gchar *advice = NULL;
  gboolean is_named;

  GST_OBJECT_LOCK (self);
  is_named = self->priv->settings.selector && *self->priv->settings.selector;
  GST_OBJECT_UNLOCK (self);
  if (info->kind != GPU_DEVICE_CPU || is_named
      || (allowed && *allowed && !g_str_equal (allowed, "0"))
      || is_pipeline_told (self))
    return;
  advice = passed_over ? g_strdup_printf ("Passed over: %s.", passed_over)
      : g_strdup ("If there is a GPU, install its Vulkan driver, or name it "
      "with the property \"device\".");
  GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS,
      ("Running on \"%s\", which is the CPU: this may be slow. %s To use the CPU "
          "without this warning, set GST_GPU_ALLOW_CPU=1 in the environment.",
          info->name, advice), (NULL));
}

/* --- the stream --- */

gboolean
gst_gpu_filter_is_cancelled (gpointer filter)
{
  GstGpuFilterPrivate *priv = GST_GPU_FILTER (filter)->priv;

  return g_atomic_int_get (&priv->flushing)
      || g_atomic_int_get (&priv->stopping);
}

static void
on_builds (guint built, guint n, gpointer filter)
{
  gst_gpu_progress_update (&GST_GPU_FILTER (filter)->priv->builds,
      &gst_gpu_filter_builds, filter, built, n);
}

/* Every engine splits frames in its own way, so how many parts follow is not known. */
static void
on_part (guint done, gpointer filter)
{
  gst_gpu_progress_update (&GST_GPU_FILTER (filter)->priv->parts,
      &gst_gpu_filter_parts, filter, done, 0);
}

/* Called for maps and unmaps of the filter's memory, by any element and at any time. Each run
 * has its own allocator, so maps of memory from an earlier run are recognised and ignored.
 * @owner: the filter that created the allocator. */
static void
on_map (GstElement * owner, GstGpuAllocator * allocator,
    const GstGpuMapReport * report, const GError * error)
{
  GstGpuFilter *self = (GstGpuFilter *) owner;
  GstGpuFilterCounters *counters = &self->priv->counters;

  GST_OBJECT_LOCK (self);
  if (gst_gpu_filter_is_current (self->priv, allocator)) {
    counters->downloads += report->downloaded;
    counters->waits_for_result += report->waited_for_result;
    counters->waits_for_readers += report->waited_for_readers;
  }
  GST_OBJECT_UNLOCK (self);
  if (error && !gst_gpu_filter_survives (self, allocator, error))
    gst_gpu_filter_post_error (self, allocator, error, __FILE__, GST_FUNCTION,
        __LINE__);
}

void
gst_gpu_filter_unblock (GstGpuFilter * self)
{
  GstGpuLink *link;

  GST_OBJECT_LOCK (self);
  link = self->priv->link;
  if (link && link->device && link->port->unblock
      && gpu_device_is_lost (link->device))
    link->port->unblock (link);
  GST_OBJECT_UNLOCK (self);
}

static void
set_link (GstGpuFilter * self, GstGpuLink * link)
{
  GST_OBJECT_LOCK (self);
  self->priv->link = link;
  GST_OBJECT_UNLOCK (self);
}

static void
leave_port (GstGpuFilter * self)
{
  GstGpuLink *link = self->priv->link;

  if (!link)
    return;
  gst_gpu_filter_unblock (self);
  set_link (self, NULL);
  link->port->disconnect (link);
  /* The next link may be to a context that does not share memory with that of the pool. */
  gst_gpu_buffer_pool_release (&self->priv->output);
}

/* Releases the old objects only after all new ones have been created. Takes ownership of
 * @device; if it is NULL, @error is set. */
static gboolean
open_stream_on (GstGpuFilter * self, GpuDevice * device, GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;
  GpuStream *stream = device ? gpu_stream_new (device,
      gst_gpu_filter_get_async_depth (self), GST_OBJECT_NAME (self), error)
      : NULL;
  GstAllocator *allocator;

  if (!stream) {
    /* Detect a lost device here, so that the next search does not return it. */
    if (device)
      gpu_device_look (device);
    g_clear_pointer (&device, gpu_device_unref);
    return FALSE;
  }
  gpu_stream_set_hooks (stream, &(GpuStreamHooks) {
    gst_gpu_filter_is_cancelled, on_builds,
    GST_GPU_FILTER_GET_CLASS (self)->tells_of_parts ? on_part : NULL, self});
  if (!priv->stream || !g_str_equal (gpu_device_get_info (priv->device)->uuid,
          gpu_device_get_info (device)->uuid))
    warn_of_slow_device (self, device);
  allocator = gst_gpu_allocator_new (device, GST_ELEMENT (self), on_map);
  gst_gpu_filter_release_stream (self);
  set_device (self, device);
  GST_OBJECT_LOCK (self);
  priv->stream = stream;
  priv->allocator = allocator;
  priv->told_of_loss = FALSE;
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}

gboolean
gst_gpu_filter_open_stream (GstGpuFilter * self, GError ** error)
{
  return open_stream_on (self, find_device (self, error), error);
}

static void
warn_of_other_device (GstGpuFilter * self, GpuDevice * device)
{
  g_autofree gchar *selector = NULL;

  GST_OBJECT_LOCK (self);
  selector = g_strdup (self->priv->settings.selector);
  GST_OBJECT_UNLOCK (self);
  if (!gpu_device_matches (device, selector))
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS,
        ("Frames lie on \"%s\", and are worked on there: the property \"device\" "
            "does not apply.", gpu_device_get_info (device)->name), (NULL));
}

static gboolean
has_device_of (const GstGpuFilterPrivate * priv, const GstGpuLink * link)
{
  return link->device ? link->device == priv->device
      : !gpu_device_get_adopted (priv->device);
}

gboolean
gst_gpu_filter_is_at_port (GstGpuFilter * self)
{
  const GstGpuFilterPrivate *priv = self->priv;

  if (gst_gpu_port_is_system (priv->port))
    return !gpu_device_get_adopted (priv->device);
  return priv->link && priv->link->port == priv->port
      && has_device_of (priv, priv->link);
}

/* Returns a device for frames of system memory, in place of one that was adopted. */
static GpuDevice *
find_own_device (GstGpuFilter * self, GError ** error)
{
  g_autofree gchar *selector = NULL;

  GST_OBJECT_LOCK (self);
  selector = g_strdup (self->priv->settings.selector);
  GST_OBJECT_UNLOCK (self);
  return find_another (self, NULL, selector, error);
}

/* Opens a stream on the device of @link, or if it has none, on one for frames of system memory. */
static gboolean
follow_link (GstGpuFilter * self, GstGpuLink * link, GError ** error)
{
  if (link->device) {
    warn_of_other_device (self, link->device);
    return open_stream_on (self, gpu_device_ref (link->device), error);
  }
  return open_stream_on (self, find_own_device (self, error), error);
}

static void
warn_of_copies (GstGpuFilter * self, const GstGpuLink * link)
{
  gboolean is_first;

  if (!link->fault)
    return;
  GST_OBJECT_LOCK (self);
  is_first = !self->priv->counters.told_of_copies;
  self->priv->counters.told_of_copies = TRUE;
  GST_OBJECT_UNLOCK (self);
  if (is_first)
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS,
        ("The CPU copies frames in %s, because no Vulkan device can do so: %s",
            gst_gpu_port_get_name (link->port), link->fault->message), (NULL));
}

/* Elements are opened before they know their caps, so they begin with a device of their own. */
gboolean
gst_gpu_filter_follow_port (GstGpuFilter * self, GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;
  GstGpuLink *link;

  gst_gpu_filter_give_back (self);
  leave_port (self);
  if (gst_gpu_port_is_system (priv->port))
    return gst_gpu_filter_is_at_port (self)
        || open_stream_on (self, find_own_device (self, error), error);
  link = priv->port->connect (GST_ELEMENT (self),
      GST_GPU_FILTER_GET_CLASS (self)->needs,
      gst_gpu_filter_get_async_depth (self), error);
  if (!link)
    return FALSE;
  if (!has_device_of (priv, link) && !follow_link (self, link, error)) {
    link->port->disconnect (link);
    return FALSE;
  }
  set_link (self, link);
  warn_of_copies (self, link);
  return TRUE;
}

gboolean
gst_gpu_filter_ensure_at_port (GstGpuFilter * self, GError ** error)
{
  if (gst_gpu_filter_is_at_port (self))
    return TRUE;
  if (!gst_gpu_filter_follow_port (self, error))
    return FALSE;
  gst_base_transform_reconfigure_src (GST_BASE_TRANSFORM (self));
  gst_base_transform_reconfigure_sink (GST_BASE_TRANSFORM (self));
  return TRUE;
}

void
gst_gpu_filter_release_stream (GstGpuFilter * self)
{
  GstGpuFilterPrivate *priv = self->priv;
  GstAllocator *allocator;
  GpuStream *stream;

  gst_gpu_filter_give_back (self);
  /* Before the pools: to free their memory may wait for frames. */
  leave_port (self);
  GST_GPU_FILTER_GET_CLASS (self)->release (self);
  GST_OBJECT_LOCK (self);
  allocator = g_steal_pointer (&priv->allocator);
  stream = g_steal_pointer (&priv->stream);
  if (stream)
    gst_gpu_filter_add_stream_counts (&priv->counters.of_streams, stream);
  priv->engine_memory = 0;
  GST_OBJECT_UNLOCK (self);

  gst_gpu_filter_release_pools (self);
  gst_clear_object (&allocator);
  g_clear_pointer (&stream, gpu_stream_unref);
  priv->is_prepared = FALSE;
}

/* Neighbours still have the pools of the lost device, and may now use the same device as
 * this element or another one. So allocation is negotiated again on both sides. */
gboolean
gst_gpu_filter_replace_lost_device (GstGpuFilter * self, GError ** error)
{
  g_autoptr (GError) loss = NULL;

  if (gpu_device_check_alive (self->priv->device, &loss)
      || !gst_gpu_filter_survives (self, NULL, loss))
    return TRUE;
  gst_gpu_filter_count_recovery (self);
  if (!gst_gpu_filter_open_stream (self, error))
    return FALSE;
  gst_base_transform_reconfigure_src (GST_BASE_TRANSFORM (self));
  gst_base_transform_reconfigure_sink (GST_BASE_TRANSFORM (self));
  return TRUE;
}
