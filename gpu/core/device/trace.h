/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Traces where time is spent: one line for every wait, pipeline build, allocation and
 * submission, with its duration and the reason:
 *
 *   wait 12.345 ms, stream blur, submission 7 of frame 7: frame 9 needs a slot, …
 *   build 35.210 ms, kernel blur_rows: the next frame needs it
 *
 * A line names the operation ("wait", "build", "allocate", "submit"), its duration in ms,
 * its object and, after ": ", the reason. It is written when the operation ends, whether
 * it succeeded or failed. While tracing is off, nothing is formatted and no clock is
 * read. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Receives the lines of this process. */
typedef struct
{
  /* Returns whether tracing is on; must be fast. NULL: always on. */
  gboolean (*is_wanted) (gpointer data);
  /* Writes a line. @line has no newline and is valid during the call only. */
  void (*write) (const gchar * line, gpointer data);
  gpointer data;
} GpuTracer;

/* Sets the tracer. @tracer must be static, because threads may still use the previous
 * one; NULL (the default): tracing is off. Thread safe. The functions of @tracer are
 * called on the threads that do the work, possibly on several at once and with locks of
 * gpu/ held: they must not call functions of gpu/. gst/filter/gstgpufilter.c traces to the
 * log of GStreamer. A program without GStreamer sets its own tracer:
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

/* The functions below are used inside gpu/. They are thread safe. */

/* Returns whether tracing is on. */
gboolean gpu_trace_is_on (void);

/* Call this before an operation. Returns its start time for gpu_trace_end(), or 0 if
 * tracing is off. */
gint64 gpu_trace_begin (void);

/* Writes the line for the operation @what that began at @begin; does nothing if @begin
 * is 0. @format: the object. @reason: NULL if tracing was off when it was made. */
void gpu_trace_end (gint64 begin, const gchar * what, const gchar * reason,
    const gchar * format, ...) G_GNUC_PRINTF (4, 5);

/* Formats a reason, which the caller frees. Returns NULL if tracing is off. */
gchar *gpu_trace_reason (const gchar * format, ...) G_GNUC_PRINTF (1, 2);

/* --- the frame that a thread records ---
 *
 * The frame that the current thread is recording. Code below the streams uses this to
 * report that building a kernel or allocating memory delays the frame. */

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
 * frees it. NULL if tracing is off. */
gchar *gpu_open_frame_get_reason (void);

G_END_DECLS
