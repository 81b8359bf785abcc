/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "wait.h"
#include "chain.h"
#include "gpu/core/device/commands.h"
#include "gpu/core/device/process.h"
#include "gpu/core/device/trace.h"

#include <string.h>

/* Number of buffers to unreference at a time. */
#define DROPPED 64

/* When @serial is done, all earlier submissions are: fences of a stream are signalled in
 * order (chain.h). */
static void
retire_until (GpuStream * stream, guint64 serial)
{
  guint64 first = serial > stream->n_slots ? serial - stream->n_slots + 1 : 1;

  for (guint64 s = first; s <= serial; s++) {
    GpuSlot *slot = &stream->slots[s % stream->n_slots];

    if (slot->serial != s || !slot->pending)
      continue;
    slot->pending = FALSE;
    g_atomic_int_inc (&stream->device->submissions_done);
    gpu_stream_collect (stream, slot);
    gpu_slot_end_chain (slot, stream->device);
    gpu_slot_release (slot, stream->released);
  }
}

static gboolean
is_signalled (GpuStream * stream, const GpuSlot * slot)
{
  GpuDevice *device = stream->device;

  return device->vk.vkGetFenceStatus (device->device,
      slot->commands.fence) == VK_SUCCESS;
}

/* Returns a number that changes whenever the device is known to have finished a
 * submission: of @stream, or one that another thread has waited for. */
static guint
count_done (GpuStream * stream)
{
  GpuDevice *device = stream->device;
  guint done = g_atomic_int_get (&device->submissions_done);

  for (guint i = 0; i < stream->n_slots; i++)
    done += stream->slots[i].pending
        && is_signalled (stream, &stream->slots[i]);
  return done;
}

/* Returns VK_TIMEOUT if the device hangs or the process is over. Once a thread has found
 * that the device hangs, other threads only check the fence. Releases the lock while
 * waiting. */
static VkResult
wait_for_fence (GpuStream * stream, GpuSlot * slot)
{
  GpuDevice *device = stream->device;
  GpuHangTimeout timeout = { 0 };
  gboolean is_hung, goes_on;
  VkResult result;

  slot->waiters++;
  do {
    is_hung = g_atomic_int_get (&device->hung);
    g_mutex_unlock (&stream->lock);
    result =
        device->vk.vkWaitForFences (device->device, 1, &slot->commands.fence,
        VK_TRUE, is_hung ? 0 : GPU_LOOK_NS);
    g_mutex_lock (&stream->lock);
    goes_on = result == VK_TIMEOUT && !is_hung && !gpu_process_is_over ()
        && !gpu_hang_timeout_is_over (&timeout, device, count_done (stream));
  } while (goes_on);
  if (--slot->waiters == 0)
    g_cond_broadcast (&stream->no_waiters);
  return result;
}

/* Traces the wait, unless the fence is already signalled. */
static VkResult
wait_for_slot (GpuStream * stream, GpuSlot * slot, const gchar * reason)
{
  gint64 begin = gpu_trace_is_on () && !is_signalled (stream, slot)
      ? gpu_trace_begin () : 0;
  VkResult result = wait_for_fence (stream, slot);

  gpu_trace_end (begin, "wait", reason, "stream %s, submission %"
      G_GUINT64_FORMAT " of frame %" G_GUINT64_FORMAT, stream->name,
      slot->serial, slot->frame);
  return result;
}

gboolean
gpu_stream_wait_for (GpuStream * stream, guint64 serial, const gchar * reason,
    GError ** error)
{
  GpuSlot *slot = &stream->slots[serial % stream->n_slots];

  if (slot->serial != serial || !slot->pending)
    return TRUE;
  if (!gpu_device_check_alive (stream->device, error)
      || !gpu_device_check (stream->device, wait_for_slot (stream, slot,
              reason), stream->name, error))
    return FALSE;
  retire_until (stream, serial);
  return TRUE;
}

/* Retires what is done, so that a copy to or from its buffers does not wait for it
 * (chain.h). */
gboolean
gpu_stream_look_for (GpuStream * stream, guint64 serial)
{
  const GpuSlot *slot = &stream->slots[serial % stream->n_slots];

  if (serial > stream->next_serial)
    return FALSE;
  if (slot->serial != serial || !slot->pending)
    return TRUE;
  if (gpu_device_is_lost (stream->device) || !is_signalled (stream, slot))
    return FALSE;
  retire_until (stream, serial);
  return TRUE;
}

gboolean
gpu_stream_drain (GpuStream * stream)
{
  gboolean done = TRUE;

  g_mutex_lock (&stream->lock);
  for (guint i = 0; i < stream->n_slots; i++) {
    GpuSlot *slot = &stream->slots[i];
    VkResult result = slot->pending ? wait_for_slot (stream, slot,
        "the stream goes: its work must be done first") : VK_SUCCESS;

    /* Its buffers may outlive the stream. */
    if (slot->pending && result == VK_SUCCESS) {
      slot->pending = FALSE;
      gpu_slot_end_chain (slot, stream->device);
    }
    /* According to Vulkan, a lost device no longer uses its objects. */
    if (result == VK_ERROR_DEVICE_LOST)
      result = VK_SUCCESS;
    done &= gpu_device_check (stream->device, result, stream->name, NULL);
  }
  g_mutex_unlock (&stream->lock);
  return done;
}

/* Freeing memory may be slow, so the lock is released while buffers are unreferenced. */
void
gpu_stream_unlock_and_drop (GpuStream * stream)
{
  GPtrArray *released = stream->released;
  gpointer buffers[DROPPED];

  while (released->len > 0) {
    guint n = MIN (released->len, DROPPED), rest = released->len - n;

    memcpy (buffers, released->pdata + rest, n * sizeof *buffers);
    g_ptr_array_set_size (released, rest);
    g_mutex_unlock (&stream->lock);
    for (guint i = 0; i < n; i++)
      gpu_buffer_unref (buffers[i]);
    g_mutex_lock (&stream->lock);
  }
  g_mutex_unlock (&stream->lock);
}

gboolean
gpu_stream_wait_idle_because (GpuStream * stream, const gchar * reason,
    GError ** error)
{
  gboolean done;

  if (!gpu_process_enter (error))
    return FALSE;
  g_mutex_lock (&stream->lock);
  done = gpu_stream_wait_for (stream, stream->next_serial, reason, error);
  gpu_stream_unlock_and_drop (stream);
  gpu_process_leave ();
  return done;
}

gboolean
gpu_stream_wait_idle (GpuStream * stream, GError ** error)
{
  return gpu_stream_wait_idle_because (stream,
      "the caller needs all of it to be done", error);
}
