/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state of a filter, which the files of the base class share. Not for subclasses. */
#pragma once

#include "gst/memory/gstgpumemory.h"
#include "gstgpufilterclass.h"
#include "gstgpufiltersettings.h"

G_BEGIN_DECLS

/* Since the start. */
typedef struct
{
  guint64 frames, dropped, copied, uploads, downloads;
  GpuStreamCounts of_streams;   /* before this one */
  guint64 waits_for_result, waits_for_readers;
  gboolean told_of_bad_frame;
  guint recoveries;             /* in a row: with few frames in between */
  guint64 frames_before;        /* the last of them */
} GstGpuFilterCounters;

struct _GstGpuFilterPrivate
{
  /* The device is open from READY on, the rest is there from start to stop.
   * The object lock is held to change these three, and by other threads to look
   * at them. */
  GpuDevice *device;
  GpuStream *stream;
  GstAllocator *allocator;

  /* Of the streaming thread. */
  GstVideoInfo in_info, out_info;
  gboolean is_prepared;         /* the subclass, for these */
  GstCaps *foreign;             /* of frames that can only pass, which have none of
                                   all this; else NULL */
  GstBufferPool *staging;       /* for input that cannot be used in place */
  GstBufferPool *output;        /* NULL for frames too large for the device */

  /* What comes next. */
  gboolean next_reads_device;   /* so that no frame needs a download */
  gboolean next_knows_layouts;  /* GstVideoMeta */
  gboolean next_knows_crops;    /* GstVideoCropMeta */
  guint next_holds;             /* frames, at least */

  gboolean passes;              /* the frame at hand, unchanged */
  const gchar *ignored;         /* of that, a text of describe_ignored() or NULL */
  const gchar *told_ignored;    /* the last of these that was posted since the
                                   start, or NULL */
  gint asks;                    /* atomic: upstream, for frames of which nothing is
                                   ignored */

  gint flushing, stopping;      /* atomic; either ends the frame at hand */

  /* With the object lock. */
  GstGpuFilterSettings settings;
  GstGpuFilterCounters counters;
  gsize engine_memory;          /* bytes */
  gboolean started;             /* the device stays the same */
  gboolean failed;
  gboolean told_of_loss;        /* of this device */
};

GST_DEBUG_CATEGORY_EXTERN (gst_gpu_filter_debug);

guint gst_gpu_filter_get_async_depth (GstGpuFilter * self);

/* Whether @allocator is neither of an earlier run nor of a device that was replaced;
 * NULL is current. With the object lock. */
gboolean gst_gpu_filter_is_current (const GstGpuFilterPrivate * priv,
    GstGpuAllocator * allocator);

/* Where and when something went wrong, for developers; NULL without a device. With the
 * object lock. */
gchar *gst_gpu_filter_describe_device_and_time (const GstGpuFilterPrivate *
    priv);

/* Adds what @stream counted so far. Any thread. */
void gst_gpu_filter_add_stream_counts (GpuStreamCounts * sum,
    GpuStream * stream);

G_END_DECLS
