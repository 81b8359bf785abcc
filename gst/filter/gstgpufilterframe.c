/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpufilterprivate.h"

#include "gst/memory/gstgpubufferpool.h"
#include "gst/memory/gstgpuframe.h"

#include <string.h>

#define GST_CAT_DEFAULT gst_gpu_filter_debug

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

/* --- what upstream lent --- */

/* If the wait fails, the device is lost or memory is exhausted, and what was read may be wrong. */
static void
return_lent (GstGpuFilterPrivate * priv)
{
  if (priv->lent)
    gpu_stream_wait_idle (priv->stream, NULL);
  gst_clear_buffer (&priv->lent);
}

void
gst_gpu_filter_give_back (GstGpuFilter * self)
{
  gst_gpu_filter_repeat_clear (&self->priv->repeat);
  return_lent (self->priv);
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
    gst_gpu_filter_give_back (self);
    gst_gpu_filter_release_pools (self);
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
  self->priv->in_memory = self->priv->out_memory = gst_gpu_port_get_name (port);
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

/* --- what frames need --- */

void
gst_gpu_filter_release_pools (GstGpuFilter * self)
{
  GstGpuFilterPrivate *priv = self->priv;

  gst_gpu_buffer_pool_release (&priv->staging);
  gst_gpu_buffer_pool_release (&priv->output);
  gst_gpu_filter_release_port_frames (self);
  priv->has_left_pool = FALSE;
}

void
gst_gpu_filter_release_port_frames (GstGpuFilter * self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->priv->port_frames); i++)
    g_clear_pointer (&self->priv->port_frames[i], gpu_buffer_unref);
}

/* Makes sure that there is a buffer of @size bytes for the input (0) or the output (1). There is
 * one of each, as work is done in the order of frames. */
static gboolean
ensure_port_frame (GstGpuFilter * self, guint i, gsize size, GError ** error)
{
  GpuBuffer **frame = &self->priv->port_frames[i];

  if (*frame && gpu_buffer_get_size (*frame) >= size)
    return TRUE;
  g_clear_pointer (frame, gpu_buffer_unref);
  *frame = gpu_buffer_new_large (self->priv->device, GPU_BUFFER_DEVICE, size,
      "frame of a port", error);
  if (i == 1)
    self->priv->output_frame_is_clear = FALSE;
  return *frame != NULL;
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

/* Returns whether other elements may see memory of @buffer. It is not written then. */
static gboolean
is_shared (GstBuffer * buffer)
{
  gboolean is_shared = FALSE;

  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    GstMemory *memory = gst_buffer_peek_memory (buffer, i);

    is_shared |= GST_MEMORY_IS_READONLY (memory)
        || !gst_memory_is_writable (memory);
  }
  return is_shared;
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
      || gst_gpu_filter_fills_their_pool (self)
      || !is_on_device (self, buffer, info) || is_shared (buffer))
    return FALSE;
  while ((meta = gst_buffer_iterate_meta (buffer, &state)))
    if (!gst_gpu_filter_meta_stays_true (self, meta->info->api))
      return FALSE;
  return gst_gpu_frame_info_from_buffer (&layout, buffer, info);
}

/* --- both sides of a frame --- */

/* The input or the output of a frame. */
typedef struct
{
  GstBuffer *buffer;            /* used by the shaders, or copied from or to what they use */
  GstGpuDmabufs dmabufs;        /* of the buffer, under caps of system memory; or empty */
  GpuFrame frame;               /* what they use; frame.buffer is set while recording */
  GstGpuAccess access;          /* access to its memory while recording; of system memory */
} Side;

/* Sets @in to @buffer if shaders can use it, else to a copy. */
static gboolean
read_with_cpu (GstGpuFilter * self, GstBuffer * buffer, Side * in,
    GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;
  GstGpuFilterRepeat *repeat = &priv->repeat;
  GpuFrameInfo *info = &in->frame.info;
  gboolean is_usable =
      gst_gpu_frame_info_from_buffer (info, buffer, &priv->in_info);
  GpuFrameInfo layout = *info;

  if (is_usable && is_on_device (self, buffer, &priv->in_info)) {
    in->buffer = gst_buffer_ref (buffer);
    return TRUE;
  }
  if (is_usable && repeat->held
      && gst_buffer_peek_memory (buffer, 0) == repeat->memory
      && memcmp (&layout, &repeat->layout, sizeof layout) == 0)
    in->buffer = gst_buffer_ref (repeat->copy);
  else {
    in->buffer = copy_to_staging (self, buffer, error);
    if (in->buffer && is_usable)
      note_repeat (repeat, buffer, &layout, in->buffer);
  }
  if (in->buffer)
    gst_gpu_frame_info_from_buffer (info, in->buffer, &priv->in_info);
  return in->buffer != NULL;
}

/* How long another device may use a dma-buf: as long as this one may work, ten seconds. */
#define WAIT_MS 100
#define MOST_WAITS 100

/* Waits for other devices. */
static gboolean
wait_for_others (GstGpuFilter * self, GstBuffer * buffer, gboolean is_written,
    GError ** error)
{
  for (guint i = 0; i < MOST_WAITS; i++) {
    if (gst_gpu_dmabufs_wait (buffer, is_written, WAIT_MS))
      return TRUE;
    if (gst_gpu_filter_is_cancelled (self)) {
      g_set_error_literal (error, GPU_ERROR, GPU_ERROR_CANCELLED,
          "the frame is not wanted any more");
      return FALSE;
    }
  }
  g_set_error (error, GST_GPU_FRAME_ERROR, GST_GPU_FRAME_ERROR_READ,
      "Another device still %s frame, a dma-buf, after ten seconds.",
      is_written ? "uses an output" : "writes an input");
  return FALSE;
}

/* Returns whether the device can use the frame in @buffer, of dma-bufs. */
static gboolean
import_frame (GstGpuFilter * self, GstBuffer * buffer,
    const GstVideoInfo * video, Side * side)
{
  if (!gst_gpu_dmabufs_import (&side->dmabufs, buffer, video,
          self->priv->device, &side->frame.info))
    return FALSE;
  if (side->frame.info.size <= gst_gpu_filter_get_most (self, video))
    return TRUE;
  gst_gpu_dmabufs_clear (&side->dmabufs);
  return FALSE;
}

static gboolean
ready_input (GstGpuFilter * self, GstBuffer * buffer, Side * in,
    GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;

  if (!gst_gpu_port_is_system (priv->port))
    gst_gpu_frame_info_from_video (&in->frame.info, &priv->in_info);
  else if (!import_frame (self, buffer, &priv->in_info, in))
    return read_with_cpu (self, buffer, in, error);
  else if (!wait_for_others (self, buffer, FALSE, error))
    return FALSE;
  in->buffer = gst_buffer_ref (buffer);
  return ensure_port_frame (self, 0, in->frame.info.size, error);
}

/* A pad probe or an application can replace the buffer of the output, or the pool. */
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

gboolean
gst_gpu_filter_can_fill (GstGpuFilter * self, GstBuffer * buffer,
    GError ** error)
{
  Side out = { NULL };
  gboolean can = import_frame (self, buffer, &self->priv->out_info, &out)
      && !is_shared (buffer);

  gst_gpu_dmabufs_clear (&out.dmabufs);
  if (!can)
    g_set_error_literal (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
        "the device cannot write it");
  return can && wait_for_others (self, buffer, TRUE, error);
}

static gboolean
ready_output (GstGpuFilter * self, Side * out, GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;

  if (!gst_gpu_port_is_system (priv->port))
    gst_gpu_frame_info_from_video (&out->frame.info, &priv->out_info);
  else if (!import_frame (self, out->buffer, &priv->out_info, out)
      || is_shared (out->buffer))
    return check_writable (self, out->buffer, &out->frame.info, error);
  return ensure_port_frame (self, 1, out->frame.info.size, error);
}

/* --- recordings --- */

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

/* Records what brings the input to where shaders use it. */
static gboolean
record_input (GstGpuFilter * self, Side * in, GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;

  in->frame.buffer = priv->port_frames[0];
  if (!gst_gpu_port_is_system (priv->port))
    return priv->port->record_read (priv->stream, in->buffer, &priv->in_info,
        &in->frame, error);
  if (in->dmabufs.n > 0) {
    gst_gpu_dmabufs_record_copy (&in->dmabufs, priv->stream, in->frame.buffer,
        FALSE);
    return TRUE;
  }
  if (!gst_gpu_access_begin_read (&in->access,
          gst_buffer_peek_memory (in->buffer, 0), priv->stream, error))
    return FALSE;
  in->frame.buffer = in->access.buffer;
  return TRUE;
}

/* Shaders write nothing between rows, and what was in the memory before must not leak. */
static void
clear_new_frame (GstGpuFilter * self)
{
  GstGpuFilterPrivate *priv = self->priv;
  GpuBuffer *frame = priv->port_frames[1];

  if (priv->output_frame_is_clear)
    return;
  gpu_stream_stage (priv->stream, "clear");
  gpu_stream_fill (priv->stream, frame, 0, gpu_buffer_get_size (frame), 0);
}

/* Finds where shaders write the output. */
static gboolean
begin_output (GstGpuFilter * self, Side * out, const Side * in, GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;

  out->frame.buffer = priv->port_frames[1];
  if (out->dmabufs.n > 0)
    clear_new_frame (self);
  if (out->dmabufs.n > 0 || !gst_gpu_port_is_system (priv->port))
    return TRUE;
  if (in->buffer == out->buffer)
    gst_gpu_access_begin_rewrite (&out->access, &in->access);
  else if (!gst_gpu_access_begin_write (&out->access,
          gst_buffer_peek_memory (out->buffer, 0), priv->stream, error))
    return FALSE;
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
  if (out->dmabufs.n > 0) {
    gst_gpu_dmabufs_record_copy (&out->dmabufs, priv->stream,
        out->frame.buffer, TRUE);
    return TRUE;
  }
  return priv->next_reads_device
      || gst_gpu_access_download (&out->access, priv->stream, error);
}

/* Who reads a dma-buf cannot wait for a submission, so its frame is done when it is handed on. */
static gboolean
finish_output (const Side * out, const GpuTicket * ticket, GError ** error)
{
  return out->dmabufs.n == 0
      || gpu_ticket_wait_because (ticket, "the next element reads a dma-buf",
      error);
}

/* As "stats" says it. */
static const gchar *
name_memory (GstGpuFilter * self, const Side * side)
{
  return side->dmabufs.n > 0 ? "DMABuf"
      : gst_gpu_port_get_name (self->priv->port);
}

/* Both sides are ready. @inbuf has the metas. */
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
      && record_input (self, in, error)
      && begin_output (self, out, in, error)
      && GST_GPU_FILTER_GET_CLASS (self)->record (self, stream, &in->frame,
      &out->frame, inbuf, error)
      && record_output (self, out, error)
      && gpu_stream_submit (stream, &ticket, error)
      && finish_output (out, &ticket, error);
  if (ticket.stream && in->dmabufs.n > 0)
    priv->lent = gst_buffer_ref (in->buffer);
  /* If a frame fails, parts of it may be submitted already. They write buffers that nobody else
   * has. */
  if (done) {
    priv->output_frame_is_clear |= out->dmabufs.n > 0;
    GST_OBJECT_LOCK (self);
    priv->counters.frames++;
    priv->counters.uploads += in->access.uploads;
    priv->counters.downloads += out->access.downloads;
    priv->in_memory = name_memory (self, in);
    priv->out_memory = name_memory (self, out);
    GST_OBJECT_UNLOCK (self);
    note_engine_memory (self);
    gst_gpu_filter_update_latency (self);
  } else
    gpu_stream_abandon (stream);
  end_access (&in->access, stream, done ? &ticket : NULL);
  end_access (&out->access, stream, done ? &ticket : NULL);
  gpu_ticket_clear (&ticket);
  return done;
}

gboolean
gst_gpu_filter_work_on_frame (GstGpuFilter * self, GstBuffer * inbuf,
    GstBuffer * outbuf, GError ** error)
{
  Side in = { NULL }, out = {.buffer = outbuf};
  gboolean done;

  if (!gst_gpu_filter_ensure_prepared (self, error))
    return FALSE;
  /* Sources have few buffers, so one is lent at a time. */
  return_lent (self->priv);
  /* A further reference to a buffer, which may be both, makes it not writable. */
  done = ready_output (self, &out, error)
      && ready_input (self, inbuf, &in, error)
      && submit_frame (self, &in, &out, inbuf, error);
  gst_clear_buffer (&in.buffer);
  gst_gpu_dmabufs_clear (&in.dmabufs);
  gst_gpu_dmabufs_clear (&out.dmabufs);
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
