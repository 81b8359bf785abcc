/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Splits recordings into submissions as the pacer decides. */
#include "gpu/core/device/trace.h"
#include "wait.h"

/* --- streams that share a device --- */

/* A stream shares the device if it submitted work within this time. Live video does so
 * all the time; a single submission is soon forgotten. */
#define SHARING_US (G_USEC_PER_SEC / 2)

void
gpu_stream_note_work (GpuStream * stream)
{
  GpuDevice *device = stream->device;

  if (device->submitters[0].stream != stream)
    device->submitters[1] = device->submitters[0];
  device->submitters[0].stream = stream;
  device->submitters[0].time = g_get_monotonic_time ();
}

void
gpu_stream_forget_work (GpuStream * stream)
{
  GpuDevice *device = stream->device;

  g_mutex_lock (&device->queue_lock);
  if (device->submitters[1].stream == stream)
    device->submitters[1].stream = NULL;
  if (device->submitters[0].stream == stream) {
    device->submitters[0] = device->submitters[1];
    device->submitters[1].stream = NULL;
  }
  g_mutex_unlock (&device->queue_lock);
}

gboolean
gpu_stream_is_sharing (GpuStream * stream)
{
  GpuDevice *device = stream->device;
  gint64 since = g_get_monotonic_time () - SHARING_US;
  gboolean is_sharing = FALSE;

  g_mutex_lock (&device->queue_lock);
  for (guint i = 0; i < G_N_ELEMENTS (device->submitters); i++)
    is_sharing |= device->submitters[i].stream
        && device->submitters[i].stream != stream
        && device->submitters[i].time >= since;
  g_mutex_unlock (&device->queue_lock);
  return is_sharing;
}

/* --- pieces of a frame --- */

guint64
gpu_stream_get_dispatch_units (GpuStream * stream, gconstpointer key)
{
  guint64 units;

  g_mutex_lock (&stream->lock);
  units = gpu_pacer_get_dispatch (&stream->pacer, key);
  g_mutex_unlock (&stream->lock);
  return units;
}

guint64
gpu_stream_get_units_left (GpuStream * stream, gconstpointer key)
{
  guint64 units;

  g_mutex_lock (&stream->lock);
  units = gpu_pacer_get_rest (&stream->pacer, key);
  g_mutex_unlock (&stream->lock);
  return units;
}

static gboolean
take (GpuStream * stream, gconstpointer key, guint64 units)
{
  gboolean fits;

  g_mutex_lock (&stream->lock);
  fits = gpu_pacer_take (&stream->pacer, key, units);
  g_mutex_unlock (&stream->lock);
  return fits;
}

/* Returns the reason why @units do not fit, for the trace. NULL if tracing is off. */
static gchar *
describe_cut (GpuStream * stream, gconstpointer key, guint64 units)
{
  GpuPacer *pacer = &stream->pacer;
  gdouble more;                 /* ns */

  g_mutex_lock (&stream->lock);
  more = gpu_pacer_estimate (pacer, key, units);
  g_mutex_unlock (&stream->lock);
  return gpu_trace_reason ("pacer: %.1f ms recorded, %.1f ms more exceed %.0f "
      "ms", pacer->recorded / 1e6, more / 1e6, pacer->aims.submission_ns / 1e6);
}

/* Submits, waits and begins again. Waiting lets other streams submit in between, and
 * leaves little unfinished work if the stream is cancelled. Increments @waits. */
static gboolean
submit_and_wait (GpuStream * stream, guint64 * waits, const gchar * reason,
    GError ** error)
{
  if (!gpu_stream_submit_part (stream, reason, error))
    return FALSE;
  g_mutex_lock (&stream->lock);
  (*waits)++;
  g_mutex_unlock (&stream->lock);
  if (!gpu_stream_wait_idle_because (stream, reason, error))
    return FALSE;
  stream->parts_done++;
  if (stream->part_listener)
    stream->part_listener (stream->parts_done, stream->part_listener_data);
  return gpu_stream_resume (stream, error);
}

static void
go_on (GpuStream * stream, guint64 * waits, const gchar * reason)
{
  GError *error = NULL;

  if (!stream->error && !submit_and_wait (stream, waits, reason, &error))
    gpu_stream_fail (stream, error);
}

gboolean
gpu_stream_go_on (GpuStream * stream, GError ** error)
{
  go_on (stream, &stream->counts.part_waits,
      "the rest of the frame depends on what is found so far");
  return gpu_stream_check (stream, error);
}

static void
cut_stage (GpuStream * stream, gconstpointer key, guint64 units)
{
  const gchar *name = gpu_stream_get_stage (stream);
  g_autofree gchar *reason = describe_cut (stream, key, units);

  go_on (stream, &stream->counts.pacer_waits, reason);
  if (name)
    gpu_stream_stage (stream, name);
}

void
gpu_stream_pace (GpuStream * stream, gconstpointer key, guint64 units)
{
  if (!take (stream, key, units)) {
    cut_stage (stream, key, units);
    take (stream, key, units);
  }
  if (units > 0)
    gpu_stream_measure (stream, key, units);
}
