/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the base class share. Not for subclasses. */
#pragma once

#include "gst/memory/gstgpumemory.h"
#include "gstgpufilter.h"

G_BEGIN_DECLS

/* What becomes of the stream when the device is lost. */
typedef enum
{
  GST_GPU_FILTER_ON_DEVICE_LOST_ERROR,
  GST_GPU_FILTER_ON_DEVICE_LOST_RECOVER,
} GstGpuFilterOnDeviceLost;

/* Since the start. */
typedef struct
{
  guint64 frames, dropped, copied, uploads, downloads;
  guint64 waits_for_slot;       /* of streams before this one */
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
  gchar *selector;
  guint async_depth;
  GstGpuFilterOnDeviceLost on_device_lost;
  GstGpuFilterCounters counters;
  gsize engine_memory;          /* bytes */
  gboolean started;             /* the device stays the same */
  gboolean failed;
  gboolean told_of_loss;        /* of this device */
};

GST_DEBUG_CATEGORY_EXTERN (gst_gpu_filter_debug);

/* --- gstgpufilterdevice.c --- */

/* Unless there is a device that works. Errors: as of gpu_device_open(). */
gboolean gst_gpu_filter_open_device (GstGpuFilter * self, GError ** error);
void gst_gpu_filter_close_device (GstGpuFilter * self);

/* As of GstElementClass. */
void gst_gpu_filter_set_context (GstElement * element, GstContext * context);

/* Opens what frames need: stream and allocator, on another device where that which
 * is there was lost. Where this fails all stays as it was. Errors: as of
 * gpu_device_open(). */
gboolean gst_gpu_filter_open_stream (GstGpuFilter * self, GError ** error);
/* Whether the stream was to outlive losses, but there were too many: @error says so. On
 * the streaming thread. */
gboolean gst_gpu_filter_gives_up (GstGpuFilter * self, GError ** error);
/* Where the device was lost, and the stream outlives it, opens another. Also TRUE where
 * the loss is to end the stream: then the frame fails. Errors: as of gpu_device_open(). */
gboolean gst_gpu_filter_replace_lost_device (GstGpuFilter * self,
    GError ** error);
/* Whether a loss of the device is no end of the stream. With the object lock. */
gboolean gst_gpu_filter_may_recover (const GstGpuFilterPrivate * priv);
/* Gives up all that was made on the device for frames to come. Frames that are
 * still around keep what they need. */
void gst_gpu_filter_release_stream (GstGpuFilter * self);

/* --- gstgpufiltererror.c --- */

/* What went wrong before has no part in what goes wrong from now on. */
void gst_gpu_filter_forget_errors (GstGpuFilter * self);

/* Counts an input frame that is dropped. */
void gst_gpu_filter_count_dropped (GstGpuFilter * self);
/* The same, and posts @error, which tells why, as
 * the one warning of that since the start. */
void gst_gpu_filter_note_bad_frame (GstGpuFilter * self,
    const GError * error);

/* Where work failed as the device was lost, @error says so from now on: many calls have
 * no result for that, and say something else. On the streaming thread. */
void gst_gpu_filter_name_loss (GstGpuFilter * self, GError ** error);

/* Whether @error, whatever it says, comes with a loss of the device that is no end of the
 * stream: then the next frame has another one. Posts the one warning of each loss. */
gboolean gst_gpu_filter_survives (GstGpuFilter * self, const GError * error);

/* A GstGpuMapNotify. */
void gst_gpu_filter_on_map_event (GstElement * owner,
    GstGpuAllocator * allocator, GstGpuMapEvent event, const GError * error);

/* --- gstgpufiltercaps.c --- */

/* As of GstBaseTransformClass. */
GstCaps *gst_gpu_filter_transform_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter);

/* Whether frames with these fixed caps of the sink pad can be more than passed,
 * whatever the properties are. */
gboolean gst_gpu_filter_can_work_on (GstGpuFilter * self, GstCaps * caps);

/* The answer to a query of the caps of the pad in @direction, which with no peer
 * behind it is the template, becomes what can be worked on, or passed. */
void gst_gpu_filter_narrow_caps (GstGpuFilter * self,
    GstPadDirection direction, GstQuery * query);

/* Where something is ignored of frames that flow: asks upstream for others, of which
 * nothing is, if there can be such and nobody else has these. Returns whether it did. On
 * the streaming thread. */
gboolean gst_gpu_filter_ask_for_others (GstGpuFilter * self);

/* --- gstgpufilterallocation.c --- */

/* Bytes of memory that a frame may be in. */
gsize gst_gpu_filter_get_most (GstGpuFilter * self, const GstVideoInfo * info);
/* Whether a frame of this size may. Errors: TOO_LARGE. */
gboolean gst_gpu_filter_check_size (GstGpuFilter * self,
    const GstVideoInfo * info, GError ** error);

/* One frame more than can be in flight: the one being filled then never waits
 * for an older one. */
guint gst_gpu_filter_get_min_buffers (GstGpuFilter * self);

/* Stops *@pool, gives it up, and sets it to NULL; it may be NULL. */
void gst_gpu_filter_release_pool (GstBufferPool ** pool);

void gst_gpu_filter_post_no_output (GstGpuFilter * self);

/* As of GstBaseTransformClass. */
gboolean gst_gpu_filter_propose_allocation (GstBaseTransform * trans,
    GstQuery * decide_query, GstQuery * query);
gboolean gst_gpu_filter_decide_allocation (GstBaseTransform * trans,
    GstQuery * query);

/* --- gstgpufilterframe.c --- */

/* Once, before any frame. */
void gst_gpu_filter_init_frames (void);

/* Builds what frames of the present caps need, unless it was done. Errors:
 * TOO_LARGE, and what the subclass says. */
gboolean gst_gpu_filter_ensure_prepared (GstGpuFilter * self,
    GError ** error);

/* Copies an input frame by the CPU, which is counted. Errors: as of
 * gst_gpu_frame_copy(). */
gboolean gst_gpu_filter_copy_frame (GstGpuFilter * self, GstBuffer * to,
    GstBuffer * from, GError ** error);

/* Submits the work on one frame; @inbuf is copied first where it cannot be read
 * in place. @outbuf: of the output pool. Errors: CANCELLED among others. */
gboolean gst_gpu_filter_work_on_frame (GstGpuFilter * self,
    GstBuffer * inbuf, GstBuffer * outbuf, GError ** error);

/* --- gstgpufilterstats.c --- */

/* The value of the property. A new structure; any thread. */
GstStructure *gst_gpu_filter_collect_stats (GstGpuFilter * self);

G_END_DECLS
