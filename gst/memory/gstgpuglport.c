/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames as textures of GL. GL copies them to images that the Vulkan device exports, and from
 * there. The CPU waits until one side has done with an image before the other one begins: with
 * semaphores, all of GL, and with it the application's windows, would wait for a Vulkan device that
 * is lost. */
#include "gstgpuglport.h"

#include "gpu/core/device/foreign.h"
#include "gpu/core/device/process.h"
#include "gstgpugllink.h"

typedef GstGpuGlLink Link;
typedef GstGpuGlImage Image;

static GstGpuLink *
connect (GstElement * element, const GpuNeeds * needs, guint n_frames,
    GError ** error)
{
  return gst_gpu_gl_link_new (&gst_gpu_gl_port, element, needs, error);
}

static void
disconnect (GstGpuLink * link)
{
  gst_gpu_gl_link_unref (link);
}

/* A device of the neighbours' Vulkan elements says nothing about devices of our own. */
static gboolean
suits (GpuDevice * device)
{
  return gpu_device_get_info (device)->exports_memory
      || gpu_device_get_adopted (device);
}

static GType
get_sync_api (const GstGpuLink * link)
{
  return ((const Link *) link)->library->gst_gl_sync_meta_api_get_type ();
}

/* --- pools --- */

static gboolean
shares_textures (const Link * link, GstGLContext * context)
{
  return link->library->gst_gl_context_can_share (context, link->context);
}

static gboolean
is_of_context (GstBufferPool * pool, const Link * link)
{
  return G_TYPE_CHECK_INSTANCE_TYPE (pool,
      link->library->gst_gl_buffer_pool_get_type ())
      && shares_textures (link, ((GstGLBufferPool *) pool)->context);
}

static gboolean
configure (GstBufferPool * pool, GstCaps * caps, guint min)
{
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  gst_buffer_pool_config_add_option (config,
      GST_BUFFER_POOL_OPTION_GL_SYNC_META);
  return gst_gpu_port_configure_pool (pool, config, caps, min);
}

static GstBufferPool *
get_pool (GstGpuLink * base, GstCaps * caps, guint min,
    GstBufferPool * proposed, GError ** error)
{
  const Link *link = (Link *) base;
  GstBufferPool *pool;

  if (proposed && is_of_context (proposed, link)
      && configure (proposed, caps, min))
    return gst_object_ref (proposed);
  pool = link->library->gst_gl_buffer_pool_new (link->context);
  if (configure (pool, caps, min))
    return pool;
  g_set_error_literal (error, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NO_SPACE_LEFT, "GL has no textures for output frames; "
      "use smaller frames or close other programs.");
  gst_object_unref (pool);
  return NULL;
}

/* --- frames --- */

/* Those that GStreamer has as textures with texels of 1, 2 or 4 bytes, one for each pixel. */
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
    case GPU_PIXELS_XRGB:
    case GPU_PIXELS_XBGR:
    case GPU_PIXELS_GBR:
    case GPU_PIXELS_GBRA:
    case GPU_PIXELS_AYUV:
    case GPU_PIXELS_VUYA:
    case GPU_PIXELS_NV12:
    case GPU_PIXELS_NV21:
    case GPU_PIXELS_I420:
    case GPU_PIXELS_YV12:
    case GPU_PIXELS_Y42B:
    case GPU_PIXELS_Y444:
    case GPU_PIXELS_GRAY8:
    case GPU_PIXELS_P010:
      return TRUE;
    default:
      return FALSE;
  }
}

static GstGLContext *
context_of (GstMemory * memory)
{
  return ((GstGLBaseMemory *) memory)->context;
}

/* Returns whether the frame, which begins at the pixel @origin of @buffer, has a texture for each
 * plane, and lies inside of them. Sets @are_own to whether all are of the context of @link. */
static gboolean
has_textures (const Link * link, GstBuffer * buffer, const GpuFrameInfo * frame,
    const gint origin[2], gboolean * are_own)
{
  const GstGpuGl *library = link->library;
  const GpuPixelFormat *format = gpu_pixels_get_format (frame->pixels);
  gboolean has_all = gst_buffer_n_memory (buffer) == format->n_planes;

  *are_own = TRUE;
  for (guint i = 0; i < format->n_planes && has_all; i++) {
    GstMemory *memory = gst_buffer_peek_memory (buffer, i);
    GstGLMemory *texture = (GstGLMemory *) memory;

    has_all = library->gst_is_gl_memory (memory)
        && shares_textures (link, context_of (memory))
        && library->gst_gl_memory_get_texture_target (texture)
        == GST_GL_TEXTURE_TARGET_2D
        && (guint) library->gst_gl_memory_get_texture_width (texture)
        >= (origin[0] >> format->shift_x[i]) +
        gpu_frame_info_plane_width (frame, i)
        && (guint) library->gst_gl_memory_get_texture_height (texture)
        >= (origin[1] >> format->shift_y[i]) +
        gpu_frame_info_plane_height (frame, i);
    *are_own &= has_all && context_of (memory) == link->context;
  }
  return has_all;
}

/* A frame in textures, and where Vulkan has it or wants it. */
typedef struct
{
  GstBuffer *buffer;
  GstMapInfo maps[GPU_MAX_PLANES];      /* of its textures */
  guint n;
  GstGLSyncMeta *sync;          /* of its buffer, or NULL */
  const GpuPixelFormat *format;
  const Image *images;
  gint origin[2];               /* the pixel of its textures at which the frame begins */
  gboolean is_read;
} Copy;

static void
copy_plane (const Link * link, const Copy * copy, guint i)
{
  const Image *image = &copy->images[i];
  const GLuint texture = *(guint *) copy->maps[i].data;

  link->calls.CopyImageSubData (copy->is_read ? texture : image->texture,
      GL_TEXTURE_2D, 0, copy->origin[0] >> copy->format->shift_x[i],
      copy->origin[1] >> copy->format->shift_y[i], 0,
      copy->is_read ? image->texture : texture, GL_TEXTURE_2D, 0, 0, 0, 0,
      image->shared.width, image->shared.height, 1);
}

/* As long as the Vulkan device may work: ten seconds. */
#define WAIT_NS G_GUINT64_CONSTANT (100000000)
#define MOST_WAITS 100

/* exit() waits for this, as for all work on a frame (gpu/core/device/process.h). */
static gboolean
wait_for_copies (Link * link, gpointer unused, GError ** error)
{
  GLsync fence = link->gl->FenceSync (GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  GLenum result = GL_TIMEOUT_EXPIRED;

  for (guint i = 0; i < MOST_WAITS && result == GL_TIMEOUT_EXPIRED
      && gpu_process_check (error); i++)
    result = link->gl->ClientWaitSync (fence, GL_SYNC_FLUSH_COMMANDS_BIT,
        WAIT_NS);
  link->gl->DeleteSync (fence);
  link->is_reading = result != GL_ALREADY_SIGNALED
      && result != GL_CONDITION_SATISFIED;
  if (!link->is_reading)
    return TRUE;
  if (result == GL_TIMEOUT_EXPIRED && (!error || !*error))
    g_set_error_literal (error, GPU_ERROR, GPU_ERROR_FAILED,
        "GL has not copied a frame after ten seconds.");
  else if (result == GL_WAIT_FAILED)
    g_set_error_literal (error, GPU_ERROR, GPU_ERROR_FAILED,
        "GL cannot wait for its copy of a frame. " GST_GPU_GL_DOWNLOAD);
  return FALSE;
}

/* The images of an input are written when this returns. Those of an output may still be read. */
static gboolean
copy_planes (Link * link, gpointer data, GError ** error)
{
  const Copy *copy = data;

  link->gl->GetError ();
  if (copy->sync && copy->is_read)
    link->library->gst_gl_sync_meta_wait (copy->sync, link->context);
  for (guint i = 0; i < copy->n; i++)
    copy_plane (link, copy, i);
  if (copy->sync && !copy->is_read)
    link->library->gst_gl_sync_meta_set_sync_point (copy->sync, link->context);
  link->is_reading |= !copy->is_read;
  return gst_gpu_gl_link_check (link, "copy a frame", error)
      && (!copy->is_read || wait_for_copies (link, NULL, error));
}

/* A map brings to a texture what the CPU wrote, or notes that it is written. */
static gboolean
map_textures (Copy * copy)
{
  const GstMapFlags access = copy->is_read ? GST_MAP_READ : GST_MAP_WRITE;

  while (copy->n < copy->format->n_planes
      && gst_memory_map (gst_buffer_peek_memory (copy->buffer, copy->n),
          &copy->maps[copy->n], access | GST_MAP_GL))
    copy->n++;
  return copy->n == copy->format->n_planes;
}

static gboolean
copy_textures (Link * link, gpointer data, GError ** error)
{
  Copy *copy = data;
  gboolean done = map_textures (copy);

  if (done)
    done = gst_gpu_gl_link_call (link, copy_planes, copy, error);
  else
    g_set_error_literal (error, GPU_ERROR, GPU_ERROR_FAILED,
        "GL cannot use the textures of a frame. " GST_GPU_GL_DOWNLOAD);
  for (guint i = 0; i < copy->n; i++)
    gst_memory_unmap (copy->maps[i].memory, &copy->maps[i]);
  return done;
}

static void
set_error_of_no_textures (gboolean is_read, GError ** error)
{
  if (is_read)
    g_set_error_literal (error, GST_GPU_FRAME_ERROR, GST_GPU_FRAME_ERROR_READ,
        "An input frame has no textures of a GL context that the pipeline shares, or "
        "smaller ones than its caps and metas say.");
  else
    g_set_error_literal (error, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_SETTINGS,
        "An output frame has no textures that can be "
        "written. Remove the pad probe or the code of the application that puts other "
        "buffers or another pool in place of those of this element.");
}

/* Maps wait for the thread of the context that the textures are of. Mostly it is that of the link,
 * which then does all. But no thread of a context waits for that of another. */
static gboolean
copy_frame (Link * link, GstBuffer * buffer, const GstVideoInfo * video,
    gboolean is_read, GError ** error)
{
  Copy copy = {
    .buffer = buffer,
    .sync = (GstGLSyncMeta *) gst_buffer_get_meta (buffer,
        get_sync_api (&link->parent)),
    .images = is_read ? link->in : link->out,
    .is_read = is_read,
  };
  GpuFrameInfo info;
  gboolean are_own;

  gst_gpu_frame_info_from_video (&info, video);
  copy.format = gpu_pixels_get_format (info.pixels);
  if (is_read)
    gst_gpu_frame_get_origin (buffer, video, &copy.origin[0], &copy.origin[1]);
  if (!has_textures (link, buffer, &info, copy.origin, &are_own)) {
    set_error_of_no_textures (is_read, error);
    return FALSE;
  }
  return are_own ? gst_gpu_gl_link_call (link, copy_textures, &copy, error)
      : copy_textures (link, &copy, error);
}

/* The rows of plane @i in a buffer, and all of its image. */
static GpuImageRegion
region_of (const GpuFrameInfo * info, guint i, const GpuSharedImage * image)
{
  return (GpuImageRegion) {
    .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
    .width = image->width,
    .height = image->height,
    .offset = info->offset[i],
    .row_texels = info->stride[i] / image->texel,
    .size = (image->height - 1) * info->stride[i]
        + image->width * image->texel,
  };
}

/* Records copies of all planes. */
static void
record_planes (Link * link, GpuStream * stream, const GpuFrame * frame,
    gboolean is_read)
{
  const guint n = gpu_pixels_get_format (frame->info.pixels)->n_planes;

  gpu_stream_keep (stream, gst_gpu_gl_link_ref (link), NULL,
      gst_gpu_gl_link_unref);
  for (guint i = 0; i < n; i++) {
    const GpuSharedImage *image = is_read ? &link->in[i].shared
        : &link->out[i].shared;
    const GpuImageRegion region = region_of (&frame->info, i, image);

    gpu_stream_take_image (stream, image);
    if (is_read)
      gpu_stream_copy_from_image (stream, &image->image, &region,
          frame->buffer);
    else
      gpu_stream_copy_to_image (stream, frame->buffer, &image->image, &region);
    gpu_stream_return_image (stream, image);
  }
}

/* The frame before may have left in memory of this plugin, and then nobody has waited for it. */
static gboolean
record_read (GstGpuLink * base, GpuStream * stream, GstBuffer * buffer,
    const GstVideoInfo * video, const GpuFrame * frame, GError ** error)
{
  Link *link = (Link *) base;

  if (!gst_gpu_gl_link_ensure_images (link, link->in, &frame->info, error)
      || !gpu_stream_wait_idle (stream, error)
      || !copy_frame (link, buffer, video, TRUE, error))
    return FALSE;
  gpu_stream_stage (stream, "from texture");
  record_planes (link, stream, frame, TRUE);
  return TRUE;
}

static gboolean
record_write (GstGpuLink * base, GpuStream * stream, GstBuffer * buffer,
    const GstVideoInfo * video, const GpuFrame * frame, GError ** error)
{
  Link *link = (Link *) base;

  if (!gst_gpu_gl_link_ensure_images (link, link->out, &frame->info, error)
      || (link->is_reading && !gst_gpu_gl_link_call (link, wait_for_copies,
              NULL, error)))
    return FALSE;
  gpu_stream_stage (stream, "to texture");
  record_planes (link, stream, frame, FALSE);
  return TRUE;
}

static gboolean
finish_frame (GstGpuLink * base, GstBuffer * buffer,
    const GstVideoInfo * video, const GpuTicket * ticket, GError ** error)
{
  return gpu_ticket_wait_because (ticket, "GL reads the frame", error)
      && copy_frame ((Link *) base, buffer, video, FALSE, error);
}

const GstGpuPort gst_gpu_gl_port = {
  .memory = GST_CAPS_FEATURE_MEMORY_GL_MEMORY,
  .caps_field = "texture-target",
  .caps_value = GST_GL_TEXTURE_TARGET_2D_STR,
  .takes = takes,
  .suits = suits,
  .connect = connect,
  .disconnect = disconnect,
  .get_pool = get_pool,
  .get_sync_api = get_sync_api,
  .record_read = record_read,
  .record_write = record_write,
  .finish_frame = finish_frame,
};
