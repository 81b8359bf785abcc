/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the base class share; not for subclasses. */
#pragma once

#include "gst/common/gstgpuprogress.h"
#include "gst/common/gstgpuproperties.h"
#include "gst/memory/gstgpudmabufs.h"
#include "gst/memory/gstgpuport.h"
#include "gstgpufilter.h"

G_BEGIN_DECLS

/* --- properties (gstgpufiltersettings.c) --- */

/* What happens to the stream when the device is lost. */
typedef enum
{
  GST_GPU_FILTER_ON_DEVICE_LOST_ERROR,
  GST_GPU_FILTER_ON_DEVICE_LOST_RECOVER,
} GstGpuFilterOnDeviceLost;

typedef struct
{
  gchar *selector;              /* of the device, see gpu_device_open() */
  guint async_depth;
  GstGpuFilterOnDeviceLost on_device_lost;
} GstGpuFilterSettings;

/* Each is stored in a member of GstGpuFilterSettings, except "stats". */
extern const GstGpuProperty gst_gpu_filter_properties[];

/* --- latency (gstgpufilterlatency.c) ---
 *
 * The latency that live sinks are told. A live sink shows a frame when it is due, plus the
 * latency of all elements; a frame that is not done by then is late. */

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

/* If frames take the device longer than sinks expect, posts GST_MESSAGE_LATENCY, so that the
 * application has latencies distributed again. Of the streaming thread. */
void gst_gpu_filter_update_latency (GstGpuFilter * self);

/* Adds the latency of this element to the answer of the element before. */
void gst_gpu_filter_add_latency (GstGpuFilter * self, GstQuery * query);

/* --- frames that come again (gstgpufilterside.c) ---
 *
 * Recognises an input frame that comes again, as a still picture does, so that its copy in
 * memory of the device serves again. */

/* The last frame that was copied. Zeroed: none. */
typedef struct
{
  gconstpointer memory;         /* where it lay; only compared */
  guint sightings;              /* how often it came in a row */
  GpuFrameInfo layout;          /* and how */
  GstBuffer *held;              /* has this memory, so that nobody writes it; NULL: it
                                   has not come often enough */
  GstBuffer *copy;              /* NULL if none is held */
} GstGpuFilterRepeat;

/* Forgets the frame and gives its memory back. */
void gst_gpu_filter_repeat_clear (GstGpuFilterRepeat * repeat);

/* --- the private state --- */

/* Counters since the start. */
typedef struct
{
  guint64 frames, dropped, copied, uploads, downloads;
  GpuStreamCounts of_streams;   /* of streams before the current one */
  guint64 waits_for_result, waits_for_readers;
  gboolean told_of_bad_frame;   /* the warning has been posted */
  gboolean told_of_copies;      /* the same, of a port without a device */
  guint recoveries;             /* losses in a row, with few frames in between */
  guint64 frames_before;        /* value of frames at the last of them */
} GstGpuFilterCounters;

struct _GstGpuFilterPrivate
{
  /* The device is open from READY on, but if it was adopted, not from a stop to the next start.
   * The stream and the allocator exist from start to stop. Hold the object lock to change these
   * three, and to read them on other threads than the streaming thread. */
  GpuDevice *device;
  GpuStream *stream;
  GstAllocator *allocator;

  /* Used by the streaming thread. */
  GstVideoInfo in_info, out_info;
  GstGpuLink *link;             /* to the port; NULL in system memory, and if it failed */
  GpuBuffer *port_frames[2];    /* the input and the output, where shaders use what they are
                                   copied from and to: memory of ports, and dma-bufs; NULL
                                   until a frame needs them */
  gboolean output_frame_is_clear;       /* the second was filled with zeros */
  gboolean is_prepared;         /* the subclass is prepared for these infos */
  GstCaps *foreign;             /* caps of frames that can only pass, else NULL; there are
                                   no infos and pools for these */
  GstBufferPool *staging[2];    /* for input that shaders cannot read, and output that they cannot
                                   write, which the CPU copies */
  GstGpuFilterRepeat repeat;    /* the last of these copies */
  GstBuffer *lent;              /* input that the device may still read; NULL: none */
  GstBufferPool *output;        /* NULL for frames that are too large for the device */
  gboolean has_left_pool;       /* output was from a pool of downstream, which was of no use */

  /* Properties of the next element. */
  gboolean next_reads_device;   /* it uses the device side: no download is needed */
  gboolean next_knows_layouts;  /* it supports GstVideoMeta */
  gboolean next_knows_crops;    /* it supports GstVideoCropMeta */
  guint next_holds;             /* minimum number of frames that it holds */
  GstAllocationParams next_params;      /* what it asks for, as far as the allocator has it */

  gboolean passes;              /* the current frame passes unchanged */
  const gchar *ignored;         /* describe_ignored() for the current frame, or NULL */
  const gchar *told_ignored;    /* the last of these texts that was posted since the
                                   start or gst_gpu_filter_warn_again(), or NULL */
  gint asks;                    /* atomic: upstream is being asked for caps with which no
                                   property is ignored */

  gint flushing, stopping;      /* atomic; either cancels the current frame */
  GstGpuProgress builds;        /* of the kernels that the current frame waits for */
  GstGpuProgress parts;         /* of the current frame */

  /* Changed by the streaming thread, which alone may read it without the object lock. */
  const GstGpuPort *port;       /* of the caps of the input and of the output */
  const gchar *in_memory, *out_memory;  /* of the newest frame that was worked on, or before it
                                   of the caps; static */

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

/* Adds the counts of @stream to @sum. Thread safe. */
void gst_gpu_filter_add_stream_counts (GpuStreamCounts * sum,
    GpuStream * stream);

/* --- statistics (gstgpufiltersettings.c) --- */

/* Returns the value of "stats" as a new structure, which the caller owns. Thread safe. */
GstStructure *gst_gpu_filter_collect_stats (GstGpuFilter * self);

/* --- the device and the stream (gstgpufilterstream.c) --- */

/* Opens a device, unless one is open and not lost. Errors: see gpu_device_open(). */
gboolean gst_gpu_filter_open_device (GstGpuFilter * self, GError ** error);
/* Drops the reference to the device. */
void gst_gpu_filter_close_device (GstGpuFilter * self);

/* Replaces the device with that of @context, unless the filter has no device or has been
 * started. */
void gst_gpu_filter_take_device_of (GstGpuFilter * self, GstContext * context);

/* Returns whether the current frame is cancelled. @filter: a GstGpuFilter. */
gboolean gst_gpu_filter_is_cancelled (gpointer filter);

/* The progress of the kernels that a frame waits for. */
extern const GstGpuProgressKind gst_gpu_filter_builds;

/* The progress of a frame that takes long. */
extern const GstGpuProgressKind gst_gpu_filter_parts;

/* Creates the stream and the allocator, on another device if the current one is lost. On
 * failure nothing changes. Errors: see gpu_device_open(). */
gboolean gst_gpu_filter_open_stream (GstGpuFilter * self, GError ** error);
/* Changes to the device on which the frames of the port lie, or from such a device to one of its
 * own. If no device shares memory with the port, posts a warning. Errors: see connect of
 * GstGpuPort, and gpu_device_open(). */
gboolean gst_gpu_filter_follow_port (GstGpuFilter * self, GError ** error);
/* Does the same if that failed before: while frames pass, it need not work. Allocation is
 * negotiated again then. */
gboolean gst_gpu_filter_ensure_at_port (GstGpuFilter * self,
    GError ** error);
/* If the device is lost, has nobody wait for frames of the port any more. Thread safe. */
void gst_gpu_filter_unblock (GstGpuFilter * self);
/* Returns whether the device is one on which the frames of the port can be. */
gboolean gst_gpu_filter_is_at_port (GstGpuFilter * self);
/* Releases the stream, the link to the port, the allocator, the pools and the subclass's
 * objects. Frames that are still in use keep references to what they need. */
void gst_gpu_filter_release_stream (GstGpuFilter * self);

/* If the device is lost and the stream survives that, opens another device. Returns TRUE
 * also if the device is fine, and if the loss ends the stream: then the frame fails later.
 * Returns FALSE with @error set if no device can be opened; see gpu_device_open(). */
gboolean gst_gpu_filter_replace_lost_device (GstGpuFilter * self,
    GError ** error);

/* --- errors and lost devices (gstgpufiltererror.c) --- */

/* Allows the next error to be posted. */
void gst_gpu_filter_forget_errors (GstGpuFilter * self);

/* Counts an input frame that is dropped. */
void gst_gpu_filter_count_dropped (GstGpuFilter * self);
/* Counts an invalid input frame that is dropped. Posts @error, the reason, as a warning
 * for the first such frame since the start. */
void gst_gpu_filter_note_bad_frame (GstGpuFilter * self,
    const GError * error);

/* Call this after a failure. Returns whether the device is lost and the stream survives
 * that; the next frame then gets another device. Posts one warning per loss. @error: logged
 * only. @allocator: allocator of the memory that could not be mapped; NULL for other
 * failures. */
gboolean gst_gpu_filter_survives (GstGpuFilter * self,
    GstGpuAllocator * allocator, const GError * error);

/* Counts a lost device that is being replaced. */
void gst_gpu_filter_count_recovery (GstGpuFilter * self);

/* Replaces *@error with GPU_ERROR_LOST if the device is lost: many Vulkan calls cannot
 * report the loss and return another error. Call this on the streaming thread. */
void gst_gpu_filter_name_loss (GstGpuFilter * self, GError ** error);

/* --- caps (gstgpufiltercaps.c) ---
 *
 * Negotiation of caps. The filter offers the caps that it supports with the current
 * property values. If there is nothing to do, it offers all other caps after these. */

/* Implements transform_caps of GstBaseTransformClass. */
GstCaps *gst_gpu_filter_transform_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter);

/* Returns whether the filter can process frames with these fixed caps of the sink pad, with
 * some property values. Other frames are foreign: they can only pass. */
gboolean gst_gpu_filter_can_work_on (GstGpuFilter * self, GstCaps * caps);

/* Restricts the answer to a caps query on the pad in @direction to caps that can be
 * processed or passed. Without a peer on the other pad the answer is the template. */
void gst_gpu_filter_narrow_caps (GstGpuFilter * self,
    GstPadDirection direction, GstQuery * query);

/* Call this for each frame on the streaming thread. If a property value does not apply to
 * the frame, asks upstream for other caps. If upstream cannot or does not provide them,
 * posts a warning: not again for the same reason in succession, unless
 * gst_gpu_filter_warn_again() asks for it. */
void gst_gpu_filter_note_ignored (GstGpuFilter * self);

/* --- buffer pools (gstgpufilterallocation.c) --- */

/* Returns the maximum size in bytes of the memory of a frame. */
gsize gst_gpu_filter_get_most (GstGpuFilter * self, const GstVideoInfo * info);
/* Returns whether a frame of this size is allowed; FALSE with @error set (TOO_LARGE) if
 * not. */
gboolean gst_gpu_filter_check_size (GstGpuFilter * self,
    const GstVideoInfo * info, GError ** error);

/* Returns the minimum number of buffers of a pool: one more than frames can be in flight,
 * so that the frame being filled never waits for an older one. */
guint gst_gpu_filter_get_min_buffers (GstGpuFilter * self);

/* Implement propose_allocation and decide_allocation of GstBaseTransformClass. */
gboolean gst_gpu_filter_propose_allocation (GstBaseTransform * trans,
    GstQuery * decide_query, GstQuery * query);
gboolean gst_gpu_filter_decide_allocation (GstBaseTransform * trans,
    GstQuery * query);

/* Returns whether output frames are written into memory of downstream. */
gboolean gst_gpu_filter_fills_their_pool (GstGpuFilter * self);

/* Implements prepare_output_buffer of GstBaseTransformClass. Sets @outbuf to @inbuf itself
 * if the frame is foreign; also if it @may_stay where it lies, and downstream can use its
 * layout. */
GstFlowReturn gst_gpu_filter_get_output (GstGpuFilter * self,
    GstBuffer * inbuf, gboolean may_stay, GstBuffer ** outbuf);

/* --- the sides of a frame (gstgpufilterside.c) ---
 *
 * How a frame comes to where shaders use it, and leaves. */

/* Which memory a buffer has. */
typedef enum
{
  GST_GPU_FILTER_SIDE_DIRECT,   /* of this plugin: shaders use it as it is */
  GST_GPU_FILTER_SIDE_DMABUFS,
  GST_GPU_FILTER_SIDE_PORT,
  GST_GPU_FILTER_SIDE_COPIED,   /* of a port, and copied by the CPU */
} GstGpuFilterSideKind;

/* The input or the output of a frame; zeroed at first. */
typedef struct
{
  GstGpuFilterSideKind kind;
  GstBuffer *buffer;            /* used by the shaders, or copied from or to what they use by the
                                   device; of the input, a reference */
  GstBuffer *target;            /* of an output that the CPU copies, or NULL; "buffer" is a
                                   reference then */
  GstGpuDmabufs dmabufs;        /* of the buffer, or empty */
  GpuFrame frame;               /* what they use; frame.buffer is set while recording */
  GstGpuAccess access;          /* access to memory of this plugin while recording */
} GstGpuFilterSide;

/* Gives back the memory of upstream that is held: waits until the device does not read it. */
void gst_gpu_filter_give_back (GstGpuFilter * self);
/* Does so with dma-bufs alone. */
void gst_gpu_filter_return_lent (GstGpuFilter * self);

/* Releases port_frames, the buffers. */
void gst_gpu_filter_release_port_frames (GstGpuFilter * self);

/* Returns whether the frame in @buffer may become the output where it lies: the subclass works
 * in place, nobody else has the frame, and all its metas stay true; it is not cropped then. */
gboolean gst_gpu_filter_may_write (GstGpuFilter * self, GstBuffer * buffer);

/* Returns whether downstream can use @buffer, as far as its memory is concerned: it is not memory
 * of this plugin under caps of other memory, unless downstream is of this plugin, too. */
gboolean gst_gpu_filter_fits_port (GstGpuFilter * self, GstBuffer * buffer);
/* Returns whether the CPU copies frames from @buffer, or to it: it is memory of a port without a
 * device. */
gboolean gst_gpu_filter_is_copied_by_cpu (GstGpuFilter * self,
    GstBuffer * buffer);
/* Returns whether the frame in @buffer needs the device: it does not pass, or needs to be copied to
 * memory of the port. */
gboolean gst_gpu_filter_needs_device (GstGpuFilter * self, GstBuffer * buffer);

/* Returns whether the device can write an output frame to @buffer, of a pool of downstream. Waits
 * until other devices do not use it. Returns FALSE with @error set otherwise; CANCELLED if the
 * stream is flushing or stopping. */
gboolean gst_gpu_filter_can_fill (GstGpuFilter * self, GstBuffer * buffer,
    GError ** error);

/* Find out how the frame in @buffer comes and leaves; the CPU copies an input that nothing else
 * can read. Return FALSE with @error set on failure. @buffer of the output must come from the
 * output pool, or be that of the input. */
gboolean gst_gpu_filter_ready_input (GstGpuFilter * self, GstBuffer * buffer,
    GstGpuFilterSide * in, GError ** error);
gboolean gst_gpu_filter_ready_output (GstGpuFilter * self, GstBuffer * buffer,
    GstGpuFilterSide * out, GError ** error);
/* Both sides are ready: record what brings the input to where shaders use it, and, when the output
 * is written there, what brings it to its buffer. Return FALSE with @error set on failure. */
gboolean gst_gpu_filter_begin_sides (GstGpuFilter * self,
    GstGpuFilterSide * in, GstGpuFilterSide * out, GError ** error);
gboolean gst_gpu_filter_end_output (GstGpuFilter * self,
    GstGpuFilterSide * out, GError ** error);
/* Call these after the submission, the first also if a later part of the frame failed: holds the
 * input, if it is of dma-bufs; waits, if those who read the output cannot. */
void gst_gpu_filter_lend (GstGpuFilter * self, const GstGpuFilterSide * in);
gboolean gst_gpu_filter_finish_output (GstGpuFilter * self,
    const GstGpuFilterSide * out, const GpuTicket * ticket, GError ** error);
/* Ends the accesses. @ticket: of the submission; NULL if there is none. */
void gst_gpu_filter_end_sides (GstGpuFilter * self, GstGpuFilterSide * in,
    GstGpuFilterSide * out, const GpuTicket * ticket);
void gst_gpu_filter_clear_sides (GstGpuFilterSide * in,
    GstGpuFilterSide * out);

/* Returns the memory of @side as "stats" says it. Static. */
const gchar *gst_gpu_filter_name_memory (GstGpuFilter * self,
    const GstGpuFilterSide * side);

/* --- frames (gstgpufilterframe.c) --- */

/* Initialises the debug category. Call this once before any frame. */
void gst_gpu_filter_init_frames (void);

/* Sets the video infos and the port of the next frames. If these are other frames than before,
 * releases the pools and marks the subclass as not prepared. */
void gst_gpu_filter_set_infos (GstGpuFilter * self, const GstVideoInfo * in,
    const GstVideoInfo * out, const GstGpuPort * port);

/* Releases the pools of copies and of output, and port_frames. */
void gst_gpu_filter_release_pools (GstGpuFilter * self);

/* Sets the port of the next frames, also for "stats". */
void gst_gpu_filter_set_port (GstGpuFilter * self, const GstGpuPort * port);

/* Returns the API of metas by which others wait for frames in memory of the port; G_TYPE_INVALID if
 * there is none. */
GType gst_gpu_filter_get_sync_api (GstGpuFilter * self);

/* Returns whether a meta with type @api of the input also describes the output. The output
 * has the same size and orientation, and the same colour space if the format is the same.
 * It has other memory, so metas such as GstVideoMeta are not copied. The output is already
 * cropped, so GstVideoCropMeta is not copied. It is not proposed upstream either, because
 * some crop rectangles need a copy. */
gboolean gst_gpu_filter_meta_stays_true (GstGpuFilter * self, GType api);

/* Prepares the subclass for the current caps if that is not done yet. Returns FALSE with
 * @error set on failure: TOO_LARGE, or an error of the subclass. */
gboolean gst_gpu_filter_ensure_prepared (GstGpuFilter * self,
    GError ** error);

/* Copies a frame with the CPU and counts it. Errors: see gst_gpu_frame_copy(). */
gboolean gst_gpu_filter_copy_frame (GstGpuFilter * self, GstBuffer * to,
    GstBuffer * from, const GstVideoInfo * info, GError ** error);

/* Records and submits the work of a frame, or its copy if it passes. Copies @inbuf first if
 * shaders cannot read it. @outbuf must come from the output pool, or be @inbuf, which may be
 * written. Returns FALSE with @error set on failure; CANCELLED if the stream is flushing or
 * stopping. */
gboolean gst_gpu_filter_work_on_frame (GstGpuFilter * self,
    GstBuffer * inbuf, GstBuffer * outbuf, GError ** error);

/* Handles the failure of the input frame @buffer: drops it, or posts an error. Returns the
 * flow of the element. */
GstFlowReturn gst_gpu_filter_fail_frame (GstGpuFilter * self,
    GstBuffer * buffer, const GError * error);

G_END_DECLS
