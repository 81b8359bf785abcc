/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gl_fixture.h"

#include <gst/gl/gl.h>
#include <gst/gl/gstglfuncs.h>

static GstGLDisplay *display;
static GstGLContext *context;

/* --- functions of GL that fail --- */

static gpointer (*find_function) (GstGLAPI api, const gchar * name);

static const gchar *failing;
static guint calls_before_failure;
static gint n_memories;         /* atomic */

/* Returns whether @function is to fail now. GL then notes an error, as drivers do. */
static gboolean
fails (const gchar * function)
{
  if (g_strcmp0 (function, failing) || calls_before_failure-- > 0)
    return FALSE;
  calls_before_failure = 0;
  context->gl_vtable->Enable (GL_NONE);
  return TRUE;
}

/* A function with parameters, as they are declared and as they are passed on. */
#define WRAP(type, name, declared, passed) \
  static void \
  wrapped_##name declared \
  { \
    if (!fails ("gl" #name)) \
      ((type) find_function (GST_GL_API_OPENGL3, "gl" #name)) passed; \
  }

WRAP (PFNGLGETUNSIGNEDBYTEVEXTPROC, GetUnsignedBytevEXT,
    (GLenum what, GLubyte * bytes), (what, bytes))
    WRAP (PFNGLIMPORTMEMORYFDEXTPROC, ImportMemoryFdEXT,
    (GLuint memory, GLuint64 size, GLenum kind, GLint fd),
    (memory, size, kind, fd))
    WRAP (PFNGLTEXSTORAGEMEM2DEXTPROC, TexStorageMem2DEXT,
    (GLenum target, GLsizei levels, GLenum format, GLsizei width,
        GLsizei height, GLuint memory, GLuint64 offset),
    (target, levels, format, width, height, memory, offset))
    WRAP (PFNGLCOPYIMAGESUBDATAPROC, CopyImageSubData,
    (GLuint from, GLenum from_target, GLint from_level, GLint from_x,
        GLint from_y, GLint from_z, GLuint to, GLenum to_target,
        GLint to_level, GLint to_x, GLint to_y, GLint to_z, GLsizei width,
        GLsizei height, GLsizei depth),
    (from, from_target, from_level, from_x, from_y, from_z, to, to_target,
        to_level, to_x, to_y, to_z, width, height, depth))
     static void create_memories (GLsizei n, GLuint * memories)
{
  PFNGLCREATEMEMORYOBJECTSEXTPROC create =
      find_function (GST_GL_API_OPENGL3, "glCreateMemoryObjectsEXT");

  g_atomic_int_add (&n_memories, n);
  create (n, memories);
}

static void
delete_memories (GLsizei n, const GLuint * memories)
{
  PFNGLDELETEMEMORYOBJECTSEXTPROC delete =
      find_function (GST_GL_API_OPENGL3, "glDeleteMemoryObjectsEXT");

  g_atomic_int_add (&n_memories, -n);
  delete (n, memories);
}

static gpointer
find_wrapped (GstGLAPI api, const gchar * name)
{
  static const struct
  {
    const gchar *name;
    void (*function) (void);
  } wrapped[] = {
    {"glGetUnsignedBytevEXT", (GCallback) wrapped_GetUnsignedBytevEXT},
    {"glImportMemoryFdEXT", (GCallback) wrapped_ImportMemoryFdEXT},
    {"glTexStorageMem2DEXT", (GCallback) wrapped_TexStorageMem2DEXT},
    {"glCopyImageSubData", (GCallback) wrapped_CopyImageSubData},
    {"glCreateMemoryObjectsEXT", (GCallback) create_memories},
    {"glDeleteMemoryObjectsEXT", (GCallback) delete_memories},
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrapped); i++)
    if (g_str_equal (name, wrapped[i].name))
      return (gpointer) wrapped[i].function;
  return find_function (api, name);
}

void
gl_fail (const gchar * function, guint after)
{
  calls_before_failure = after;
  failing = function;
}

gint
gl_count_memories (void)
{
  return g_atomic_int_get (&n_memories);
}

/* --- the library --- */

static GstGLContext *
new_context (GstGLDisplay * owner)
{
  GstGLContext *made = NULL;
  g_autoptr (GError) error = NULL;

  GST_OBJECT_LOCK (owner);
  if (gst_gl_display_create_context (owner, NULL, &made, &error))
    gst_gl_display_add_context (owner, made);
  GST_OBJECT_UNLOCK (owner);
  if (error)
    g_test_message ("%s", error->message);
  return made;
}

void
gl_begin (void)
{
  GstGLContextClass *klass;

  if (!fixture_device ())
    return;
  fixture_share_device ();
  display = gst_gl_display_new ();
  context = new_context (display);
  if (!context || !gst_gl_context_check_feature (context,
          "GL_EXT_memory_object_fd")
      || !gpu_device_get_info (fixture_device ())->exports_memory) {
    gst_clear_object (&context);
    return;
  }
  klass = GST_GL_CONTEXT_GET_CLASS (context);
  find_function = klass->get_proc_address;
  klass->get_proc_address = find_wrapped;
}

gboolean
gl_is_there (void)
{
  if (!context)
    g_test_skip ("GL cannot have memory of this Vulkan device");
  return context != NULL;
}

/* --- what upstream knows --- */

GlAnswer gl_answer;

static GstPadProbeReturn
answer (GstPad * pad, GstPadProbeInfo * info, gpointer element)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);

  if (GST_QUERY_TYPE (query) == GST_QUERY_CONTEXT && gl_answer != GL_NOTHING
      && gst_gl_handle_context_query (element, query, display,
          gl_answer == GL_CONTEXT ? context : NULL, NULL))
    return GST_PAD_PROBE_HANDLED;
  return GST_PAD_PROBE_OK;
}

static GstCaps *
caps_of (const gchar * format, guint width, guint height)
{
  GstCaps *caps = port_caps (GL_MEMORY, format, width, height);

  gst_caps_set_simple (caps, "texture-target", G_TYPE_STRING, "2D", NULL);
  return caps;
}

void
gl_set_caps (GstHarness * harness, const gchar * format, guint width,
    guint height)
{
  static const gchar key[] = "answers";

  if (!g_object_get_data (G_OBJECT (harness->srcpad), key))
    gst_pad_add_probe (harness->srcpad, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM,
        answer, harness->element, NULL);
  g_object_set_data (G_OBJECT (harness->srcpad), key, harness);
  gst_harness_set_src_caps (harness, caps_of (format, width, height));
}

/* --- frames --- */

static GstBufferPool *
new_pool (GstGLContext * owner, GstCaps * caps)
{
  GstBufferPool *pool = gst_gl_buffer_pool_new (owner);
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_params (config, caps, 1, 1, 0);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  gst_buffer_pool_config_add_option (config,
      GST_BUFFER_POOL_OPTION_GL_SYNC_META);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  return pool;
}

GstBufferPool *
gl_pool (const gchar * format, guint width, guint height)
{
  g_autoptr (GstCaps) caps = caps_of (format, width, height);

  return new_pool (context, caps);
}

/* The buffer is all that is left of a pool. */
static GstBuffer *
new_frame (GstGLContext * owner, const gchar * format, guint width,
    guint height, guint seed)
{
  g_autoptr (GstCaps) caps = caps_of (format, width, height);
  g_autoptr (GstBufferPool) pool = new_pool (owner, caps);
  GstVideoInfo info;
  GstBuffer *buffer;

  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), ==,
      GST_FLOW_OK);
  gst_buffer_pool_set_active (pool, FALSE);
  g_assert_true (gst_video_info_from_caps (&info, caps));
  fixture_fill (buffer, &info, seed);
  return buffer;
}

GstBuffer *
gl_frame (const gchar * format, guint width, guint height, guint seed)
{
  return new_frame (context, format, width, height, seed);
}

GstBuffer *
gl_frame_of_another (const gchar * format, guint width, guint height)
{
  GstGLContext *another = new_context (display);
  GstBuffer *frame = new_frame (another, format, width, height, 1);

  gst_object_unref (another);
  return frame;
}

gboolean
gl_is_frame (GstBuffer * buffer)
{
  return gst_is_gl_memory (gst_buffer_peek_memory (buffer, 0))
      && gst_buffer_get_n_meta (buffer, GST_GL_SYNC_META_API_TYPE) == 1;
}
