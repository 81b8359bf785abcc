/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpufilterstats.h"

#include "gstgpufilterprivate.h"

static void
add_device_stats (GstStructure * stats, GpuDevice * device)
{
  const GpuDeviceInfo *info = gpu_device_get_info (device);

  gst_structure_set (stats,
      "device", G_TYPE_STRING, info->name,
      "device-uuid", G_TYPE_STRING, info->uuid,
      "unified-memory", G_TYPE_BOOLEAN, gpu_device_has_unified_memory (device),
      "memory", G_TYPE_UINT64, gpu_device_get_allocated (device), NULL);
}

/* @counts: of earlier streams. */
static void
add_stream_stats (GstStructure * stats, GpuStream * stream,
    GpuStreamCounts counts)
{
  GpuTimings timings;
  GValue stages = G_VALUE_INIT;

  gst_gpu_filter_add_stream_counts (&counts, stream);
  gpu_stream_get_timings (stream, &timings);
  /* For who asks again. */
  gpu_stream_time_next_frame (stream);
  g_value_init (&stages, GST_TYPE_ARRAY);
  for (guint i = 0; i < timings.n_stages; i++) {
    const GpuStageTime *stage = &timings.stages[i];
    GValue value = G_VALUE_INIT;

    g_value_init (&value, GST_TYPE_STRUCTURE);
    g_value_take_boxed (&value, gst_structure_new ("stage",
            "name", G_TYPE_STRING, stage->name,
            "dispatches", G_TYPE_UINT, stage->dispatches,
            "time", G_TYPE_UINT64, stage->total,
            "longest", G_TYPE_UINT64, stage->longest, NULL));
    gst_value_array_append_and_take_value (&stages, &value);
  }
  gst_structure_take_value (stats, "stages", &stages);
  gst_structure_set (stats,
      "frame-time", G_TYPE_UINT64, timings.span,
      "submissions", G_TYPE_UINT, timings.submissions,
      "longest-submission", G_TYPE_UINT64, timings.longest_submission,
      "longest-dispatch", G_TYPE_UINT64, timings.longest_dispatch,
      "waits-for-slot", G_TYPE_UINT64, counts.slot_waits,
      "waits-for-pacer", G_TYPE_UINT64, counts.pacer_waits,
      "waits-for-part", G_TYPE_UINT64, counts.part_waits,
      "builds-within-frames", G_TYPE_UINT64, counts.builds, NULL);
}

GstStructure *
gst_gpu_filter_collect_stats (GstGpuFilter * self)
{
  GstGpuFilterClass *klass = GST_GPU_FILTER_GET_CLASS (self);
  GstGpuFilterPrivate *priv = self->priv;
  GstStructure *stats = gst_structure_new_empty ("stats");
  GpuDevice *device;
  GpuStream *stream;
  GstGpuFilterCounters counters;
  guint64 memory;

  GST_OBJECT_LOCK (self);
  counters = priv->counters;
  device = priv->device ? gpu_device_ref (priv->device) : NULL;
  stream = priv->stream ? gpu_stream_ref (priv->stream) : NULL;
  memory = priv->engine_memory;
  if (priv->allocator)
    memory += gst_gpu_allocator_get_held (GST_GPU_ALLOCATOR (priv->allocator));
  GST_OBJECT_UNLOCK (self);

  gst_structure_set (stats,
      "element-memory", G_TYPE_UINT64, memory,
      "frames", G_TYPE_UINT64, counters.frames,
      "dropped", G_TYPE_UINT64, counters.dropped,
      "frames-copied", G_TYPE_UINT64, counters.copied,
      "uploads", G_TYPE_UINT64, counters.uploads,
      "downloads", G_TYPE_UINT64, counters.downloads,
      "waits-for-result", G_TYPE_UINT64, counters.waits_for_result,
      "waits-for-readers", G_TYPE_UINT64, counters.waits_for_readers, NULL);
  if (device)
    add_device_stats (stats, device);
  if (stream)
    add_stream_stats (stats, stream, counters.of_streams);
  g_clear_pointer (&device, gpu_device_unref);
  g_clear_pointer (&stream, gpu_stream_unref);
  if (klass->fill_stats)
    klass->fill_stats (self, stats);
  return stats;
}

void
gst_gpu_filter_install_stats (GObjectClass * object_class)
{
  /**
   * GstGpuFilter:stats:
   *
   * From READY on `device` and `device-uuid`, strings; `unified-memory`,
   * whether the device's memory is the CPU's too, so that no frame is copied;
   * `memory`, bytes that the driver gave to all elements that share the device;
   * `element-memory`, bytes of it that frames made by this element and its engine
   * take up.
   *
   * Counted since the start: `frames` that were processed; those that were
   * `dropped`, as they contradict their caps, cannot be mapped, or were lost with the
   * device; `frames-copied` by the CPU, as their memory or layout was of no use;
   * `uploads` and `downloads` of whole frames; times that somebody waited:
   * `waits-for-slot`, a new frame for an older one, as #GstGpuFilter:async-depth wants it;
   * `waits-for-pacer`, a frame with too much work for one submission, for the part before;
   * `waits-for-part`, a frame that goes on by what a part of it found, for that part;
   * `waits-for-result`, who maps an output for the device;
   * `waits-for-readers`, who writes to an input again for the device.
   * `builds-within-frames`: pipelines that were built while a frame was recorded, which
   * waited for them. Where another device takes the place of a lost one, counts go on.
   *
   * Of the newest frame that is known to be done, in ns, 0 on a device without
   * timestamps: `frame-time` from its first command to its last,
   * `longest-submission`, `longest-dispatch` (or fill or copy); also the number
   * of `submissions`, and `stages`: an array of structures with `name`,
   * `dispatches`, `time`, and `longest`, the time of the longest dispatch of this
   * stage. `time`, `longest` and `longest-dispatch` are of an earlier frame where
   * the newest did not have its commands timed one by one: every 32nd has, and
   * the one after this property was read.
   *
   * Subclasses add fields of their own.
   */
  g_object_class_install_property (object_class, GST_GPU_FILTER_PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Device, counters since the start, and times of a recent frame",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}
