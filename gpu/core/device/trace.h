/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tells why work takes its time: a line for every wait, build of a pipeline, allocation
 * and submission, with how long it took and the reason:
 *
 *   wait 12.345 ms, stream blur, submission 7 of frame 7: frame 9 needs a slot, …
 *   build 35.210 ms, kernel blur_rows: within frame 9 of blur
 *
 * First what was done ("wait", "build", "allocate", "submit"), then the time in ms, what
 * it was done with, and behind ": " the reason. A line is written when its work is done,
 * failed or not. While nobody asks for lines nothing is formatted and no clock is read. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Who gets the lines of this process. */
typedef struct
{
  /* Whether lines are wanted now; quick. NULL: always. */
  gboolean (*is_wanted) (gpointer data);
  /* @line: without an end of line; for the time of the call. */
  void (*write) (const gchar * line, gpointer data);
  gpointer data;
} GpuTracer;

/* @tracer: static, as threads may still use one that was replaced; NULL, as at first,
 * for none. Any thread. Its functions come on the thread that did the work, on several
 * at a time, and perhaps with locks of gpu/: they call nothing of gpu/. Programs without
 * GStreamer, whose log is bound by gst/common/gstgpulog.h, set one of their own:
 *
 *   static void
 *   print (const gchar * line, gpointer unused)
 *   {
 *     fprintf (stderr, "%s\n", line);
 *   }
 *
 *   static const GpuTracer tracer = { .write = print };
 *
 *   gpu_trace_set (&tracer); */
void gpu_trace_set (const GpuTracer * tracer);

/* The functions below are for gpu/; any thread. */

/* Whether there is somebody who wants lines. */
gboolean gpu_trace_is_on (void);

/* When the work begins; 0 where nobody wants lines. */
gint64 gpu_trace_begin (void);

/* Writes the line of work that began at @begin; nothing if that is 0. @format: what the
 * work was done with. @reason: NULL where lines were not wanted when it was asked for. */
void gpu_trace_end (gint64 begin, const gchar * what, const gchar * reason,
    const gchar * format, ...) G_GNUC_PRINTF (4, 5);

/* A reason with numbers in it, to be freed; NULL where nobody wants lines. */
gchar *gpu_trace_reason (const gchar * format, ...) G_GNUC_PRINTF (1, 2);

G_END_DECLS
