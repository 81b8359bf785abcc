/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Submits recordings, and splits them into several submissions as the pacer decides. */
#include "gpu/core/device/process.h"
#include "ring.h"

/* --- streams that share a device --- */

/* A stream shares the device if it submitted work within this time. Live video does so
 * all the time; a single submission is soon forgotten. */
#define SHARING_US (G_USEC_PER_SEC / 2)

/* Records that @stream submits work now. The caller holds queue_lock. */
static void
note_work (GpuStream * stream)
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

/* --- submissions --- */

/* Makes the device's writes visible to the CPU once the fence is signalled, and orders
 * them before later writes of the CPU. (vkQueueSubmit orders earlier writes of the
 * CPU.) */
static void
record_host_barrier (GpuStream * stream)
{
  VkMemoryBarrier barrier = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
    .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
    .dstAccessMask = VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT,
  };

  stream->device->vk.vkCmdPipelineBarrier (stream->recording->commands.buffer,
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
      VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
}

static VkResult
send (GpuStream * stream, GpuSlot * slot)
{
  GpuDevice *device = stream->device;
  VkResult result;

  if (slot->n_records > 0)
    gpu_slot_end_ticks (slot, device);
  record_host_barrier (stream);
  result = device->vk.vkEndCommandBuffer (slot->commands.buffer);
  if (result == VK_SUCCESS)
    result =
        device->vk.vkResetFences (device->device, 1, &slot->commands.fence);
  if (result == VK_SUCCESS) {
    gpu_device_lock_queues (device);
    result = gpu_slot_send (slot, device);
    /* Only the recording thread changes pacer.recorded, so no lock is needed. It is 0 if
     * the submission only copies a frame to map it; that does not count as sharing. */
    if (stream->pacer.recorded > 0)
      note_work (stream);
    gpu_device_unlock_queues (device);
  }
  return result;
}

/* @reason: for the trace. */
static gboolean
submit (GpuStream * stream, GpuTicket * ticket, const gchar * reason,
    GError ** error)
{
  GpuSlot *slot = stream->recording;
  GpuTicket mine = { stream, stream->next_serial + 1 };
  gint64 begin = gpu_trace_begin ();
  VkResult result;
  gboolean sent;

  g_return_val_if_fail (slot != NULL || stream->error, FALSE);
  if (!stream->error)
    gpu_device_check_alive (stream->device, &stream->error);
  if (stream->error) {
    g_propagate_error (error, g_steal_pointer (&stream->error));
    gpu_stream_abandon (stream);
    return FALSE;
  }
  result = send (stream, slot);
  gpu_trace_end (begin, "submit", reason, "stream %s, submission %"
      G_GUINT64_FORMAT " of frame %" G_GUINT64_FORMAT, stream->name,
      mine.serial, slot->frame);
  sent = gpu_device_check (stream->device, result, stream->name, error);
  if (!sent && result != VK_ERROR_DEVICE_LOST) {
    gpu_stream_abandon (stream);
    return FALSE;
  }
  /* Before another thread can see that the work is done, and release them. */
  if (sent)
    gpu_slot_tell_guests (slot);
  /* A device that was lost by this call may have begun the work, so the submission counts
   * as pending (see gpu_stream_drain()). */
  g_mutex_lock (&stream->lock);
  slot->serial = ++stream->next_serial;
  slot->pending = TRUE;
  g_mutex_unlock (&stream->lock);
  stream->recording = NULL;
  gpu_open_frame_end (&stream->open_frame);
  gpu_process_leave ();
  if (sent && ticket)
    gpu_ticket_set (ticket, &mine);
  return sent;
}

gboolean
gpu_stream_submit (GpuStream * stream, GpuTicket * ticket, GError ** error)
{
  return submit (stream, ticket, "all is recorded", error);
}

/* --- pieces of a frame --- */

static guint64
ask_pacer (GpuStream * stream, gconstpointer key,
    guint64 (*ask) (GpuPacer *, gconstpointer))
{
  guint64 units;

  g_mutex_lock (&stream->lock);
  units = ask (&stream->pacer, key);
  g_mutex_unlock (&stream->lock);
  return units;
}

guint64
gpu_stream_get_dispatch_units (GpuStream * stream, gconstpointer key)
{
  return ask_pacer (stream, key, gpu_pacer_get_dispatch);
}

guint64
gpu_stream_get_units_left (GpuStream * stream, gconstpointer key)
{
  return ask_pacer (stream, key, gpu_pacer_get_rest);
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

/* Submits, waits and begins again. Waiting lets other streams submit in between, and
 * leaves little unfinished work if the stream is cancelled. Increments @waits. */
static gboolean
submit_and_wait (GpuStream * stream, guint64 * waits, const gchar * reason,
    GError ** error)
{
  stream->recording->is_followed = TRUE;
  if (!submit (stream, NULL, reason, error))
    return FALSE;
  g_mutex_lock (&stream->lock);
  (*waits)++;
  g_mutex_unlock (&stream->lock);
  if (!gpu_stream_wait_idle_because (stream, reason, error))
    return FALSE;
  stream->parts_done++;
  if (stream->hooks.on_part)
    stream->hooks.on_part (stream->parts_done, stream->hooks.data);
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
  GpuPacer *pacer = &stream->pacer;
  const gchar *name = gpu_stream_get_stage (stream);
  g_autofree gchar *reason = NULL;
  gdouble more;                 /* ns */

  g_mutex_lock (&stream->lock);
  more = gpu_pacer_estimate (pacer, key, units);
  g_mutex_unlock (&stream->lock);
  reason =
      gpu_trace_reason ("pacer: %.1f ms recorded, %.1f ms more exceed %.0f "
      "ms", pacer->recorded / 1e6, more / 1e6, pacer->aims.submission_ns / 1e6);
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
