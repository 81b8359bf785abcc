/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpufilterprivate.h"

#include "gst/memory/gstgpubufferpool.h"
#include "gst/memory/gstgpuframe.h"

#define GST_CAT_DEFAULT gst_gpu_filter_debug

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

GType
gst_gpu_filter_get_sync_api (GstGpuFilter * self)
{
  const GstGpuLink *link = self->priv->link;

  return link && link->port->get_sync_api ? link->port->get_sync_api (link)
      : G_TYPE_INVALID;
}

gboolean
gst_gpu_filter_meta_stays_true (GstGpuFilter * self, GType api)
{
  GstGpuFilterPrivate *priv = self->priv;
  const gchar *const *tags = gst_meta_api_type_get_tags (api);
  /* That is about memory which the output does not have. */
  const GType sync = gst_gpu_filter_get_sync_api (self);
  gboolean same_format = GST_VIDEO_INFO_FORMAT (&priv->in_info)
      == GST_VIDEO_INFO_FORMAT (&priv->out_info);

  if (api == GST_VIDEO_CROP_META_API_TYPE || api == sync)
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

  gst_gpu_buffer_pool_release (&priv->staging[0]);
  gst_gpu_buffer_pool_release (&priv->staging[1]);
  gst_gpu_buffer_pool_release (&priv->output);
  gst_gpu_filter_release_port_frames (self);
  priv->has_left_pool = FALSE;
}

/* --- preparation --- */

static void
note_engine_memory (GstGpuFilter * self)
{
  const GstGpuLink *link = self->priv->link;
  gsize memory = GST_GPU_FILTER_GET_CLASS (self)->get_memory (self);

  if (link)
    memory += link->memory;
  if (!link || !link->port->begin_frame)
    memory += gpu_buffers_get_size (self->priv->port_frames,
        G_N_ELEMENTS (self->priv->port_frames));
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

gboolean
gst_gpu_filter_copy_frame (GstGpuFilter * self, GstBuffer * to,
    GstBuffer * from, const GstVideoInfo * info, GError ** error)
{
  if (!gst_gpu_frame_copy (to, from, info, error))
    return FALSE;
  GST_CAT_LOG_OBJECT (performance, self, "a frame is copied by the CPU");
  GST_OBJECT_LOCK (self);
  self->priv->counters.copied++;
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}

/* --- recordings --- */

/* A frame that passes is copied as it is, from memory of this plugin to that of the port. */
static gboolean
record (GstGpuFilter * self, const GstGpuFilterSide * in,
    GstGpuFilterSide * out, GstBuffer * inbuf, GError ** error)
{
  GpuStream *stream = self->priv->stream;

  if (!self->priv->passes)
    return GST_GPU_FILTER_GET_CLASS (self)->record (self, stream, &in->frame,
        &out->frame, inbuf, error);
  gpu_stream_stage (stream, "copy");
  gpu_stream_copy (stream, in->frame.buffer, 0, out->frame.buffer, 0,
      in->frame.info.size);
  return TRUE;
}

/* Both sides are ready. @inbuf has the metas. */
static gboolean
submit_frame (GstGpuFilter * self, GstGpuFilterSide * in,
    GstGpuFilterSide * out, GstBuffer * inbuf, GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;
  GpuStream *stream = priv->stream;
  GpuTicket ticket = { NULL, 0 };
  gboolean done;

  gpu_stream_next_frame (stream);
  done = gpu_stream_begin (stream, error)
      && gst_gpu_filter_begin_sides (self, in, out, error)
      && record (self, in, out, inbuf, error)
      && gst_gpu_filter_end_output (self, out, error)
      && gpu_stream_submit (stream, &ticket, error)
      && gst_gpu_filter_finish_output (self, out, &ticket, error);
  if (ticket.stream)
    gst_gpu_filter_lend (self, in);
  /* If a frame fails, parts of it may be submitted already. They write buffers that nobody else
   * has. */
  if (done) {
    GST_OBJECT_LOCK (self);
    priv->counters.frames += priv->passes ? 0 : 1;
    priv->counters.uploads += in->access.uploads;
    priv->counters.downloads += out->access.downloads;
    priv->in_memory = gst_gpu_filter_name_memory (self, in);
    priv->out_memory = gst_gpu_filter_name_memory (self, out);
    GST_OBJECT_UNLOCK (self);
    note_engine_memory (self);
    gst_gpu_filter_update_latency (self);
  } else
    gpu_stream_abandon (stream);
  /* A frame that was submitted is worked on, even if something failed after that. */
  gst_gpu_filter_end_sides (self, in, out, ticket.stream ? &ticket : NULL);
  gpu_ticket_clear (&ticket);
  return done;
}

gboolean
gst_gpu_filter_work_on_frame (GstGpuFilter * self, GstBuffer * inbuf,
    GstBuffer * outbuf, GError ** error)
{
  GstGpuFilterSide in = { 0 }, out = { 0 };
  gboolean done;

  if (!gst_gpu_filter_ensure_prepared (self, error))
    return FALSE;
  /* Sources have few buffers, so one is lent at a time. */
  gst_gpu_filter_return_lent (self);
  /* A further reference to a buffer, which may be both, makes it not writable. */
  done = gst_gpu_filter_ready_output (self, outbuf, &out, error)
      && gst_gpu_filter_ready_input (self, inbuf, &in, error);
  if (self->priv->passes)
    out.frame.info = in.frame.info;
  done = done && submit_frame (self, &in, &out, inbuf, error)
      && (!out.target || gst_gpu_filter_copy_frame (self, out.target,
          out.buffer, &self->priv->out_info, error));
  gst_gpu_filter_clear_sides (&in, &out);
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
  gboolean needs_device;

  if (g_error_matches (error, GPU_ERROR, GPU_ERROR_CANCELLED))
    return GST_FLOW_FLUSHING;
  needs_device = gst_gpu_filter_needs_device (self, buffer);
  if (needs_device && gst_gpu_filter_survives (self, NULL, error)) {
    gst_gpu_filter_count_dropped (self);
    return GST_BASE_TRANSFORM_FLOW_DROPPED;
  }
  /* If the device is lost, its memory cannot be read, and the frame is not at fault. */
  if (error->domain != GST_GPU_FRAME_ERROR
      || (needs_device && gpu_device_is_lost (priv->device))) {
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
