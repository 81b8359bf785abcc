/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "openframe.h"
#include "trace.h"

static GPrivate newest;         /* per thread: innermost open GpuOpenFrame, or NULL */

void
gpu_open_frame_begin (GpuOpenFrame * open)
{
  open->outer = g_private_get (&newest);
  g_private_set (&newest, open);
}

void
gpu_open_frame_end (GpuOpenFrame * open)
{
  GpuOpenFrame *inner = g_private_get (&newest);

  if (inner == open) {
    g_private_set (&newest, open->outer);
    return;
  }
  while (inner && inner->outer != open)
    inner = inner->outer;
  if (inner)
    inner->outer = open->outer;
}

void
gpu_open_frame_note_build (void)
{
  GpuOpenFrame *open = g_private_get (&newest);

  if (open)
    g_atomic_int_inc (&open->builds);
}

gchar *
gpu_open_frame_get_reason (void)
{
  const GpuOpenFrame *open = g_private_get (&newest);

  return open ? gpu_trace_reason ("within frame %" G_GUINT64_FORMAT " of %s",
      open->frame, open->stream) : gpu_trace_reason ("not within a frame");
}
