/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpufilterprivate.h"

GST_DEBUG_CATEGORY (gst_gpu_filter_debug);

guint
gst_gpu_filter_get_async_depth (GstGpuFilter * self)
{
  guint depth;

  GST_OBJECT_LOCK (self);
  depth = self->priv->settings.async_depth;
  GST_OBJECT_UNLOCK (self);
  return depth;
}

gboolean
gst_gpu_filter_is_current (const GstGpuFilterPrivate * priv,
    GstGpuAllocator * allocator)
{
  return !allocator || GST_ALLOCATOR (allocator) == priv->allocator;
}

gchar *
gst_gpu_filter_describe_device_and_time (const GstGpuFilterPrivate * priv)
{
  const GpuDeviceInfo *info;

  if (!priv->device)
    return NULL;
  info = gpu_device_get_info (priv->device);
  return g_strdup_printf ("device \"%s\" (%s), after %" G_GUINT64_FORMAT
      " frames", info->name, info->uuid, priv->counters.frames);
}

void
gst_gpu_filter_add_stream_counts (GpuStreamCounts * sum, GpuStream * stream)
{
  GpuStreamCounts counts;

  gpu_stream_get_counts (stream, &counts);
  sum->slot_waits += counts.slot_waits;
  sum->pacer_waits += counts.pacer_waits;
  sum->part_waits += counts.part_waits;
  sum->builds += counts.builds;
}
