/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The ring of a stream: begin, submit, wait, retire. */
#include "gpu/core/device/patience.h"
#include "gpu/core/device/process.h"
#include "slot.h"

#include <string.h>

/* A stream that submitted since counts as one that shares the device: live
 * video does, and what happens once is soon forgotten. */
#define SHARING_US (G_USEC_PER_SEC / 2)

/* Of so many frames one has each of its commands timed, so that costs and stages
 * stay true. Some drivers take as long for a timestamp as for a short dispatch. */
#define FRAMES_PER_TIMED 32

/* Buffers that are dropped at a time. */
#define DROPPED 64

static gboolean
init_slots (GpuStream * stream, GError ** error)
{
  gboolean done = gpu_process_enter (error);

  if (!done)
    return FALSE;
  for (guint i = 0; i < stream->n_slots && done; i++)
    done = gpu_slot_init (&stream->slots[i], stream->device, stream->name,
        error);
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
  stream->n_slots = n_slots;
  stream->slots = g_new0 (GpuSlot, n_slots);
  gpu_pacer_init (&stream->pacer, gpu_device_is_slow (device));
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
gpu_stream_set_cancel (GpuStream * stream, GpuCancel cancel, gpointer data)
{
  stream->cancel = cancel;
  stream->cancel_data = data;
}

void
gpu_stream_next_frame (GpuStream * stream)
{
  gboolean is_wanted =
      g_atomic_int_compare_and_exchange (&stream->wants_times, TRUE, FALSE);

  stream->times_frame = is_wanted || stream->frame % FRAMES_PER_TIMED == 0;
  stream->frame++;
}

void
gpu_stream_time_next_frame (GpuStream * stream)
{
  g_atomic_int_set (&stream->wants_times, TRUE);
}

/* Ends what may have retired submissions. A buffer's last reference frees memory,
 * which drivers may take long over: nobody waits for the lock meanwhile. */
static void
unlock_and_drop (GpuStream * stream)
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

/* --- retiring (with the lock held) --- */

/* What the commands of known costs took. */
static void
learn (GpuStream * stream, const GpuSlot * slot, const guint64 * ticks)
{
  guint64 mask = stream->device->timestamp_mask;
  gdouble period = stream->device->info.timestamp_period;
  guint tick = 0;               /* the next */

  for (guint i = 0; i < slot->n_records; i++) {
    const GpuStageRecord *record = &slot->records[i];
    guint64 ns;

    tick += !record->is_joined;
    if (!record->cost || !gpu_timings_is_known (slot->records,
            slot->n_records, i))
      continue;
    ns = gpu_timings_get_ns (ticks[tick - 1], ticks[tick], mask, period);
    gpu_pacer_measured (&stream->pacer, record->cost, record->units, ns, ns);
  }
  gpu_pacer_learn (&stream->pacer, &slot->aims,
      stream->last_timings.longest_submission);
}

/* A frame in several submissions is told of as a whole, or not yet. */
static void
collect_frame (GpuStream * stream, const GpuSlot * slot, const guint64 * ticks)
{
  GpuDevice *device = stream->device;
  GpuTimings whole;

  if (slot->frame != stream->next_timings.frame) {
    memset (&stream->next_timings, 0, sizeof stream->next_timings);
    stream->next_timings.frame = slot->frame;
  }
  if (slot->n_records > 0)
    gpu_timings_add (&stream->next_timings, slot->records, slot->n_records,
        ticks, device->timestamp_mask, device->info.timestamp_period,
        &stream->first_tick);
  if (slot->is_followed || stream->next_timings.submissions == 0)
    return;
  whole = stream->next_timings;
  gpu_timings_fill_in (&whole, &stream->timings);
  stream->timings = whole;
}

static void
collect_timings (GpuStream * stream, GpuSlot * slot)
{
  GpuDevice *device = stream->device;
  guint64 ticks[GPU_MAX_RECORDS + 1], first_tick;
  gboolean have_ticks;

  have_ticks = slot->n_ticks > 0
      && device->vk.vkGetQueryPoolResults (device->device, slot->queries, 0,
      slot->n_ticks, slot->n_ticks * sizeof ticks[0], ticks, sizeof ticks[0],
      VK_QUERY_RESULT_64_BIT) == VK_SUCCESS;
  collect_frame (stream, slot, have_ticks ? ticks : NULL);
  if (slot->n_records == 0)
    return;
  memset (&stream->last_timings, 0, sizeof stream->last_timings);
  stream->last_timings.frame = slot->frame;
  stream->last_aims = slot->aims;
  gpu_timings_add (&stream->last_timings, slot->records, slot->n_records,
      have_ticks ? ticks : NULL, device->timestamp_mask,
      device->info.timestamp_period, &first_tick);
  if (have_ticks)
    learn (stream, slot, ticks);
}

/* The queue runs in order: when @serial is done, so is all before it. */
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
    collect_timings (stream, slot);
    gpu_slot_release (slot, stream->released);
  }
}

/* A number that changes with all that the device gets done of what is waited
 * for, and with whatever else of @stream it gets done. */
static guint
count_done (GpuStream * stream)
{
  GpuDevice *device = stream->device;
  guint done = g_atomic_int_get (&device->submissions_done);

  for (guint i = 0; i < stream->n_slots; i++)
    done += stream->slots[i].pending
        && device->vk.vkGetFenceStatus (device->device,
        stream->slots[i].commands.fence)
        == VK_SUCCESS;
  return done;
}

/* VK_TIMEOUT: the device hangs, or the process is over. Only who finds the first
 * out waits for it; after that a single look is enough. Lets others have the lock
 * meanwhile. */
static VkResult
wait_for_slot (GpuStream * stream, GpuSlot * slot)
{
  GpuDevice *device = stream->device;
  GpuPatience patience = { 0 };
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
        && !gpu_patience_is_over (&patience, device, count_done (stream));
  } while (goes_on);
  if (--slot->waiters == 0)
    g_cond_broadcast (&stream->no_waiters);
  return result;
}

/* Returns with the lock held, as it was called. */
static gboolean
wait_for_serial (GpuStream * stream, guint64 serial, GError ** error)
{
  GpuSlot *slot = &stream->slots[serial % stream->n_slots];

  if (slot->serial != serial || !slot->pending)
    return TRUE;
  if (!gpu_device_check_alive (stream->device, error)
      || !gpu_device_check (stream->device, wait_for_slot (stream, slot),
          stream->name, error))
    return FALSE;
  retire_until (stream, serial);
  return TRUE;
}

/* --- the end --- */

/* Waits for all that was submitted, whatever is said of the device: one that
 * is lost, or refused to take the last of it, may still be at work and must not
 * find its buffers gone. */
static gboolean
drain (GpuStream * stream)
{
  gboolean done = TRUE;

  g_mutex_lock (&stream->lock);
  for (guint i = 0; i < stream->n_slots; i++) {
    GpuSlot *slot = &stream->slots[i];
    VkResult result = slot->pending ? wait_for_slot (stream, slot) : VK_SUCCESS;

    /* Vulkan: what a device was lost with is in use no longer. */
    if (result == VK_ERROR_DEVICE_LOST)
      result = VK_SUCCESS;
    done &= gpu_device_check (stream->device, result, stream->name, NULL);
  }
  g_mutex_unlock (&stream->lock);
  return done;
}

/* Who is gone has no work that others would have to make room for. */
static void
forget_submitter (GpuDevice * device, gconstpointer stream)
{
  g_mutex_lock (&device->queue_lock);
  if (device->submitters[1].stream == stream)
    device->submitters[1].stream = NULL;
  if (device->submitters[0].stream == stream) {
    device->submitters[0] = device->submitters[1];
    device->submitters[1].stream = NULL;
  }
  g_mutex_unlock (&device->queue_lock);
}

static void
free_stream (GpuStream * stream)
{
  forget_submitter (stream->device, stream);
  for (guint i = 0; i < stream->n_slots; i++)
    gpu_slot_clear (&stream->slots[i], stream->device);
  g_free (stream->slots);
  g_free (stream->name);
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
  /* What the device may still use is never freed, knowingly: the slots, the
   * buffers that they refer to, and with the stream's reference the device. */
  if (drain (stream))
    free_stream (stream);
  gpu_process_leave ();
}

/* --- recording --- */

static gboolean
take_slot (GpuStream * stream, GpuSlot * slot, GError ** error)
{
  gboolean done;

  g_mutex_lock (&stream->lock);
  if (slot->pending && stream->device->vk.vkGetFenceStatus
      (stream->device->device, slot->commands.fence) != VK_SUCCESS)
    stream->slot_waits++;
  done = wait_for_serial (stream, slot->serial, error);
  /* The fence may be reset only when nobody waits for it any more. */
  while (done && slot->waiters > 0)
    g_cond_wait (&stream->no_waiters, &stream->lock);
  unlock_and_drop (stream);
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

/* Whether another stream has had work for the device lately. Not with the
 * stream's lock held. */
static gboolean
is_device_shared (GpuStream * stream)
{
  GpuDevice *device = stream->device;
  gint64 since = g_get_monotonic_time () - SHARING_US;
  gboolean is_shared = FALSE;

  g_mutex_lock (&device->queue_lock);
  for (guint i = 0; i < G_N_ELEMENTS (device->submitters); i++)
    is_shared |= device->submitters[i].stream
        && device->submitters[i].stream != stream
        && device->submitters[i].time >= since;
  g_mutex_unlock (&device->queue_lock);
  return is_shared;
}

gboolean
gpu_stream_begin (GpuStream * stream, GError ** error)
{
  GpuSlot *slot = &stream->slots[(stream->next_serial + 1) % stream->n_slots];
  gboolean is_shared, looks;

  g_return_val_if_fail (stream->recording == NULL, FALSE);
  /* Until it is submitted or abandoned. */
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
  slot->sets_used = 0;
  slot->n_bound = 0;
  slot->n_records = 0;
  slot->frame = stream->frame;
  slot->is_followed = FALSE;
  stream->next_cost = NULL;
  is_shared = is_device_shared (stream);
  g_mutex_lock (&stream->lock);
  looks = gpu_pacer_begin (&stream->pacer, is_shared);
  slot->aims = stream->pacer.aims;
  slot->times_commands = stream->times_frame || looks;
  g_mutex_unlock (&stream->lock);
  stream->bound_pipeline = VK_NULL_HANDLE;
  stream->recording = slot;
  gpu_slot_begin_ticks (slot, stream->device);
  gpu_stream_barrier (stream);
  return TRUE;
}

/* Makes the device's writes visible to the CPU once the fence is signalled, and
 * ordered before what the CPU writes then. (What the CPU wrote before is ordered
 * by submitting.) */
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

/* With the queue's lock held. */
static void
note_submitter (GpuDevice * device, gconstpointer stream)
{
  if (device->submitters[0].stream != stream)
    device->submitters[1] = device->submitters[0];
  device->submitters[0].stream = stream;
  device->submitters[0].time = g_get_monotonic_time ();
}

static VkResult
send (GpuStream * stream, GpuSlot * slot)
{
  GpuDevice *device = stream->device;
  VkSubmitInfo info = {
    .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
    .commandBufferCount = 1,
    .pCommandBuffers = &slot->commands.buffer,
  };
  VkResult result;

  if (slot->n_records > 0)
    gpu_slot_write_tick (slot, device);
  record_host_barrier (stream);
  result = device->vk.vkEndCommandBuffer (slot->commands.buffer);
  if (result == VK_SUCCESS)
    result =
        device->vk.vkResetFences (device->device, 1, &slot->commands.fence);
  if (result == VK_SUCCESS) {
    g_mutex_lock (&device->queue_lock);
    result =
        device->vk.vkQueueSubmit (device->queue, 1, &info,
        slot->commands.fence);
    /* Only the recording thread changes this. Copies for who maps a frame are
     * no work that others have to make room for. */
    if (stream->pacer.recorded > 0)
      note_submitter (device, stream);
    g_mutex_unlock (&device->queue_lock);
  }
  return result;
}

gboolean
gpu_stream_submit (GpuStream * stream, GpuTicket * ticket, GError ** error)
{
  GpuSlot *slot = stream->recording;
  GpuTicket mine = { stream, stream->next_serial + 1 };
  VkResult result;
  gboolean sent;

  g_return_val_if_fail (slot != NULL, FALSE);
  if (!stream->error)
    gpu_device_check_alive (stream->device, &stream->error);
  if (stream->error) {
    g_propagate_error (error, g_steal_pointer (&stream->error));
    gpu_stream_abandon (stream);
    return FALSE;
  }
  result = send (stream, slot);
  sent = gpu_device_check (stream->device, result, stream->name, error);
  if (!sent && result != VK_ERROR_DEVICE_LOST) {
    gpu_stream_abandon (stream);
    return FALSE;
  }
  /* A device that was lost over it may have begun it (see drain). */
  g_mutex_lock (&stream->lock);
  slot->serial = ++stream->next_serial;
  slot->pending = TRUE;
  g_mutex_unlock (&stream->lock);
  stream->recording = NULL;
  gpu_process_leave ();
  if (sent && ticket)
    gpu_ticket_set (ticket, &mine);
  return sent;
}

void
gpu_stream_abandon (GpuStream * stream)
{
  if (stream->recording) {
    g_mutex_lock (&stream->lock);
    gpu_slot_release (stream->recording, stream->released);
    unlock_and_drop (stream);
    gpu_process_leave ();
  }
  stream->recording = NULL;
  g_clear_error (&stream->error);
}

/* --- pacing --- */

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

void
gpu_stream_measured (GpuStream * stream, const GpuCost * cost, guint64 units,
    const gchar * name)
{
  const GpuTimings *timings = &stream->last_timings;

  g_mutex_lock (&stream->lock);
  for (guint i = 0; i < timings->n_stages; i++)
    if (!timings->stages[i].is_in_part
        && !strcmp (timings->stages[i].name, name)) {
      gpu_pacer_measured (&stream->pacer, cost->key, units,
          timings->stages[i].total, timings->stages[i].longest);
      gpu_pacer_learn (&stream->pacer, &stream->last_aims,
          timings->longest_submission);
    }
  g_mutex_unlock (&stream->lock);
}

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

/* --- waiting --- */

/* In a forked child the lock may be held for ever, by a thread that only the parent has:
 * nobody takes it where the process is over. */

gboolean
gpu_stream_wait_idle (GpuStream * stream, GError ** error)
{
  gboolean done;

  if (!gpu_process_enter (error))
    return FALSE;
  g_mutex_lock (&stream->lock);
  done = wait_for_serial (stream, stream->next_serial, error);
  unlock_and_drop (stream);
  gpu_process_leave ();
  return done;
}

guint64
gpu_stream_get_slot_waits (GpuStream * stream)
{
  guint64 waits;

  if (gpu_process_is_over ())
    return 0;
  g_mutex_lock (&stream->lock);
  waits = stream->slot_waits;
  g_mutex_unlock (&stream->lock);
  return waits;
}

void
gpu_stream_get_timings (GpuStream * stream, GpuTimings * timings)
{
  if (gpu_process_is_over ()) {
    memset (timings, 0, sizeof *timings);
    return;
  }
  g_mutex_lock (&stream->lock);
  *timings = stream->timings;
  g_mutex_unlock (&stream->lock);
}

gboolean
gpu_ticket_wait (const GpuTicket * ticket, GError ** error)
{
  GpuStream *stream = ticket->stream;
  gboolean done;

  if (!stream)
    return TRUE;
  if (!gpu_process_enter (error))
    return FALSE;
  g_mutex_lock (&stream->lock);
  done = wait_for_serial (stream, ticket->serial, error);
  unlock_and_drop (stream);
  gpu_process_leave ();
  return done;
}

gboolean
gpu_ticket_is_submitted (const GpuTicket * ticket)
{
  GpuStream *stream = ticket->stream;
  gboolean submitted;

  if (!stream)
    return TRUE;
  /* Who waits for it is told. */
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
  GpuSlot *slot;
  gboolean done;

  if (!stream)
    return TRUE;
  if (!gpu_process_enter (NULL))
    return FALSE;
  slot = &stream->slots[ticket->serial % stream->n_slots];
  g_mutex_lock (&stream->lock);
  done = ticket->serial <= stream->next_serial
      && (slot->serial != ticket->serial || !slot->pending
      || (!gpu_device_is_lost (stream->device)
          && stream->device->vk.vkGetFenceStatus (stream->device->device,
              slot->commands.fence) == VK_SUCCESS));
  g_mutex_unlock (&stream->lock);
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
