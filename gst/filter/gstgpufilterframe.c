/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpufilterprivate.h"

#include "gst/memory/gstgpubufferpool.h"
#include "gst/memory/gstgpuframe.h"

#include <string.h>

#define GST_CAT_DEFAULT gst_gpu_filter_debug

/* --- latency --- */

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

/* Looks at the newest frame that is done. If it takes the device longer than sinks expect,
 * posts GST_MESSAGE_LATENCY, so that the application has latencies distributed again. Of
 * the streaming thread. */
static void
update_latency (GstGpuFilter * self)
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

/* --- frames that come again --- */

/* How often memory comes in a row before it is held. A pool frees memory that comes back to
 * it while another buffer has it, and makes new memory. So frames that videorate shows twice,
 * and those that a source fills anew, are left alone. */
#define LEAST_SIGHTINGS 3

/* Notes that @buffer, of one memory, was copied to @copy. Nobody may write @copy. */
static void
note_repeat (GstGpuFilterRepeat * repeat, GstBuffer * buffer,
    const GpuFrameInfo * layout, GstBuffer * copy)
{
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  guint before = memory == repeat->memory ? repeat->sightings : 0;

  gst_gpu_filter_repeat_clear (repeat);
  repeat->memory = memory;
  repeat->sightings = before + 1;
  /* Memory that only this buffer has may be written once the buffer is gone. */
  if (repeat->sightings < LEAST_SIGHTINGS || gst_memory_is_writable (memory))
    return;
  repeat->layout = *layout;
  repeat->held = gst_buffer_new ();
  gst_buffer_append_memory (repeat->held, gst_memory_ref (memory));
  repeat->copy = gst_buffer_ref (copy);
}

void
gst_gpu_filter_repeat_clear (GstGpuFilterRepeat * repeat)
{
  gst_clear_buffer (&repeat->held);
  gst_clear_buffer (&repeat->copy);
  repeat->memory = NULL;
  repeat->sightings = 0;
}

/* --- frames --- */

/* GStreamer's category for avoidable costs. */
GST_DEBUG_CATEGORY_STATIC (performance);

void
gst_gpu_filter_init_frames (void)
{
  GST_DEBUG_CATEGORY_GET (performance, "GST_PERFORMANCE");
}

/* Returns whether both describe frames that are processed the same way. Frame rate and
 * pixel aspect ratio do not matter. */
static gboolean
describe_same_frames (const GstVideoInfo * a, const GstVideoInfo * b)
{
  return GST_VIDEO_INFO_FORMAT (a) == GST_VIDEO_INFO_FORMAT (b)
      && GST_VIDEO_INFO_WIDTH (a) == GST_VIDEO_INFO_WIDTH (b)
      && GST_VIDEO_INFO_HEIGHT (a) == GST_VIDEO_INFO_HEIGHT (b)
      && GST_VIDEO_INFO_INTERLACE_MODE (a) == GST_VIDEO_INFO_INTERLACE_MODE (b)
      && GST_VIDEO_INFO_CHROMA_SITE (a) == GST_VIDEO_INFO_CHROMA_SITE (b)
      && gst_video_colorimetry_is_equal (&GST_VIDEO_INFO_COLORIMETRY (a),
      &GST_VIDEO_INFO_COLORIMETRY (b));
}

void
gst_gpu_filter_set_infos (GstGpuFilter * self, const GstVideoInfo * in,
    const GstVideoInfo * out, const GstGpuPort * port)
{
  GstGpuFilterPrivate *priv = self->priv;

  if (port != priv->port || !describe_same_frames (&priv->in_info, in)
      || !describe_same_frames (&priv->out_info, out)) {
    gst_gpu_filter_repeat_clear (&priv->repeat);
    gst_gpu_buffer_pool_release (&priv->staging);
    gst_gpu_buffer_pool_release (&priv->output);
    gst_gpu_filter_release_port_frames (self);
    priv->is_prepared = FALSE;
  }
  priv->in_info = *in;
  priv->out_info = *out;
  gst_gpu_filter_set_port (self, port);
}

void
gst_gpu_filter_set_port (GstGpuFilter * self, const GstGpuPort * port)
{
  GST_OBJECT_LOCK (self);
  self->priv->port = port;
  GST_OBJECT_UNLOCK (self);
}

gboolean
gst_gpu_filter_meta_stays_true (GstGpuFilter * self, GType api)
{
  GstGpuFilterPrivate *priv = self->priv;
  const gchar *const *tags = gst_meta_api_type_get_tags (api);
  gboolean same_format = GST_VIDEO_INFO_FORMAT (&priv->in_info)
      == GST_VIDEO_INFO_FORMAT (&priv->out_info);

  if (api == GST_VIDEO_CROP_META_API_TYPE)
    return FALSE;
  for (; tags && *tags; tags++)
    if (!g_str_equal (*tags, GST_META_TAG_VIDEO_STR)
        && !g_str_equal (*tags, GST_META_TAG_VIDEO_SIZE_STR)
        && !g_str_equal (*tags, GST_META_TAG_VIDEO_ORIENTATION_STR)
        && !(g_str_equal (*tags, GST_META_TAG_VIDEO_COLORSPACE_STR)
            && same_format))
      return FALSE;
  return TRUE;
}

/* --- frames of ports --- */

void
gst_gpu_filter_release_port_frames (GstGpuFilter * self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->priv->port_frames); i++)
    g_clear_pointer (&self->priv->port_frames[i], gpu_buffer_unref);
}

/* One for the input and one for the output, as work is done in the order of frames. */
static gboolean
ensure_port_frames (GstGpuFilter * self, GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;
  const GstVideoInfo *infos[] = { &priv->in_info, &priv->out_info };

  if (gst_gpu_port_is_system (priv->port))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (infos); i++) {
    if (!priv->port_frames[i])
      priv->port_frames[i] = gpu_buffer_new_large (priv->device,
          GPU_BUFFER_DEVICE, GST_ROUND_UP_4 (GST_VIDEO_INFO_SIZE (infos[i])),
          "frame of a port", error);
    if (!priv->port_frames[i])
      return FALSE;
  }
  return TRUE;
}

/* --- preparation --- */

static void
note_engine_memory (GstGpuFilter * self)
{
  gsize memory = GST_GPU_FILTER_GET_CLASS (self)->get_memory (self);

  for (guint i = 0; i < G_N_ELEMENTS (self->priv->port_frames); i++)
    if (self->priv->port_frames[i])
      memory += gpu_buffer_get_size (self->priv->port_frames[i]);
  GST_OBJECT_LOCK (self);
  self->priv->engine_memory = memory;
  GST_OBJECT_UNLOCK (self);
}

gboolean
gst_gpu_filter_ensure_prepared (GstGpuFilter * self, GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;

  if (priv->is_prepared)
    return TRUE;
  priv->is_prepared = gst_gpu_filter_check_size (self, &priv->in_info, error)
      && gst_gpu_filter_check_size (self, &priv->out_info, error)
      && ensure_port_frames (self, error)
      && GST_GPU_FILTER_GET_CLASS (self)->prepare (self, priv->device,
      &priv->in_info, &priv->out_info, error);
  if (!priv->is_prepared)
    gst_gpu_filter_name_loss (self, error);
  note_engine_memory (self);
  return priv->is_prepared;
}

/* Returns whether @buffer is in memory that shaders can bind. */
static gboolean
is_on_device (GstGpuFilter * self, GstBuffer * buffer,
    const GstVideoInfo * info)
{
  GstMemory *memory;

  if (gst_buffer_n_memory (buffer) != 1)
    return FALSE;
  memory = gst_buffer_peek_memory (buffer, 0);
  return gst_gpu_memory_get_device (memory) == self->priv->device
      && memory->maxsize <= gst_gpu_filter_get_most (self, info);
}

static gboolean
ensure_staging (GstGpuFilter * self)
{
  GstGpuFilterPrivate *priv = self->priv;
  GstCaps *caps;

  if (priv->staging)
    return TRUE;
  caps = gst_video_info_to_caps (&priv->in_info);
  priv->staging = gst_gpu_buffer_pool_new_for_caps (priv->allocator, caps,
      gst_gpu_filter_get_min_buffers (self), FALSE);
  gst_caps_unref (caps);
  if (priv->staging && !gst_buffer_pool_set_active (priv->staging, TRUE))
    gst_gpu_buffer_pool_release (&priv->staging);
  return priv->staging != NULL;
}

gboolean
gst_gpu_filter_copy_frame (GstGpuFilter * self, GstBuffer * to,
    GstBuffer * from, GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;

  if (!gst_gpu_frame_copy (to, from, &priv->in_info, error))
    return FALSE;
  GST_CAT_LOG_OBJECT (performance, self, "a frame is copied by the CPU");
  GST_OBJECT_LOCK (self);
  priv->counters.copied++;
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}

/* Returns a copy of @buffer in memory of the device, or NULL with @error set. */
static GstBuffer *
copy_to_staging (GstGpuFilter * self, GstBuffer * buffer, GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;
  GstBuffer *copy = NULL;

  if (!ensure_staging (self) || gst_buffer_pool_acquire_buffer (priv->staging,
          &copy, NULL) != GST_FLOW_OK) {
    g_set_error_literal (error, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_NO_SPACE_LEFT, "There is no memory to copy an input "
        "frame to; use smaller frames or close other programs.");
    return NULL;
  }
  if (!gst_gpu_filter_copy_frame (self, copy, buffer, error)) {
    gst_buffer_unref (copy);
    return NULL;
  }
  return copy;
}

/* Returns a reference to @buffer if shaders can use it, else to a copy. Returns NULL with
 * @error set on failure. */
static GstBuffer *
get_readable (GstGpuFilter * self, GstBuffer * buffer, GpuFrameInfo * info,
    GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;
  GstGpuFilterRepeat *repeat = &priv->repeat;
  gboolean is_usable =
      gst_gpu_frame_info_from_buffer (info, buffer, &priv->in_info);
  GpuFrameInfo layout = *info;
  GstBuffer *copy;

  if (is_usable && is_on_device (self, buffer, &priv->in_info))
    return gst_buffer_ref (buffer);
  if (is_usable && repeat->held
      && gst_buffer_peek_memory (buffer, 0) == repeat->memory
      && memcmp (&layout, &repeat->layout, sizeof layout) == 0)
    copy = gst_buffer_ref (repeat->copy);
  else {
    copy = copy_to_staging (self, buffer, error);
    if (copy && is_usable)
      note_repeat (repeat, buffer, &layout, copy);
  }
  if (copy)
    gst_gpu_frame_info_from_buffer (info, copy, &priv->in_info);
  return copy;
}

/* Returns whether other elements may see the memory of @buffer. It is not written then. */
static gboolean
is_shared (GstBuffer * buffer)
{
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);

  return GST_MEMORY_IS_READONLY (memory) || !gst_memory_is_writable (memory);
}

gboolean
gst_gpu_filter_may_write (GstGpuFilter * self, GstBuffer * buffer)
{
  GstGpuFilterClass *klass = GST_GPU_FILTER_GET_CLASS (self);
  const GstVideoInfo *info = &self->priv->in_info;
  GpuFrameInfo layout;
  gpointer state = NULL;
  GstMeta *meta;

  if (!klass->works_in_place || !klass->works_in_place (self)
      || !is_on_device (self, buffer, info) || is_shared (buffer))
    return FALSE;
  while ((meta = gst_buffer_iterate_meta (buffer, &state)))
    if (!gst_gpu_filter_meta_stays_true (self, meta->info->api))
      return FALSE;
  return gst_gpu_frame_info_from_buffer (&layout, buffer, info);
}

/* Output comes from this element's pool, but a pad probe or an application can replace the
 * buffer or the pool. */
static gboolean
check_writable (GstGpuFilter * self, GstBuffer * buffer, GpuFrameInfo * info,
    GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;

  if (is_on_device (self, buffer, &priv->out_info) && !is_shared (buffer)
      && gst_gpu_frame_info_from_buffer (info, buffer, &priv->out_info))
    return TRUE;
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      "An output frame does not come from this element's own buffer pool, and "
      "\"%s\" cannot write it. Remove the pad probe or the code of the "
      "application that puts other buffers or another pool in its place.",
      gpu_device_get_info (priv->device)->name);
  return FALSE;
}

/* The input or the output of a frame. */
typedef struct
{
  GstBuffer *buffer;            /* used by the shaders, or copied from or to what they use */
  GpuFrame frame;               /* what they use; frame.buffer is set while recording */
  GstGpuAccess access;          /* access to its memory while recording; none for a port */
} Side;

/* @ticket: ticket of the submission, or NULL if the frame was not submitted. */
static void
end_access (GstGpuAccess * access, GpuStream * stream, const GpuTicket * ticket)
{
  if (!access->memory)
    return;
  if (ticket)
    gst_gpu_access_end (access, ticket);
  else
    gst_gpu_access_give_up (access, stream);
}

/* Begins the recording of a frame of a port. */
static gboolean
begin_port (GstGpuFilter * self, Side * in, Side * out, GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;

  in->frame.buffer = priv->port_frames[0];
  out->frame.buffer = priv->port_frames[1];
  return priv->port->record_read (priv->stream, in->buffer, &priv->in_info,
      &in->frame, error);
}

/* Begins the recording of a frame of system memory. */
static gboolean
begin_access (GstGpuFilter * self, Side * in, Side * out, GError ** error)
{
  GpuStream *stream = self->priv->stream;

  if (!gst_gpu_access_begin_read (&in->access,
          gst_buffer_peek_memory (in->buffer, 0), stream, error))
    return FALSE;
  if (in->buffer == out->buffer)
    gst_gpu_access_begin_rewrite (&out->access, &in->access);
  else if (!gst_gpu_access_begin_write (&out->access,
          gst_buffer_peek_memory (out->buffer, 0), stream, error))
    return FALSE;
  in->frame.buffer = in->access.buffer;
  out->frame.buffer = out->access.buffer;
  return TRUE;
}

/* Records what brings the output to where the next element looks for it. */
static gboolean
record_output (GstGpuFilter * self, Side * out, GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;

  if (!gst_gpu_port_is_system (priv->port))
    return priv->port->record_write (priv->stream, out->buffer,
        &priv->out_info, &out->frame, error);
  return priv->next_reads_device
      || gst_gpu_access_download (&out->access, priv->stream, error);
}

/* @in contains @inbuf or its copy. The layouts of both frames are set. */
static gboolean
submit_frame (GstGpuFilter * self, Side * in, Side * out, GstBuffer * inbuf,
    GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;
  GpuStream *stream = priv->stream;
  GpuTicket ticket = { NULL, 0 };
  gboolean done;

  gpu_stream_next_frame (stream);
  done = gpu_stream_begin (stream, error)
      && (gst_gpu_port_is_system (priv->port) ? begin_access : begin_port)
      (self, in, out, error)
      && GST_GPU_FILTER_GET_CLASS (self)->record (self, stream, &in->frame,
      &out->frame, inbuf, error)
      && record_output (self, out, error)
      && gpu_stream_submit (stream, &ticket, error);
  /* If a frame fails, parts of it may be submitted already. They write buffers that nobody else
   * has. */
  if (done) {
    GST_OBJECT_LOCK (self);
    priv->counters.frames++;
    priv->counters.uploads += in->access.uploads;
    priv->counters.downloads += out->access.downloads;
    GST_OBJECT_UNLOCK (self);
    note_engine_memory (self);
    update_latency (self);
  } else
    gpu_stream_abandon (stream);
  end_access (&in->access, stream, done ? &ticket : NULL);
  end_access (&out->access, stream, done ? &ticket : NULL);
  gpu_ticket_clear (&ticket);
  return done;
}

/* Copies the frame of a port to where shaders use it, works on it, and copies it back. */
static gboolean
work_through_port (GstGpuFilter * self, GstBuffer * inbuf, GstBuffer * outbuf,
    GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;
  Side in = {.buffer = inbuf}, out = {.buffer = outbuf};

  gst_gpu_frame_info_from_video (&in.frame.info, &priv->in_info);
  gst_gpu_frame_info_from_video (&out.frame.info, &priv->out_info);
  return submit_frame (self, &in, &out, inbuf, error);
}

/* Works on a frame in memory that shaders can use, or copies it to such memory first. */
static gboolean
work_in_system_memory (GstGpuFilter * self, GstBuffer * inbuf,
    GstBuffer * outbuf, GError ** error)
{
  Side in = { NULL }, out = {.buffer = outbuf};
  gboolean done;

  /* A further reference to a buffer, which may be both, makes it not writable. */
  done = check_writable (self, outbuf, &out.frame.info, error)
      && (in.buffer = get_readable (self, inbuf, &in.frame.info, error))
      && submit_frame (self, &in, &out, inbuf, error);
  gst_clear_buffer (&in.buffer);
  return done;
}

gboolean
gst_gpu_filter_work_on_frame (GstGpuFilter * self, GstBuffer * inbuf,
    GstBuffer * outbuf, GError ** error)
{
  gboolean done;

  if (!gst_gpu_filter_ensure_prepared (self, error))
    return FALSE;
  done = gst_gpu_port_is_system (self->priv->port)
      ? work_in_system_memory (self, inbuf, outbuf, error)
      : work_through_port (self, inbuf, outbuf, error);
  gst_gpu_progress_end (&self->priv->builds, &gst_gpu_filter_builds,
      GST_ELEMENT (self), done || !error ? NULL : *error);
  gst_gpu_progress_end (&self->priv->parts, &gst_gpu_filter_parts,
      GST_ELEMENT (self), done || !error ? NULL : *error);
  if (!done)
    gst_gpu_filter_name_loss (self, error);
  return done;
}

GstFlowReturn
gst_gpu_filter_fail_frame (GstGpuFilter * self, GstBuffer * buffer,
    const GError * error)
{
  GstGpuFilterPrivate *priv = self->priv;

  if (g_error_matches (error, GPU_ERROR, GPU_ERROR_CANCELLED))
    return GST_FLOW_FLUSHING;
  if (!priv->passes && gst_gpu_filter_survives (self, NULL, error)) {
    gst_gpu_filter_count_dropped (self);
    return GST_BASE_TRANSFORM_FLOW_DROPPED;
  }
  /* If the device is lost, its memory cannot be read, and the frame is not at fault. */
  if (error->domain != GST_GPU_FRAME_ERROR
      || (!priv->passes && gpu_device_is_lost (priv->device))) {
    GST_GPU_FILTER_ERROR (self, error);
    return GST_FLOW_ERROR;
  }
  /* A gap buffer without memory means that there is no frame, which is not an error. It is
   * handled as a gap event, because subclasses and waiting elements downstream, such as a
   * mixer, must be told. */
  if (!GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_GAP)
      || gst_buffer_get_size (buffer) > 0)
    gst_gpu_filter_note_bad_frame (self, error);
  else if (GST_BUFFER_PTS_IS_VALID (buffer))
    GST_BASE_TRANSFORM_GET_CLASS (self)->sink_event (GST_BASE_TRANSFORM (self),
        gst_event_new_gap (GST_BUFFER_PTS (buffer),
            GST_BUFFER_DURATION (buffer)));
  return GST_BASE_TRANSFORM_FLOW_DROPPED;
}
