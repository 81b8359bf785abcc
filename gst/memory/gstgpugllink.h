/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What an element has of GL's port: images that the Vulkan device exports, as textures of GL. */
#pragma once

#include "gpu/core/stream/sharedimage.h"
#include "gstgpugl.h"
#include "gstgpuport.h"

G_BEGIN_DECLS

/* The image of a plane, as GL has it, too. */
typedef struct
{
  GpuSharedImage shared;
  GLuint memory, texture;       /* 0: there is no image */
} GstGpuGlImage;

typedef struct
{
  GstGpuLink parent;
  gint refs;
  const GstGpuGl *library;
  GstGLContext *context;
  const GstGLFuncs *gl;
  GstGpuGlCalls calls;
  GstGpuGlImage in[GPU_MAX_PLANES], out[GPU_MAX_PLANES];
  gboolean is_reading;          /* GL may still copy the newest frame from "out" */
} GstGpuGlLink;

/* See connect of GstGpuPort. */
GstGpuLink *gst_gpu_gl_link_new (const GstGpuPort * port,
    GstElement * element, const GpuNeeds * needs, GError ** error);
/* Both are thread safe. */
GstGpuGlLink *gst_gpu_gl_link_ref (GstGpuGlLink * link);
void gst_gpu_gl_link_unref (gpointer link);

/* What is done on the thread of the context, where GL can be called. Returns FALSE with @error set
 * on failure. */
typedef gboolean (*GstGpuGlFunction) (GstGpuGlLink * link, gpointer data,
    GError ** error);
/* Waits for that thread, and returns what @function returns. */
gboolean gst_gpu_gl_link_call (GstGpuGlLink * link,
    GstGpuGlFunction function, gpointer data, GError ** error);

/* Returns whether GL has had no error since the last call; if it has, @error says that GL cannot do
 * @what. On GL's thread. */
gboolean gst_gpu_gl_link_check (const GstGpuGlLink * link,
    const gchar * what, GError ** error);

/* Makes sure that @images, which are of @link, have an image for each plane of @frame; all frames
 * of a link are alike. Returns FALSE with @error set on failure. */
gboolean gst_gpu_gl_link_ensure_images (GstGpuGlLink * link,
    GstGpuGlImage images[GPU_MAX_PLANES], const GpuFrameInfo * frame,
    GError ** error);

G_END_DECLS
