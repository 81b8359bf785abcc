/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ends a recording and submits it. */
#include "gpu/core/device/process.h"
#include "gpu/core/device/trace.h"
#include "chain.h"
#include "slot.h"

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
    g_mutex_lock (&device->queue_lock);
    result = gpu_slot_send (slot, device);
    /* Only the recording thread changes pacer.recorded, so no lock is needed. It is 0 if
     * the submission only copies a frame to map it; that does not count as sharing. */
    if (stream->pacer.recorded > 0)
      gpu_stream_note_work (stream);
    g_mutex_unlock (&device->queue_lock);
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

gboolean
gpu_stream_submit_part (GpuStream * stream, const gchar * reason,
    GError ** error)
{
  stream->recording->is_followed = TRUE;
  return submit (stream, NULL, reason, error);
}
