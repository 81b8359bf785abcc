/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames in textures of GStreamer's GL library, without a window. */
#pragma once

#include "port_fixture.h"

G_BEGIN_DECLS

#define GL_MEMORY "GLMemory"

/* main() of a program of such tests. They are skipped where GL cannot have memory of Vulkan. */
#define GL_MAIN(prefix) FIXTURE_MAIN_AFTER (prefix, gl_begin ())
void gl_begin (void);
/* Defines a test. */
#define TEST_OF_GL(name) \
  static void run_##name (void); \
  TEST (name) \
  { \
    if (gl_is_there ()) \
      run_##name (); \
  } \
  static void \
  run_##name (void)
/* Skips the test at hand if it is not. */
gboolean gl_is_there (void);

/* What upstream answers when it is asked: its context, or the display alone, or nothing. */
typedef enum
{
  GL_CONTEXT,
  GL_DISPLAY,
  GL_NOTHING,
} GlAnswer;

extern GlAnswer gl_answer;
void gl_set_caps (GstHarness * harness, const gchar * format, guint width,
    guint height);

/* The frame of fixture_frame() in textures. The other one is of a context that shares none. */
GstBuffer *gl_frame (const gchar * format, guint width, guint height,
    guint seed);
GstBuffer *gl_frame_of_another (const gchar * format, guint width,
    guint height);

/* A pool of such frames; a reference. */
GstBufferPool *gl_pool (const gchar * format, guint width, guint height);

/* Whether @buffer is in textures, and has a meta by which readers wait for them. */
gboolean gl_is_frame (GstBuffer * buffer);

/* This function of GL fails, after @after calls from now on; NULL: none. It is one of those that
 * gl_fixture.c wraps. */
void gl_fail (const gchar * function, guint after);
/* Memory of Vulkan that GL has now. */
gint gl_count_memories (void);

G_END_DECLS
