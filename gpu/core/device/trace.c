/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace.h"

static const GpuTracer *current;        /* atomic; or NULL */

static const GpuTracer *
get_tracer (void)
{
  const GpuTracer *tracer = g_atomic_pointer_get (&current);

  return tracer && (!tracer->is_wanted || tracer->is_wanted (tracer->data))
      ? tracer : NULL;
}

void
gpu_trace_set (const GpuTracer * tracer)
{
  g_atomic_pointer_set (&current, tracer);
}

gboolean
gpu_trace_is_on (void)
{
  return get_tracer () != NULL;
}

gint64
gpu_trace_begin (void)
{
  return gpu_trace_is_on ()? g_get_monotonic_time () : 0;
}

void
gpu_trace_end (gint64 begin, const gchar * what, const gchar * reason,
    const gchar * format, ...)
{
  const GpuTracer *tracer = begin ? get_tracer () : NULL;
  g_autofree gchar *with = NULL, *line = NULL;
  va_list arguments;
  gint64 us;

  if (!tracer)
    return;
  us = g_get_monotonic_time () - begin;
  va_start (arguments, format);
  with = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  line = g_strdup_printf ("%s %" G_GINT64_FORMAT ".%03d ms, %s: %s", what,
      us / 1000, (gint) (us % 1000), with, reason ? reason : "not known");
  tracer->write (line, tracer->data);
}

gchar *
gpu_trace_reason (const gchar * format, ...)
{
  gchar *reason;
  va_list arguments;

  if (!gpu_trace_is_on ())
    return NULL;
  va_start (arguments, format);
  reason = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return reason;
}

/* --- the frame that a thread records --- */

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
