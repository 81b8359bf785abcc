/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parts of GStreamer's GL library, and of GL itself, that frames in GL memory need. The library
 * is opened when such frames come; nothing links to it. */
#pragma once

#include <gst/gl/gl.h>
#include <gst/gl/gstglfuncs.h>

G_BEGIN_DECLS

/* --- GStreamer's library, under its names --- */

#define GST_GPU_GL_FUNCTIONS(DO) \
  DO (gst_context_get_gl_display) \
  DO (gst_gl_buffer_pool_get_type) \
  DO (gst_gl_buffer_pool_new) \
  DO (gst_gl_context_can_share) \
  DO (gst_gl_context_check_feature) \
  DO (gst_gl_context_check_gl_version) \
  DO (gst_gl_context_get_proc_address) \
  DO (gst_gl_context_get_type) \
  DO (gst_gl_context_thread_add) \
  DO (gst_gl_display_add_context) \
  DO (gst_gl_display_create_context) \
  DO (gst_gl_display_get_gl_context_for_thread) \
  DO (gst_gl_ensure_element_data) \
  DO (gst_gl_memory_get_texture_height) \
  DO (gst_gl_memory_get_texture_target) \
  DO (gst_gl_memory_get_texture_width) \
  DO (gst_gl_query_local_gl_context) \
  DO (gst_gl_sync_meta_api_get_type) \
  DO (gst_gl_sync_meta_set_sync_point) \
  DO (gst_gl_sync_meta_wait) \
  DO (gst_is_gl_memory)

typedef struct
{
#define MEMBER(name) __typeof__ (name) *name;
  GST_GPU_GL_FUNCTIONS (MEMBER)
#undef MEMBER
} GstGpuGl;

/* Returns the functions, which are static; NULL with @error set (UNSUPPORTED) if the library or
 * some of them are missing. The library stays open: GLib cannot forget its types. Thread safe. */
const GstGpuGl *gst_gpu_gl_open (GError ** error);

/* --- what GStreamer's table of GL's functions lacks --- */

/* A type, and a name without "gl". They copy textures, and import memory by
 * GL_EXT_memory_object_fd. */
#define GST_GPU_GL_CALLS(DO) \
  DO (PFNGLCOPYIMAGESUBDATAPROC, CopyImageSubData) \
  DO (PFNGLGETUNSIGNEDBYTEVEXTPROC, GetUnsignedBytevEXT) \
  DO (PFNGLGETUNSIGNEDBYTEI_VEXTPROC, GetUnsignedBytei_vEXT) \
  DO (PFNGLCREATEMEMORYOBJECTSEXTPROC, CreateMemoryObjectsEXT) \
  DO (PFNGLDELETEMEMORYOBJECTSEXTPROC, DeleteMemoryObjectsEXT) \
  DO (PFNGLMEMORYOBJECTPARAMETERIVEXTPROC, MemoryObjectParameterivEXT) \
  DO (PFNGLIMPORTMEMORYFDEXTPROC, ImportMemoryFdEXT) \
  DO (PFNGLTEXSTORAGEMEM2DEXTPROC, TexStorageMem2DEXT)

typedef struct
{
#define MEMBER(type, name) type name;
  GST_GPU_GL_CALLS (MEMBER)
#undef MEMBER
} GstGpuGlCalls;

/* The end of errors. */
#define GST_GPU_GL_DOWNLOAD \
  "Put \"gldownload ! video/x-raw\" before this element."

G_END_DECLS
