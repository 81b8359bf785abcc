/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Splits recordings into submissions as the pacer decides. */
#include "gpu/core/device/trace.h"
#include "wait.h"

guint64
gpu_stream_get_dispatch_units (GpuStream * stream, const GpuCost * cost)
{
  guint64 units;

  g_mutex_lock (&stream->lock);
  units = gpu_pacer_get_dispatch (&stream->pacer, cost);
  g_mutex_unlock (&stream->lock);
  return units;
}

guint64
gpu_stream_get_units_left (GpuStream * stream, const GpuCost * cost)
{
  guint64 units;

  g_mutex_lock (&stream->lock);
  units = gpu_pacer_get_rest (&stream->pacer, cost);
  g_mutex_unlock (&stream->lock);
  return units;
}

static gboolean
take (GpuStream * stream, const GpuCost * cost, guint64 units)
{
  gboolean fits;

  g_mutex_lock (&stream->lock);
  fits = gpu_pacer_take (&stream->pacer, cost, units);
  g_mutex_unlock (&stream->lock);
  return fits;
}

/* Returns the reason why @units do not fit, for the trace. NULL if tracing is off. */
static gchar *
describe_cut (GpuStream * stream, const GpuCost * cost, guint64 units)
{
  GpuPacer *pacer = &stream->pacer;
  gdouble recorded, more, most; /* ns */

  g_mutex_lock (&stream->lock);
  recorded = pacer->recorded;
  more = gpu_pacer_estimate (pacer, cost, units);
  most = pacer->aims.submission_ns;
  if (recorded + more <= most) {
    recorded = pacer->worst;
    more = gpu_pacer_get_worst (pacer, cost, units);
    most = GPU_PACER_WORST_NS;
  }
  g_mutex_unlock (&stream->lock);
  return gpu_trace_reason ("pacer: %.1f ms recorded, %.1f ms more exceed %.0f "
      "ms", recorded / 1e6, more / 1e6, most / 1e6);
}

/* Submits, waits and begins again. Waiting lets other streams submit in between, and
 * leaves little unfinished work if the stream is cancelled. Increments @waits. */
static gboolean
go_on (GpuStream * stream, guint64 * waits, const gchar * reason,
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

gboolean
gpu_stream_go_on (GpuStream * stream, GError ** error)
{
  return go_on (stream, &stream->counts.part_waits,
      "the rest of the frame depends on what is found so far", error);
}

static gboolean
cut_stage (GpuStream * stream, const GpuCost * cost, guint64 units,
    GError ** error)
{
  const gchar *name = gpu_stream_get_stage (stream);
  g_autofree gchar *reason = describe_cut (stream, cost, units);

  if (!go_on (stream, &stream->counts.pacer_waits, reason, error))
    return FALSE;
  if (name)
    gpu_stream_stage (stream, name);
  return TRUE;
}

gboolean
gpu_stream_pace (GpuStream * stream, const GpuCost * cost, guint64 units,
    GError ** error)
{
  if (take (stream, cost, units))
    return TRUE;
  return cut_stage (stream, cost, units, error) && take (stream, cost, units);
}
