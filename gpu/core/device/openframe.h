/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The frame that the current thread is recording. Code below the streams uses this to
 * report that building a kernel or allocating memory delays the frame. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A recording, open or closed. Every stream has one. */
typedef struct _GpuOpenFrame GpuOpenFrame;
struct _GpuOpenFrame
{
  const gchar *stream;          /* its name */
  guint64 frame;
  gint builds;                  /* atomic; kernels that this frame and all frames before
                                   waited for */
  GpuOpenFrame *outer;          /* the open frame that this thread began before, if any */
};

/* Call begin and end on the recording thread. @open must not move in between. */
void gpu_open_frame_begin (GpuOpenFrame * open);
/* Does nothing if @open has not begun. */
void gpu_open_frame_end (GpuOpenFrame * open);

/* Counts a wait for a kernel for the frame that this thread is recording, if any. */
void gpu_open_frame_note_build (void);

/* Returns the reason for a trace line: which frame the current work delays. The caller
 * frees it. NULL if tracing is off (trace.h). */
gchar *gpu_open_frame_get_reason (void);

G_END_DECLS
