/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The frame that a thread is recording, for files below the streams: whoever builds a
 * kernel or takes memory meanwhile holds it up. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A recording that is open, or was: every stream has one. */
typedef struct _GpuOpenFrame GpuOpenFrame;
struct _GpuOpenFrame
{
  const gchar *stream;          /* its name */
  guint64 frame;
  gint builds;                  /* atomic; kernels built in it and in those before */
  GpuOpenFrame *outer;          /* that this thread began before and has not ended */
};

/* Both on the thread that records. @open stays where it is in between. */
void gpu_open_frame_begin (GpuOpenFrame * open);
/* Nothing where it has not begun. */
void gpu_open_frame_end (GpuOpenFrame * open);

/* This thread built a kernel: counts for what it is recording, if anything. */
void gpu_open_frame_note_build (void);

/* The reason that traces give for what this thread does: which frame has to wait for
 * it. To be freed; NULL where nobody wants lines (trace.h). */
gchar *gpu_open_frame_get_reason (void);

G_END_DECLS
