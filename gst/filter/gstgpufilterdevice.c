/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpufilterdevice.h"

#include "gst/common/gstgpucontext.h"
#include "gstgpufiltererror.h"
#include "gstgpufilterprivate.h"

#include <string.h>

#define GST_CAT_DEFAULT gst_gpu_filter_debug

void
gst_gpu_filter_set_device (GstGpuFilter * self, GpuDevice * device)
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

/* Returns a device to replace @lost, which may be NULL: the same device, opened again, or
 * if that fails another one that matches @selector. An index is not used then, because
 * after a device is removed another device has its index. */
static GpuDevice *
find_another (GstGpuFilter * self, GpuDevice * lost, const gchar * selector,
    GError ** error)
{
  GstElement *element = GST_ELEMENT (self);
  const GpuNeeds *needs = GST_GPU_FILTER_GET_CLASS (self)->needs;
  GpuDevice *device = NULL;
  GError *failure = NULL;

  if (lost)
    device = gst_gpu_context_find_device (element,
        gpu_device_get_info (lost)->uuid, needs, &failure);
  if (!device && !(lost && is_index (selector))) {
    g_clear_error (&failure);
    device = gst_gpu_context_find_device (element, selector, needs, &failure);
  }
  if (failure)
    g_propagate_error (error, failure);
  return device;
}

GpuDevice *
gst_gpu_filter_find_device (GstGpuFilter * self, GError ** error)
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
  GpuDevice *device = gst_gpu_filter_find_device (self, error);

  if (device)
    gst_gpu_filter_set_device (self, device);
  return device != NULL;
}

void
gst_gpu_filter_close_device (GstGpuFilter * self)
{
  gst_gpu_filter_set_device (self, NULL);
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
    GST_INFO_OBJECT (self, "using %s of a context",
        gpu_device_get_info (device)->name);
    priv->device = g_steal_pointer (&device);
  }
  GST_OBJECT_UNLOCK (self);
  g_clear_pointer (&device, gpu_device_unref);
  g_clear_pointer (&old, gpu_device_unref);
}
