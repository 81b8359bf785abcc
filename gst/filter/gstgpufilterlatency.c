/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpufilterprivate.h"

#define GST_CAT_DEFAULT gst_gpu_filter_debug

/* Sinks expect all elements together to take some time for each frame: 15 ms of video (the
 * processing-deadline of GstVideoSink). Within this, other latencies gain nothing. */
#define EXPECTED (10 * GST_MSECOND)

/* A few frames take longer while shaders are compiled or the machine is busy. */
#define MIN_LONGER 8

/* A margin, so that few frames take longer than told. Latencies are multiples of a step, so that
 * another one is told rarely: each time, sinks may skip or repeat a frame. */
#define MARGIN(time) ((time) / 4)
#define STEP (5 * GST_MSECOND)

/* What takes longer is not live. */
#define MAX_TOLD GST_SECOND

gboolean
gst_gpu_filter_latency_note (GstGpuFilterLatency * latency, guint64 frame,
    GstClockTime time)
{
  if (frame == latency->frame)
    return FALSE;
  latency->frame = frame;
  if (time <= MAX (latency->told, EXPECTED) || latency->told >= MAX_TOLD) {
    latency->n_longer = 0;
    return FALSE;
  }
  latency->shortest = latency->n_longer > 0 ? MIN (latency->shortest, time)
      : time;
  if (++latency->n_longer < MIN_LONGER)
    return FALSE;
  time = latency->shortest + MARGIN (latency->shortest);
  latency->told = MIN (gst_util_uint64_scale_ceil (time, 1, STEP) * STEP,
      MAX_TOLD);
  latency->n_longer = 0;
  return TRUE;
}

/* Looks at the newest frame that is done. */
void
gst_gpu_filter_update_latency (GstGpuFilter * self)
{
  GstGpuFilterPrivate *priv = self->priv;
  GpuTimings timings;
  GstClockTime told;
  gboolean changes;

  gpu_stream_get_timings (priv->stream, &timings);
  GST_OBJECT_LOCK (self);
  changes = gst_gpu_filter_latency_note (&priv->latency, timings.frame,
      timings.span);
  told = priv->latency.told;
  GST_OBJECT_UNLOCK (self);
  if (!changes)
    return;
  GST_INFO_OBJECT (self, "frames take longer than live sinks expect: a latency "
      "of %" GST_TIME_FORMAT, GST_TIME_ARGS (told));
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_latency (GST_OBJECT (self)));
}

void
gst_gpu_filter_add_latency (GstGpuFilter * self, GstQuery * query)
{
  GstClockTime min, max, told;
  gboolean is_live;

  GST_OBJECT_LOCK (self);
  told = self->priv->latency.told;
  GST_OBJECT_UNLOCK (self);
  gst_query_parse_latency (query, &is_live, &min, &max);
  if (!is_live)
    return;
  if (GST_CLOCK_TIME_IS_VALID (max))
    max += told;
  gst_query_set_latency (query, is_live, min + told, max);
}
