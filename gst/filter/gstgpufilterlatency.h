/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The latency that live sinks are told. A live sink shows a frame when it is due, plus the
 * latency of all elements; a frame that is not done by then is late. */
#pragma once

#include "gstgpufilterclass.h"

G_BEGIN_DECLS

/* Since the start. Protected by the object lock. */
typedef struct
{
  GstClockTime told;            /* 0: none */
  guint64 frame;                /* the newest frame whose time is noted */
  guint n_longer;               /* frames up to this one, in a row, that took longer than
                                   told */
  GstClockTime shortest;        /* of these */
} GstGpuFilterLatency;

/* Notes that the device took @time for @frame. Returns whether another latency is to be
 * told from now on. */
gboolean gst_gpu_filter_latency_note (GstGpuFilterLatency * latency,
    guint64 frame, GstClockTime time);

/* Looks at the newest frame that is done. If it takes the device longer than sinks expect,
 * posts GST_MESSAGE_LATENCY, so that the application has latencies distributed again. Of
 * the streaming thread. */
void gst_gpu_filter_update_latency (GstGpuFilter * self);

/* Adds the latency of this element to the answer of the element before. */
void gst_gpu_filter_add_latency (GstGpuFilter * self, GstQuery * query);

G_END_DECLS
