/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The lifetime of a stream. The last reference waits for its work. */
#include "gpu/core/device/process.h"
#include "gpu/core/device/trace.h"
#include "slot.h"
#include "wait.h"

static gboolean
init_slots (GpuStream * stream, GError ** error)
{
  gint64 begin = gpu_trace_begin ();
  gboolean done = gpu_process_enter (error);

  if (!done)
    return FALSE;
  for (guint i = 0; i < stream->n_slots && done; i++)
    done = gpu_slot_init (&stream->slots[i], stream->device, stream->name,
        error);
  gpu_trace_end (begin, "allocate", "it is new", "stream %s, %u slots",
      stream->name, stream->n_slots);
  gpu_process_leave ();
  return done;
}

GpuStream *
gpu_stream_new (GpuDevice * device, guint n_slots, const gchar * name,
    GError ** error)
{
  GpuStream *stream;

  g_return_val_if_fail (n_slots > 0, NULL);
  if (!gpu_device_check_alive (device, error))
    return NULL;
  stream = g_new0 (GpuStream, 1);
  stream->refs = 1;
  stream->device = gpu_device_ref (device);
  stream->name = g_strdup (name);
  stream->open_frame.stream = stream->name;
  stream->n_slots = n_slots;
  stream->slots = g_new0 (GpuSlot, n_slots);
  gpu_hazards_init (&stream->hazards);
  gpu_pacer_init (&stream->pacer, device->info.kind);
  g_mutex_init (&stream->lock);
  g_cond_init (&stream->no_waiters);
  stream->released = g_ptr_array_new ();
  if (!init_slots (stream, error))
    g_clear_pointer (&stream, gpu_stream_unref);
  return stream;
}

GpuStream *
gpu_stream_ref (GpuStream * stream)
{
  g_atomic_int_inc (&stream->refs);
  return stream;
}

GpuDevice *
gpu_stream_get_device (GpuStream * stream)
{
  return stream->device;
}

void
gpu_stream_get_counts (GpuStream * stream, GpuStreamCounts * counts)
{
  *counts = (GpuStreamCounts) {0};
  if (gpu_process_is_over ())
    return;
  g_mutex_lock (&stream->lock);
  *counts = stream->counts;
  g_mutex_unlock (&stream->lock);
  counts->builds = g_atomic_int_get (&stream->open_frame.builds);
}

void
gpu_stream_set_cancel (GpuStream * stream, GpuCancel cancel, gpointer data)
{
  stream->cancel = cancel;
  stream->cancel_data = data;
}

void
gpu_stream_set_build_listener (GpuStream * stream, GpuBuildListener listener,
    gpointer data)
{
  stream->build_listener = listener;
  stream->build_listener_data = data;
}

void
gpu_stream_set_part_listener (GpuStream * stream, GpuPartListener listener,
    gpointer data)
{
  stream->part_listener = listener;
  stream->part_listener_data = data;
}

static void
free_stream (GpuStream * stream)
{
  gpu_stream_forget_work (stream);
  for (guint i = 0; i < stream->n_slots; i++)
    gpu_slot_clear (&stream->slots[i], stream->device);
  g_free (stream->slots);
  g_free (stream->name);
  gpu_hazards_clear (&stream->hazards);
  g_ptr_array_unref (stream->released);
  g_cond_clear (&stream->no_waiters);
  g_mutex_clear (&stream->lock);
  gpu_device_unref (stream->device);
  g_free (stream);
}

void
gpu_stream_unref (GpuStream * stream)
{
  if (!g_atomic_int_dec_and_test (&stream->refs)
      || !gpu_process_enter (NULL))
    return;
  gpu_stream_abandon (stream);
  /* If the device may still be working, leak everything it may use: the slots, their
   * buffers, and the stream's reference to the device. */
  if (gpu_stream_drain (stream))
    free_stream (stream);
  gpu_process_leave ();
}
