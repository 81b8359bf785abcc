/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The private state of a filter, for the files of the base class only. */
#pragma once

#include "gst/common/gstgpuprogress.h"
#include "gst/memory/gstgpumemory.h"
#include "gstgpufilterclass.h"
#include "gstgpufilterlatency.h"
#include "gstgpufilterrepeat.h"
#include "gstgpufiltersettings.h"

G_BEGIN_DECLS

/* Counters since the start. */
typedef struct
{
  guint64 frames, dropped, copied, uploads, downloads;
  GpuStreamCounts of_streams;   /* of streams before the current one */
  guint64 waits_for_result, waits_for_readers;
  gboolean told_of_bad_frame;   /* the warning has been posted */
  guint recoveries;             /* losses in a row, with few frames in between */
  guint64 frames_before;        /* value of frames at the last of them */
} GstGpuFilterCounters;

struct _GstGpuFilterPrivate
{
  /* The device is open from READY on; the stream and the allocator exist from start to
   * stop. Hold the object lock to change these three, and to read them on other threads
   * than the streaming thread. */
  GpuDevice *device;
  GpuStream *stream;
  GstAllocator *allocator;

  /* Used by the streaming thread. */
  GstVideoInfo in_info, out_info;
  gboolean is_prepared;         /* the subclass is prepared for these infos */
  GstCaps *foreign;             /* caps of frames that can only pass, else NULL; there are
                                   no infos and pools for these */
  GstBufferPool *staging;       /* for copies of input that shaders cannot use */
  GstGpuFilterRepeat repeat;    /* the last of these copies */
  GstBufferPool *output;        /* NULL for frames that are too large for the device */

  /* Properties of the next element. */
  gboolean next_reads_device;   /* it uses the device side: no download is needed */
  gboolean next_knows_layouts;  /* it supports GstVideoMeta */
  gboolean next_knows_crops;    /* it supports GstVideoCropMeta */
  guint next_holds;             /* minimum number of frames that it holds */

  gboolean passes;              /* the current frame passes unchanged */
  const gchar *ignored;         /* describe_ignored() for the current frame, or NULL */
  const gchar *told_ignored;    /* the last of these texts that was posted since the
                                   start or gst_gpu_filter_warn_again(), or NULL */
  gint asks;                    /* atomic: upstream is being asked for caps with which no
                                   property is ignored */

  gint flushing, stopping;      /* atomic; either cancels the current frame */
  GstGpuProgress builds;        /* of the kernels that the current frame waits for */
  GstGpuProgress parts;         /* of the current frame */

  /* Protected by the object lock. */
  GstGpuFilterSettings settings;
  GstGpuFilterCounters counters;
  GstGpuFilterLatency latency;
  gsize engine_memory;          /* bytes */
  gboolean started;             /* the device must not change */
  gboolean failed;              /* an error has been posted */
  gboolean told_of_loss;        /* the loss of this device has been posted */
};

GST_DEBUG_CATEGORY_EXTERN (gst_gpu_filter_debug);

/* Returns the property async-depth. Takes the object lock. */
guint gst_gpu_filter_get_async_depth (GstGpuFilter * self);

/* Returns whether @allocator is the current one, and not one of an earlier run or of a
 * replaced device. NULL counts as current. The caller holds the object lock. */
gboolean gst_gpu_filter_is_current (const GstGpuFilterPrivate * priv,
    GstGpuAllocator * allocator);

/* Returns the device and the number of frames as debug text for a message; NULL without a
 * device. The caller frees it and holds the object lock. */
gchar *gst_gpu_filter_describe_device_and_time (const GstGpuFilterPrivate *
    priv);

/* Adds the counts of @stream to @sum. Thread safe. */
void gst_gpu_filter_add_stream_counts (GpuStreamCounts * sum,
    GpuStream * stream);

G_END_DECLS
