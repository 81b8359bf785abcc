/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Work is kept to what the pacer says: in dispatches and submissions of so much. */
#include "slot.h"

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

/* Nothing is submitted behind what is at work: others come in between, and
 * little is left to do for who is not wanted any more. */
gboolean
gpu_stream_go_on (GpuStream * stream, GError ** error)
{
  g_return_val_if_fail (stream->recording != NULL, FALSE);
  stream->recording->is_followed = TRUE;
  return gpu_stream_submit (stream, NULL, error)
      && gpu_stream_wait_idle (stream, error)
      && gpu_stream_begin (stream, error);
}

static gboolean
go_on_in_stage (GpuStream * stream, GError ** error)
{
  const gchar *name = gpu_stream_get_stage (stream);

  if (!gpu_stream_go_on (stream, error))
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
  return go_on_in_stage (stream, error) && take (stream, cost, units);
}
