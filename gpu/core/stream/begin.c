/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Begins a recording in a slot of the ring, or abandons it. */
#include "gpu/core/device/process.h"
#include "gpu/core/device/trace.h"
#include "chain.h"
#include "wait.h"

/* The fence must not be reset while threads wait for it. */
static void
wait_for_waiters (GpuStream * stream, GpuSlot * slot)
{
  gint64 begin = slot->waiters > 0 ? gpu_trace_begin () : 0;

  while (slot->waiters > 0)
    g_cond_wait (&stream->no_waiters, &stream->lock);
  gpu_trace_end (begin, "wait", "other threads have yet to see that it is done",
      "stream %s, submission %" G_GUINT64_FORMAT " of frame %" G_GUINT64_FORMAT,
      stream->name, slot->serial, slot->frame);
}

static gboolean
take_slot (GpuStream * stream, GpuSlot * slot, GError ** error)
{
  g_autofree gchar *reason = gpu_trace_reason ("frame %" G_GUINT64_FORMAT
      " needs a slot, and none of %u is free", stream->frame, stream->n_slots);
  gboolean done;

  g_mutex_lock (&stream->lock);
  if (slot->pending && stream->device->vk.vkGetFenceStatus
      (stream->device->device, slot->commands.fence) != VK_SUCCESS)
    stream->counts.slot_waits++;
  done = gpu_stream_wait_for (stream, slot->serial, reason, error);
  if (done)
    wait_for_waiters (stream, slot);
  gpu_stream_unlock_and_drop (stream);
  return done;
}

static gboolean
check_wanted (GpuStream * stream, GError ** error)
{
  if (!stream->cancel || !stream->cancel (stream->cancel_data))
    return TRUE;
  g_set_error (error, GPU_ERROR, GPU_ERROR_CANCELLED,
      "the work of %s was cancelled", stream->name);
  return FALSE;
}

/* Resets @slot and sets its time limits from the pacer. */
static void
ready_slot (GpuStream * stream, GpuSlot * slot)
{
  gboolean is_shared, looks;

  slot->sets_used = 0;
  slot->bindings = 0;
  slot->n_records = 0;
  slot->frame = stream->frame;
  slot->is_followed = FALSE;
  is_shared = gpu_stream_is_sharing (stream);
  g_mutex_lock (&stream->lock);
  looks = gpu_pacer_begin (&stream->pacer, is_shared);
  slot->aims = stream->pacer.aims;
  slot->times_commands = stream->times_frame || looks;
  gpu_stream_ready_transfers (stream, slot);
  gpu_stream_ready_chain (stream, slot);
  g_mutex_unlock (&stream->lock);
}

gboolean
gpu_stream_resume (GpuStream * stream, GError ** error)
{
  GpuSlot *slot = &stream->slots[(stream->next_serial + 1) % stream->n_slots];

  g_return_val_if_fail (stream->recording == NULL, FALSE);
  /* Left when the recording is submitted or abandoned. */
  if (!gpu_process_enter (error))
    return FALSE;
  if (!gpu_device_check_alive (stream->device, error)
      || !take_slot (stream, slot, error)
      || !check_wanted (stream, error)
      || !gpu_device_check (stream->device,
          gpu_commands_begin (&slot->commands, stream->device), stream->name,
          error)) {
    gpu_process_leave ();
    return FALSE;
  }
  ready_slot (stream, slot);
  stream->next_work = NULL;
  stream->bound_pipeline = VK_NULL_HANDLE;
  stream->recording = slot;
  stream->open_frame.frame = stream->frame;
  gpu_open_frame_begin (&stream->open_frame);
  gpu_slot_begin_ticks (slot, stream->device);
  /* A frame may go on here, with what the submission before wrote. */
  gpu_stream_order_after_earlier (stream);
  return TRUE;
}

gboolean
gpu_stream_begin (GpuStream * stream, GError ** error)
{
  /* A recording that failed may have left some open. */
  stream->hazards.disjoint = 0;
  return gpu_stream_resume (stream, error);
}

void
gpu_stream_fail (GpuStream * stream, GError * error)
{
  if (stream->error)
    g_error_free (error);
  else
    stream->error = error;
}

gboolean
gpu_stream_check (GpuStream * stream, GError ** error)
{
  if (stream->error)
    g_propagate_error (error, g_error_copy (stream->error));
  return stream->error == NULL;
}

void
gpu_stream_abandon (GpuStream * stream)
{
  if (stream->recording) {
    g_mutex_lock (&stream->lock);
    gpu_slot_release (stream->recording, stream->released);
    gpu_stream_unlock_and_drop (stream);
    gpu_open_frame_end (&stream->open_frame);
    gpu_process_leave ();
  }
  stream->recording = NULL;
  g_clear_error (&stream->error);
}
