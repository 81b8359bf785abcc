/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tickets: they identify a submission and tell whether it is done. */
#include "gpu/core/device/process.h"
#include "wait.h"

guint64
gpu_stream_get_serial (GpuStream * stream)
{
  return stream->next_serial;
}

void
gpu_stream_get_ticket (GpuStream * stream, GpuTicket * ticket)
{
  const GpuTicket mine = { stream, stream->next_serial + 1 };

  gpu_ticket_set (ticket, &mine);
}

gboolean
gpu_ticket_wait_because (const GpuTicket * ticket, const gchar * reason,
    GError ** error)
{
  GpuStream *stream = ticket->stream;
  gboolean done;

  if (!stream)
    return TRUE;
  if (!gpu_process_enter (error))
    return FALSE;
  g_mutex_lock (&stream->lock);
  done = gpu_stream_wait_for (stream, ticket->serial, reason, error);
  gpu_stream_unlock_and_drop (stream);
  gpu_process_leave ();
  return done;
}

gboolean
gpu_ticket_wait (const GpuTicket * ticket, GError ** error)
{
  return gpu_ticket_wait_because (ticket, "the caller needs it to be done",
      error);
}

gboolean
gpu_ticket_is_submitted (const GpuTicket * ticket)
{
  GpuStream *stream = ticket->stream;
  gboolean submitted;

  if (!stream)
    return TRUE;
  /* gpu_ticket_wait() reports the error. */
  if (gpu_process_is_over ())
    return TRUE;
  g_mutex_lock (&stream->lock);
  submitted = ticket->serial <= stream->next_serial;
  g_mutex_unlock (&stream->lock);
  return submitted;
}

gboolean
gpu_ticket_is_done (const GpuTicket * ticket)
{
  GpuStream *stream = ticket->stream;
  gboolean done;

  if (!stream)
    return TRUE;
  if (!gpu_process_enter (NULL))
    return FALSE;
  g_mutex_lock (&stream->lock);
  done = gpu_stream_look_for (stream, ticket->serial);
  gpu_stream_unlock_and_drop (stream);
  gpu_process_leave ();
  return done;
}

void
gpu_ticket_set (GpuTicket * ticket, const GpuTicket * other)
{
  GpuStream *stream = other->stream ? gpu_stream_ref (other->stream) : NULL;
  guint64 serial = other->serial;

  gpu_ticket_clear (ticket);
  ticket->stream = stream;
  ticket->serial = serial;
}

void
gpu_ticket_clear (GpuTicket * ticket)
{
  g_clear_pointer (&ticket->stream, gpu_stream_unref);
  ticket->serial = 0;
}
