/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames in CUDA memory. CUDA copies them to memory that the Vulkan device exports, and from there;
 * both sides wait for each other on the card, by timeline semaphores. They take turns there, and
 * each turn costs a few hundred microseconds, so several frames are on their way at a time: the
 * turns are longer then. */
#include "gstgpucudaport.h"

#include "gpu/core/device/foreign.h"
#include "gpu/core/stream/images.h"
#include "gstgpucudalink.h"

typedef GstGpuCudaLink Link;

static GstGpuLink *
connect (GstElement * element, const GpuNeeds * needs, guint n_frames,
    GError ** error)
{
  return gst_gpu_cuda_link_new (&gst_gpu_cuda_port, element, needs, n_frames,
      error);
}

/* --- pools --- */

static gboolean
is_of_context (GstBufferPool * pool, const Link * link)
{
  return G_TYPE_CHECK_INSTANCE_TYPE (pool,
      link->cuda->gst_cuda_buffer_pool_get_type ())
      && ((GstCudaBufferPool *) pool)->context == link->context;
}

/* Readers of a frame wait for the stream of its memory, if it has one. */
static gboolean
configure (GstBufferPool * pool, const Link * link, GstCaps * caps, guint min)
{
  const GstGpuCuda *cuda = link->cuda;
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstCudaStream *stream = cuda->gst_buffer_pool_config_get_cuda_stream (config);

  if (!stream)
    cuda->gst_buffer_pool_config_set_cuda_stream (config, link->out);
  gst_clear_mini_object (&stream);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  return gst_gpu_port_configure_pool (pool, config, caps, min);
}

static GstBufferPool *
get_pool (GstGpuLink * base, GstCaps * caps, guint min,
    GstBufferPool * proposed, GError ** error)
{
  Link *link = (Link *) base;
  GstBufferPool *pool;

  if (proposed && is_of_context (proposed, link)
      && configure (proposed, link, caps, min))
    return gst_object_ref (proposed);
  pool = link->cuda->gst_cuda_buffer_pool_new (link->context);
  if (configure (pool, link, caps, min))
    return pool;
  g_set_error_literal (error, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NO_SPACE_LEFT, "CUDA has no memory for output frames; "
      "use smaller frames or close other programs.");
  gst_object_unref (pool);
  return NULL;
}

/* --- frames --- */

/* Those of GStreamer 1.24. */
static gboolean
takes (GpuPixels pixels)
{
  switch (pixels) {
    case GPU_PIXELS_RGBA:
    case GPU_PIXELS_BGRA:
    case GPU_PIXELS_ARGB:
    case GPU_PIXELS_ABGR:
    case GPU_PIXELS_RGBX:
    case GPU_PIXELS_BGRX:
    case GPU_PIXELS_RGB:
    case GPU_PIXELS_BGR:
    case GPU_PIXELS_NV12:
    case GPU_PIXELS_NV21:
    case GPU_PIXELS_I420:
    case GPU_PIXELS_YV12:
    case GPU_PIXELS_Y42B:
    case GPU_PIXELS_Y444:
    case GPU_PIXELS_YUY2:
    case GPU_PIXELS_UYVY:
    case GPU_PIXELS_GBR:
    case GPU_PIXELS_GBRA:
    case GPU_PIXELS_P010:
    case GPU_PIXELS_P012:
    case GPU_PIXELS_P016:
    case GPU_PIXELS_I420_10:
    case GPU_PIXELS_I420_12:
    case GPU_PIXELS_I422_10:
    case GPU_PIXELS_I422_12:
    case GPU_PIXELS_Y444_10:
    case GPU_PIXELS_Y444_12:
    case GPU_PIXELS_Y444_16:
    case GPU_PIXELS_GBR_10:
    case GPU_PIXELS_GBR_12:
    case GPU_PIXELS_RGB10A2:
    case GPU_PIXELS_BGR10A2:
      return TRUE;
    default:
      return FALSE;
  }
}

static gboolean
begin_frame (GstGpuLink * base, GpuStream * stream, const gsize sizes[2],
    GpuBuffer * frames[2], GError ** error)
{
  Link *link = (Link *) base;
  gboolean done = gst_gpu_cuda_link_enter (link, error);

  if (!done)
    return FALSE;
  /* Without an input to copy there is only the wait for the output of the set. */
  done = gst_gpu_cuda_link_begin_frame (link, sizes, error)
      && (sizes[0] > 0 || gst_gpu_cuda_link_signal_copied (link, error));
  gst_gpu_cuda_link_leave (link);
  if (!done)
    return FALSE;
  frames[0] = gst_gpu_cuda_link_get_set (link)->in.buffer;
  frames[1] = gst_gpu_cuda_link_get_set (link)->out.buffer;
  gpu_stream_wait_for_semaphore (stream, link->copied.vulkan, link->n);
  gpu_stream_keep (stream, gst_gpu_cuda_link_ref (link), NULL,
      gst_gpu_cuda_link_unref);
  return TRUE;
}

/* A frame in one memory. */
typedef struct
{
  CUdeviceptr pointer;
  CUstream stream;              /* on which others use it */
  GpuFrameInfo layout;
} Place;

/* Returns FALSE if there is no such frame in @buffer, or not where CUDA can copy it. */
static gboolean
find_place (Place * place, const Link * link, GstBuffer * buffer,
    const GstVideoInfo * video, GstMapFlags access)
{
  GstMemory *memory = gst_buffer_n_memory (buffer) == 1
      ? gst_buffer_peek_memory (buffer, 0) : NULL;
  GstCudaStream *stream;
  GstMapInfo map;

  if (!memory || !link->cuda->gst_is_cuda_memory (memory)
      || ((GstCudaMemory *) memory)->context != link->context
      || !gst_gpu_frame_locate (&place->layout, buffer, video)
      || !gst_memory_map (memory, &map, access | GST_MAP_CUDA))
    return FALSE;
  stream = link->cuda->gst_cuda_memory_get_stream ((GstCudaMemory *) memory);
  place->stream = stream ? gst_gpu_cuda_link_get_handle (link, stream) : NULL;
  place->pointer = (CUdeviceptr) (gsize) map.data;
  gst_memory_unmap (memory, &map);
  return TRUE;
}

/* What is enqueued on @stream from here on follows what is on @other. */
static gboolean
follow (const Link * link, CUstream stream, CUstream other, GError ** error)
{
  return stream == other || (gst_gpu_cuda_link_check (link,
          link->cuda->cuEventRecord (link->done, other), "record an event",
          error)
      && gst_gpu_cuda_link_check (link, link->cuda->cuStreamWaitEvent (stream,
              link->done, 0), "wait for an event", error));
}

static CUresult
copy_plane (const Link * link, CUstream stream, const Place * from,
    const Place * to, guint i)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (to->layout.pixels);
  const CUDA_MEMCPY2D copy = {
    .srcMemoryType = CU_MEMORYTYPE_DEVICE,
    .srcDevice = from->pointer + from->layout.offset[i],
    .srcPitch = from->layout.stride[i],
    .dstMemoryType = CU_MEMORYTYPE_DEVICE,
    .dstDevice = to->pointer + to->layout.offset[i],
    .dstPitch = to->layout.stride[i],
    .WidthInBytes = gpu_frame_info_plane_width (&to->layout, i)
        * gpu_pixel_format_get_size (format, i),
    .Height = gpu_frame_info_plane_height (&to->layout, i),
  };

  return link->cuda->cuMemcpy2DAsync (&copy, stream);
}

static gboolean
copy_planes (const Link * link, CUstream stream, const Place * from,
    const Place * to, GError ** error)
{
  const guint n = gpu_pixels_get_format (to->layout.pixels)->n_planes;

  for (guint i = 0; i < n; i++)
    if (!gst_gpu_cuda_link_check (link, copy_plane (link, stream, from, to, i),
            "copy a frame", error))
      return FALSE;
  return TRUE;
}

/* Upstream may use the memory again behind that. */
static gboolean
copy_in (Link * link, const Place * from, const Place * to, GError ** error)
{
  CUstream stream = gst_gpu_cuda_link_get_handle (link, link->in);
  gboolean done = gst_gpu_cuda_link_enter (link, error);

  if (!done)
    return FALSE;
  done = follow (link, stream, from->stream, error)
      && copy_planes (link, stream, from, to, error)
      && follow (link, from->stream, stream, error)
      && gst_gpu_cuda_link_signal_copied (link, error);
  gst_gpu_cuda_link_leave (link);
  return done;
}

static gboolean
record_read (GstGpuLink * base, GpuStream * stream, GstBuffer * buffer,
    const GstVideoInfo * video, const GpuFrame * frame, GError ** error)
{
  Link *link = (Link *) base;
  const Place to = {.pointer = gst_gpu_cuda_link_get_set (link)->in.pointer,
    .layout = frame->info
  };
  Place from;

  if (!find_place (&from, link, buffer, video, GST_MAP_READ)) {
    g_set_error_literal (error, GST_GPU_FRAME_ERROR, GST_GPU_FRAME_ERROR_READ,
        "An input frame has no memory of the CUDA context that the pipeline shares, "
        "or less of it than its caps and metas say.");
    return FALSE;
  }
  /* Pools hand memory to the CPU, too, which waits for nothing. */
  gpu_stream_keep (stream, gst_buffer_ref (buffer), NULL,
      (GDestroyNotify) gst_buffer_unref);
  if (!copy_in (link, &from, &to, error))
    return FALSE;
  gpu_stream_acquire_export (stream, frame->buffer);
  return TRUE;
}

/* A frame that is copied when the shaders have done with it. */
typedef struct
{
  Link *link;                   /* a reference: the last submission of a frame, which need not be
                                   the first, signals its semaphore */
  Place from, to;
} Output;

static void
free_output (gpointer data)
{
  Output *output = data;

  gst_gpu_cuda_link_unref (output->link);
  g_free (output);
}

/* The submission that signals was made, so CUDA can wait for it. */
static gboolean
enqueue_copy_out (const Output * output, GError ** error)
{
  const Link *link = output->link;
  CUstream stream = gst_gpu_cuda_link_get_handle (link, link->out);
  CUevent left = gst_gpu_cuda_link_get_set (link)->left;
  const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS parameters = {
    .params.fence.value = link->n,
  };

  return gst_gpu_cuda_link_check (link,
      link->cuda->cuWaitExternalSemaphoresAsync (&link->worked.cuda,
          &parameters, 1, stream), "wait for a semaphore", error)
      && follow (link, stream, output->to.stream, error)
      && copy_planes (link, stream, &output->from, &output->to, error)
      && gst_gpu_cuda_link_check (link, link->cuda->cuEventRecord (left,
          stream), "record an event", error)
      && gst_gpu_cuda_link_check (link,
      link->cuda->cuStreamWaitEvent (output->to.stream, left, 0),
      "wait for an event", error);
}

static void
copy_out (gpointer data)
{
  const Output *output = data;
  Link *link = output->link;

  if (gst_gpu_cuda_link_enter (link, &link->failure)) {
    enqueue_copy_out (output, &link->failure);
    gst_gpu_cuda_link_leave (link);
  }
}

static gboolean
record_write (GstGpuLink * base, GpuStream * stream, GstBuffer * buffer,
    const GstVideoInfo * video, const GpuFrame * frame, GError ** error)
{
  Link *link = (Link *) base;
  Output *output = g_new0 (Output, 1);

  output->link = gst_gpu_cuda_link_ref (link);
  output->from.pointer = gst_gpu_cuda_link_get_set (link)->out.pointer;
  output->from.layout = frame->info;
  if (!find_place (&output->to, link, buffer, video, GST_MAP_WRITE)) {
    free_output (output);
    g_set_error_literal (error, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_SETTINGS,
        "An output frame has no CUDA memory that can be written: its height is odd and "
        "GStreamer takes too little for its format, or a pad probe or the application puts "
        "other buffers in place of those of this element.");
    return FALSE;
  }
  gpu_stream_release_export (stream, frame->buffer);
  gpu_stream_signal_semaphore (stream, link->worked.vulkan, link->n);
  gpu_stream_keep (stream, output, copy_out, free_output);
  return TRUE;
}

static gboolean
finish_frame (GstGpuLink * base, GstBuffer * buffer,
    const GstVideoInfo * video, const GpuTicket * ticket, GError ** error)
{
  Link *link = (Link *) base;

  if (!link->failure)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&link->failure));
  return FALSE;
}

static void
disconnect (GstGpuLink * link)
{
  gst_gpu_cuda_link_unref (link);
}

/* Who has CUDA need not have the Vulkan driver of its card. That of the neighbours' Vulkan elements
 * says nothing about devices of our own. */
static gboolean
suits (GpuDevice * device)
{
  return gpu_device_get_info (device)->exports_semaphores
      || gpu_device_get_adopted (device);
}

const GstGpuPort gst_gpu_cuda_port = {
  .memory = GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY,
  .takes = takes,
  .suits = suits,
  .connect = connect,
  .unblock = gst_gpu_cuda_link_unblock,
  .disconnect = disconnect,
  .get_pool = get_pool,
  .begin_frame = begin_frame,
  .record_read = record_read,
  .record_write = record_write,
  .finish_frame = finish_frame,
};
