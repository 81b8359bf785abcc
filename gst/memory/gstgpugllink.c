/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpugllink.h"

#include "gst/common/gstgpucontext.h"

#include <unistd.h>

typedef GstGpuGlLink Link;
typedef GstGpuGlImage Image;

/* --- calls --- */

typedef struct
{
  Link *link;
  GstGpuGlFunction function;
  gpointer data;
  GError **error;
  gboolean ran, done;
} Call;

static void
run (GstGLContext * context, gpointer data)
{
  Call *call = data;

  call->ran = TRUE;
  call->done = call->function (call->link, call->data, call->error);
}

gboolean
gst_gpu_gl_link_call (Link * link, GstGpuGlFunction function, gpointer data,
    GError ** error)
{
  Call call = { link, function, data, error, FALSE, FALSE };

  link->library->gst_gl_context_thread_add (link->context, run, &call);
  /* A context of the application, say, has no thread of its own. */
  if (!call.ran)
    g_set_error_literal (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
        "the GL context of the pipeline cannot be used from other threads.");
  return call.done;
}

gboolean
gst_gpu_gl_link_check (const Link * link, const gchar * what, GError ** error)
{
  GLenum result = link->gl->GetError ();

  if (result == GL_NO_ERROR)
    return TRUE;
  g_set_error (error, GPU_ERROR, GPU_ERROR_FAILED,
      "GL cannot %s (error 0x%04x). " GST_GPU_GL_DOWNLOAD, what, result);
  return FALSE;
}

/* --- images --- */

static gboolean
forget (Link * link, gpointer data, GError ** error)
{
  Image *image = data;

  link->gl->DeleteTextures (1, &image->texture);
  link->calls.DeleteMemoryObjectsEXT (1, &image->memory);
  image->texture = image->memory = 0;
  return TRUE;
}

static void
drop (Link * link, Image * image)
{
  if (image->memory)
    gst_gpu_gl_link_call (link, forget, image, NULL);
  link->parent.memory -= image->shared.size;
  gpu_shared_image_clear (&image->shared);
}

/* A file descriptor; -1 once GL owns it. */
typedef struct
{
  Image *image;
  gint fd;
} Import;

static GLenum
format_of (guint texel)
{
  switch (texel) {
    case 1:
      return GL_R8;
    case 2:
      return GL_RG8;
    default:
      return GL_RGBA8;
  }
}

static gboolean
make_texture (Link * link, Image * image, GError ** error)
{
  link->gl->GenTextures (1, &image->texture);
  link->gl->BindTexture (GL_TEXTURE_2D, image->texture);
  link->calls.TexStorageMem2DEXT (GL_TEXTURE_2D, 1,
      format_of (image->shared.texel), image->shared.width,
      image->shared.height, image->memory, 0);
  link->gl->BindTexture (GL_TEXTURE_2D, 0);
  return gst_gpu_gl_link_check (link, "use memory of the Vulkan device", error);
}

static gboolean
import (Link * link, gpointer data, GError ** error)
{
  const GLint yes = GL_TRUE;
  Import *import = data;
  Image *image = import->image;

  link->gl->GetError ();
  link->calls.CreateMemoryObjectsEXT (1, &image->memory);
  link->calls.MemoryObjectParameterivEXT (image->memory,
      GL_DEDICATED_MEMORY_OBJECT_EXT, &yes);
  link->calls.ImportMemoryFdEXT (image->memory, image->shared.size,
      GL_HANDLE_TYPE_OPAQUE_FD_EXT, import->fd);
  if (!gst_gpu_gl_link_check (link, "import memory of the Vulkan device",
          error))
    return FALSE;
  import->fd = -1;
  return make_texture (link, image, error);
}

static gboolean
make_image (Link * link, Image * image, const GpuFrameInfo * frame,
    guint plane, GError ** error)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (frame->pixels);
  Import data = {.image = image};

  image->shared = (GpuSharedImage) {
    .texel = gpu_pixel_format_get_size (format, plane),
    .width = gpu_frame_info_plane_width (frame, plane),
    .height = gpu_frame_info_plane_height (frame, plane),
  };
  if (!gpu_shared_image_init (&image->shared, link->parent.device, &data.fd,
          error))
    return FALSE;
  link->parent.memory += image->shared.size;
  if (gst_gpu_gl_link_call (link, import, &data, error))
    return TRUE;
  if (data.fd >= 0)
    close (data.fd);
  drop (link, image);
  return FALSE;
}

gboolean
gst_gpu_gl_link_ensure_images (Link * link, Image images[GPU_MAX_PLANES],
    const GpuFrameInfo * frame, GError ** error)
{
  const guint n = gpu_pixels_get_format (frame->pixels)->n_planes;

  for (guint i = 0; i < n; i++)
    if (!images[i].memory && !make_image (link, &images[i], frame, i, error))
      return FALSE;
  return TRUE;
}

/* --- its context --- */

static GstGLContext *
find_context_of_application (GstElement * element, const GstGpuGl * library)
{
  g_autoptr (GstContext) found = gst_gpu_context_find (element,
      "gst.gl.app_context");
  GstGLContext *context = NULL;

  if (found)
    gst_structure_get (gst_context_get_structure (found), "context",
        library->gst_gl_context_get_type (), &context, NULL);
  return context;
}

static GstGLDisplay *
find_display (GstElement * element, const GstGpuGl * library)
{
  g_autoptr (GstContext) found = gst_gpu_context_find (element,
      GST_GL_DISPLAY_CONTEXT_TYPE);
  GstGLDisplay *display = NULL;
  GstGLContext *others = NULL;  /* found later */

  if (found)
    library->gst_context_get_gl_display (found, &display);
  else
    library->gst_gl_ensure_element_data (element, &display, &others);
  return display;
}

/* Other elements that have the display will take this context, too. */
static GstGLContext *
create_context (GstElement * element, GstGLDisplay * display,
    const GstGpuGl * library)
{
  GstGLContext *others = find_context_of_application (element, library);
  GstGLContext *context = NULL;

  GST_OBJECT_LOCK (display);
  do {
    gst_clear_object (&context);
    context = library->gst_gl_display_get_gl_context_for_thread (display, NULL);
    if (!context && !library->gst_gl_display_create_context (display, others,
            &context, NULL))
      break;
  } while (!library->gst_gl_display_add_context (display, context));
  GST_OBJECT_UNLOCK (display);
  gst_clear_object (&others);
  return context;
}

/* Upstream need not have a context yet, nor a display, when its caps come. */
static GstGLContext *
find_context (GstElement * element, const GstGpuGl * library, GError ** error)
{
  GstGLContext *context = NULL;
  GstGLDisplay *display;

  if (library->gst_gl_query_local_gl_context (element, GST_PAD_SINK, &context)
      || library->gst_gl_query_local_gl_context (element, GST_PAD_SRC,
          &context))
    return context;
  display = find_display (element, library);
  if (display)
    context = create_context (element, display, library);
  gst_clear_object (&display);
  if (!context)
    g_set_error_literal (error, GPU_ERROR, GPU_ERROR_NO_DEVICE,
        "Frames are in GL memory, but there is no GL context for them. "
        GST_GPU_GL_DOWNLOAD);
  return context;
}

/* --- its device --- */

/* Functions are found by name even where the driver lacks them. */
static gboolean
has_calls (const Link * link)
{
  const GstGpuGl *library = link->library;

  return library->gst_gl_context_check_feature (link->context,
      "GL_EXT_memory_object_fd")
      && link->gl->FenceSync && link->gl->ClientWaitSync
      && link->gl->DeleteSync
      && (library->gst_gl_context_check_gl_version (link->context,
          GST_GL_API_OPENGL | GST_GL_API_OPENGL3, 4, 3)
      || library->gst_gl_context_check_gl_version (link->context,
          GST_GL_API_GLES2, 3, 2)
      || library->gst_gl_context_check_feature (link->context,
          "GL_ARB_copy_image"));
}

static gboolean
find_calls (Link * link, GError ** error)
{
  gboolean has_all = has_calls (link);

#define LOAD(type, name) \
  has_all = has_all && (link->calls.name = (type) \
      link->library->gst_gl_context_get_proc_address (link->context, \
          "gl" #name));
  GST_GPU_GL_CALLS (LOAD)
#undef LOAD
      if (!has_all)
    g_set_error_literal (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
        "the GL driver cannot import memory (GL_EXT_memory_object_fd), or copy "
        "images (GL 4.3 or GLES 3.2).");
  return has_all;
}

/* A driver may list the card of another one, whose memory has another layout. */
typedef struct
{
  guint8 device[GL_UUID_SIZE_EXT], driver[GL_UUID_SIZE_EXT];
} Ids;

static gboolean
identify (Link * link, gpointer data, GError ** error)
{
  Ids *ids = data;

  if (!find_calls (link, error))
    return FALSE;
  link->gl->GetError ();
  link->calls.GetUnsignedBytei_vEXT (GL_DEVICE_UUID_EXT, 0, ids->device);
  link->calls.GetUnsignedBytevEXT (GL_DRIVER_UUID_EXT, ids->driver);
  if (link->gl->GetError () == GL_NO_ERROR)
    return TRUE;
  g_set_error_literal (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
      "the GL driver does not say what its device is.");
  return FALSE;
}

static GpuDevice *
find_device (Link * link, GstElement * element, const GpuNeeds * needs,
    GError ** error)
{
  const GpuDeviceInfo *info;
  GpuDevice *device;
  gchar uuid[37], driver[37];
  Ids ids = { 0 };

  if (!gst_gpu_gl_link_call (link, identify, &ids, error))
    return NULL;
  gpu_uuid_format (ids.device, uuid);
  gpu_uuid_format (ids.driver, driver);
  device = gst_gpu_context_find_device (element, uuid, needs, error);
  if (!device)
    return NULL;
  info = gpu_device_get_info (device);
  if (info->exports_memory && g_str_equal (info->driver_uuid, driver))
    return device;
  g_set_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
      "the Vulkan driver of \"%s\" does not share memory with the GL driver.",
      info->name);
  gpu_device_unref (device);
  return NULL;
}

/* --- its life --- */

Link *
gst_gpu_gl_link_ref (Link * link)
{
  g_atomic_int_inc (&link->refs);
  return link;
}

void
gst_gpu_gl_link_unref (gpointer data)
{
  Link *link = data;

  if (!g_atomic_int_dec_and_test (&link->refs))
    return;
  for (guint i = 0; i < GPU_MAX_PLANES; i++) {
    drop (link, &link->in[i]);
    drop (link, &link->out[i]);
  }
  if (link->parent.device)
    gpu_device_unref (link->parent.device);
  gst_object_unref (link->context);
  g_clear_error (&link->parent.fault);
  g_free (link);
}

GstGpuLink *
gst_gpu_gl_link_new (const GstGpuPort * port, GstElement * element,
    const GpuNeeds * needs, GError ** error)
{
  const GstGpuGl *library = gst_gpu_gl_open (error);
  GstGLContext *context = library ? find_context (element, library, error)
      : NULL;
  GError *failure = NULL;
  Link *link;

  if (!context)
    return NULL;
  link = g_new0 (Link, 1);
  link->parent.port = port;
  link->refs = 1;
  link->library = library;
  link->context = context;
  link->gl = context->gl_vtable;
  link->parent.device = find_device (link, element, needs, &failure);
  if (link->parent.device
      || gst_gpu_link_take_fault (&link->parent, failure, error))
    return &link->parent;
  gst_gpu_gl_link_unref (link);
  return NULL;
}
