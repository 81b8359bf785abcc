/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpufilterprivate.h"

#include "gst/memory/gstgpubufferpool.h"
#include "gst/memory/gstgpuframe.h"

#include <string.h>

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
void
gst_gpu_filter_return_lent (GstGpuFilter * self)
{
  if (self->priv->lent)
    gpu_stream_wait_idle (self->priv->stream, NULL);
  gst_clear_buffer (&self->priv->lent);
}

/* Submissions keep what ports read. */
void
gst_gpu_filter_give_back (GstGpuFilter * self)
{
  gst_gpu_filter_repeat_clear (&self->priv->repeat);
  gst_gpu_filter_return_lent (self);
  if (self->priv->stream && self->priv->link)
    gpu_stream_wait_idle (self->priv->stream, NULL);
}

void
gst_gpu_filter_release_port_frames (GstGpuFilter * self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->priv->port_frames); i++)
    g_clear_pointer (&self->priv->port_frames[i], gpu_buffer_unref);
}

/* --- frames in memory of this plugin --- */

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

/* Makes sure that there is a pool for copies of the input (0) or of the output (1). */
static gboolean
ensure_staging (GstGpuFilter * self, guint i)
{
  GstGpuFilterPrivate *priv = self->priv;
  GstBufferPool **pool = &priv->staging[i];
  GstCaps *caps;

  if (*pool)
    return TRUE;
  caps = gst_video_info_to_caps (i == 0 ? &priv->in_info : &priv->out_info);
  *pool = gst_gpu_buffer_pool_new_for_caps (priv->allocator, caps,
      gst_gpu_filter_get_min_buffers (self), FALSE);
  gst_caps_unref (caps);
  if (*pool && !gst_buffer_pool_set_active (*pool, TRUE))
    gst_gpu_buffer_pool_release (pool);
  return *pool != NULL;
}

/* Returns a buffer of that pool, or NULL with @error set. */
static GstBuffer *
acquire_staging (GstGpuFilter * self, guint i, GError ** error)
{
  GstBuffer *buffer = NULL;

  if (ensure_staging (self, i)
      && gst_buffer_pool_acquire_buffer (self->priv->staging[i], &buffer,
          NULL) == GST_FLOW_OK)
    return buffer;
  g_set_error_literal (error, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NO_SPACE_LEFT, "There is no memory for the copy of a "
      "frame; use smaller frames or close other programs.");
  return NULL;
}

/* Returns a copy of @buffer in memory of the device, or NULL with @error set. */
static GstBuffer *
copy_to_staging (GstGpuFilter * self, GstBuffer * buffer, GError ** error)
{
  GstBuffer *copy = acquire_staging (self, 0, error);

  if (copy && !gst_gpu_filter_copy_frame (self, copy, buffer,
          &self->priv->in_info, error))
    gst_clear_buffer (&copy);
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
      || (!gst_gpu_port_is_system (self->priv->port)
          && !self->priv->next_reads_device)
      || !is_on_device (self, buffer, info) || is_shared (buffer))
    return FALSE;
  while ((meta = gst_buffer_iterate_meta (buffer, &state)))
    if (!gst_gpu_filter_meta_stays_true (self, meta->info->api))
      return FALSE;
  return gst_gpu_frame_info_from_buffer (&layout, buffer, info);
}

/* --- before a recording --- */

/* Returns whether @buffer is in memory of elements of this plugin, for any device. */
static gboolean
is_ours (GstBuffer * buffer)
{
  return gst_buffer_n_memory (buffer) == 1
      && gst_gpu_memory_get_device (gst_buffer_peek_memory (buffer, 0));
}

gboolean
gst_gpu_filter_fits_port (GstGpuFilter * self, GstBuffer * buffer)
{
  return gst_gpu_port_is_system (self->priv->port)
      || self->priv->next_reads_device || !is_ours (buffer);
}

gboolean
gst_gpu_filter_needs_device (GstGpuFilter * self, GstBuffer * buffer)
{
  return !self->priv->foreign && (!self->priv->passes
      || !gst_gpu_filter_fits_port (self, buffer));
}

/* Sets @in to @buffer if shaders can use it, else to a copy. */
static gboolean
read_with_cpu (GstGpuFilter * self, GstBuffer * buffer, GstGpuFilterSide * in,
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
    const GstVideoInfo * video, GstGpuFilterSide * side)
{
  if (!gst_gpu_dmabufs_import (&side->dmabufs, buffer, video,
          self->priv->device, &side->frame.info))
    return FALSE;
  if (side->frame.info.size <= gst_gpu_filter_get_most (self, video))
    return TRUE;
  gst_gpu_dmabufs_clear (&side->dmabufs);
  return FALSE;
}

gboolean
gst_gpu_filter_is_copied_by_cpu (GstGpuFilter * self, GstBuffer * buffer)
{
  const GstGpuLink *link = self->priv->link;

  return link && link->port == self->priv->port && !link->device
      && !is_ours (buffer);
}

gboolean
gst_gpu_filter_ready_input (GstGpuFilter * self, GstBuffer * buffer,
    GstGpuFilterSide * in, GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;

  if (gst_gpu_filter_is_copied_by_cpu (self, buffer)) {
    in->kind = GST_GPU_FILTER_SIDE_COPIED;
    return read_with_cpu (self, buffer, in, error);
  }
  if (!gst_gpu_port_is_system (priv->port) && !is_ours (buffer)) {
    in->kind = GST_GPU_FILTER_SIDE_PORT;
    gst_gpu_frame_info_from_video (&in->frame.info, &priv->in_info);
  } else if (import_frame (self, buffer, &priv->in_info, in)) {
    in->kind = GST_GPU_FILTER_SIDE_DMABUFS;
    if (!wait_for_others (self, buffer, FALSE, error))
      return FALSE;
  } else
    return read_with_cpu (self, buffer, in, error);
  in->buffer = gst_buffer_ref (buffer);
  return TRUE;
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
  GstGpuFilterSide out = { 0 };
  gboolean can = import_frame (self, buffer, &self->priv->out_info, &out)
      && !is_shared (buffer);

  gst_gpu_dmabufs_clear (&out.dmabufs);
  if (!can)
    g_set_error_literal (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
        "the device cannot write it");
  return can && wait_for_others (self, buffer, TRUE, error);
}

/* Shaders write to other memory first. */
static gboolean
ready_copied_output (GstGpuFilter * self, GstBuffer * buffer,
    GstGpuFilterSide * out, GError ** error)
{
  out->kind = GST_GPU_FILTER_SIDE_COPIED;
  out->buffer = acquire_staging (self, 1, error);
  if (!out->buffer)
    return FALSE;
  out->target = buffer;
  /* gst_gpu_frame_copy() copies flags, too, from here to @buffer. */
  gst_buffer_copy_into (out->buffer, buffer, GST_BUFFER_COPY_FLAGS, 0, -1);
  gst_gpu_frame_info_from_buffer (&out->frame.info, out->buffer,
      &self->priv->out_info);
  return TRUE;
}

gboolean
gst_gpu_filter_ready_output (GstGpuFilter * self, GstBuffer * buffer,
    GstGpuFilterSide * out, GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;

  if (gst_gpu_filter_is_copied_by_cpu (self, buffer))
    return ready_copied_output (self, buffer, out, error);
  out->buffer = buffer;
  if (!gst_gpu_port_is_system (priv->port) && !is_ours (buffer)) {
    out->kind = GST_GPU_FILTER_SIDE_PORT;
    gst_gpu_frame_info_from_video (&out->frame.info, &priv->out_info);
  } else if (!is_shared (buffer)
      && import_frame (self, buffer, &priv->out_info, out))
    out->kind = GST_GPU_FILTER_SIDE_DMABUFS;
  else
    return check_writable (self, buffer, &out->frame.info, error);
  return TRUE;
}

/* --- in a recording --- */

/* Makes sure that there is a buffer of @size bytes for the input (0) or the output (1). There is
 * one of each, as work is done in the order of frames. 0 bytes: none is needed. */
static gboolean
ensure_port_frame (GstGpuFilter * self, guint i, gsize size, GError ** error)
{
  GpuBuffer **frame = &self->priv->port_frames[i];

  if (size == 0 || (*frame && gpu_buffer_get_size (*frame) >= size))
    return TRUE;
  g_clear_pointer (frame, gpu_buffer_unref);
  *frame = gpu_buffer_new_large (self->priv->device, GPU_BUFFER_DEVICE, size,
      "frame of a port", error);
  if (i == 1)
    self->priv->output_frame_is_clear = FALSE;
  return *frame != NULL;
}

/* Takes buffers of the port, of which there may be several. @sizes: 0 for none. */
static gboolean
take_port_frames (GstGpuFilter * self, const gsize sizes[2], GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;
  GpuBuffer *frames[2];

  if (!priv->port->begin_frame (priv->link, priv->stream, sizes, frames, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    g_clear_pointer (&priv->port_frames[i], gpu_buffer_unref);
    if (sizes[i] > 0)
      priv->port_frames[i] = gpu_buffer_ref (frames[i]);
  }
  return TRUE;
}

static gboolean
is_copied_by_device (const GstGpuFilterSide * side)
{
  return side->kind == GST_GPU_FILTER_SIDE_PORT
      || side->kind == GST_GPU_FILTER_SIDE_DMABUFS;
}

static gboolean
ensure_port_frames (GstGpuFilter * self, const GstGpuFilterSide * in,
    const GstGpuFilterSide * out, GError ** error)
{
  const GstGpuFilterSide *sides[] = { in, out };
  gsize sizes[G_N_ELEMENTS (sides)] = { 0 };
  gboolean are_of_port = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (sides); i++) {
    are_of_port |= sides[i]->kind == GST_GPU_FILTER_SIDE_PORT;
    if (is_copied_by_device (sides[i]))
      sizes[i] = sides[i]->frame.info.size;
  }
  if (are_of_port && self->priv->port->begin_frame)
    return take_port_frames (self, sizes, error);
  return ensure_port_frame (self, 0, sizes[0], error)
      && ensure_port_frame (self, 1, sizes[1], error);
}

/* Records what brings the input to where shaders use it. */
static gboolean
begin_input (GstGpuFilter * self, GstGpuFilterSide * in, GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;

  in->frame.buffer = priv->port_frames[0];
  switch (in->kind) {
    case GST_GPU_FILTER_SIDE_PORT:
      return priv->port->record_read (priv->link, priv->stream, in->buffer,
          &priv->in_info, &in->frame, error);
    case GST_GPU_FILTER_SIDE_DMABUFS:
      gst_gpu_dmabufs_record_copy (&in->dmabufs, priv->stream,
          in->frame.buffer, FALSE);
      return TRUE;
    default:
      if (!gst_gpu_access_begin_read (&in->access,
              gst_buffer_peek_memory (in->buffer, 0), priv->stream, error))
        return FALSE;
      in->frame.buffer = in->access.buffer;
      return TRUE;
  }
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
begin_output (GstGpuFilter * self, GstGpuFilterSide * out,
    const GstGpuFilterSide * in, GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;

  out->frame.buffer = priv->port_frames[1];
  if (out->kind == GST_GPU_FILTER_SIDE_DMABUFS)
    clear_new_frame (self);
  if (is_copied_by_device (out))
    return TRUE;
  if (in->buffer == out->buffer)
    gst_gpu_access_begin_rewrite (&out->access, &in->access);
  else if (!gst_gpu_access_begin_write (&out->access,
          gst_buffer_peek_memory (out->buffer, 0), priv->stream, error))
    return FALSE;
  out->frame.buffer = out->access.buffer;
  return TRUE;
}

gboolean
gst_gpu_filter_begin_sides (GstGpuFilter * self, GstGpuFilterSide * in,
    GstGpuFilterSide * out, GError ** error)
{
  return ensure_port_frames (self, in, out, error)
      && begin_input (self, in, error)
      && begin_output (self, out, in, error);
}

gboolean
gst_gpu_filter_end_output (GstGpuFilter * self, GstGpuFilterSide * out,
    GError ** error)
{
  GstGpuFilterPrivate *priv = self->priv;

  switch (out->kind) {
    case GST_GPU_FILTER_SIDE_PORT:
      return priv->port->record_write (priv->link, priv->stream, out->buffer,
          &priv->out_info, &out->frame, error);
    case GST_GPU_FILTER_SIDE_DMABUFS:
      gst_gpu_dmabufs_record_copy (&out->dmabufs, priv->stream,
          out->frame.buffer, TRUE);
      return TRUE;
    default:
      return priv->next_reads_device
          || gst_gpu_access_download (&out->access, priv->stream, error);
  }
}

/* --- after it --- */

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

/* Who reads a dma-buf cannot wait for the device, so its frame is done when it is handed on. */
gboolean
gst_gpu_filter_finish_output (GstGpuFilter * self, const GstGpuFilterSide * out,
    const GpuTicket * ticket, GError ** error)
{
  const GstGpuPort *port = self->priv->port;

  if (out->kind == GST_GPU_FILTER_SIDE_PORT)
    return !port->finish_frame || port->finish_frame (self->priv->link,
        out->buffer, &self->priv->out_info, ticket, error);
  if (out->kind != GST_GPU_FILTER_SIDE_DMABUFS)
    return TRUE;
  if (!gpu_ticket_wait_because (ticket, "the next element reads a dma-buf",
          error))
    return FALSE;
  self->priv->output_frame_is_clear = TRUE;
  return TRUE;
}

void
gst_gpu_filter_end_sides (GstGpuFilter * self, GstGpuFilterSide * in,
    GstGpuFilterSide * out, const GpuTicket * ticket)
{
  end_access (&in->access, self->priv->stream, ticket);
  end_access (&out->access, self->priv->stream, ticket);
}

void
gst_gpu_filter_lend (GstGpuFilter * self, const GstGpuFilterSide * in)
{
  if (in->kind == GST_GPU_FILTER_SIDE_DMABUFS)
    self->priv->lent = gst_buffer_ref (in->buffer);
}

void
gst_gpu_filter_clear_sides (GstGpuFilterSide * in, GstGpuFilterSide * out)
{
  gst_clear_buffer (&in->buffer);
  if (out->target)
    gst_clear_buffer (&out->buffer);
  gst_gpu_dmabufs_clear (&in->dmabufs);
  gst_gpu_dmabufs_clear (&out->dmabufs);
}

const gchar *
gst_gpu_filter_name_memory (GstGpuFilter * self, const GstGpuFilterSide * side)
{
  switch (side->kind) {
    case GST_GPU_FILTER_SIDE_PORT:
    case GST_GPU_FILTER_SIDE_COPIED:
      return gst_gpu_port_get_name (self->priv->port);
    case GST_GPU_FILTER_SIDE_DMABUFS:
      return "DMABuf";
    default:
      return gst_gpu_port_is_system (self->priv->port) ? "SystemMemory"
          : GST_GPU_MEMORY_TYPE;
  }
}
