/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waits for submissions, and what follows when one is done: its times are collected, for users
 * and for the pacer, and its buffers are released. */
#include "gpu/core/device/process.h"
#include "ring.h"

#include <string.h>

/* --- times --- */

/* One of this many frames has each of its commands timed, to keep the times of work and
 * stages up to date. On some drivers a timestamp takes as long as a short dispatch. */
#define FRAMES_PER_TIMED 32

void
gpu_stream_next_frame (GpuStream * stream)
{
  gboolean is_wanted =
      g_atomic_int_compare_and_exchange (&stream->wants_times, TRUE, FALSE);

  stream->times_frame = is_wanted || stream->frame % FRAMES_PER_TIMED == 0;
  stream->frame++;
  stream->parts_done = 0;
}

void
gpu_stream_time_next_frame (GpuStream * stream)
{
  g_atomic_int_set (&stream->wants_times, TRUE);
}

static GpuTickClock
get_clock (const GpuStream * stream)
{
  const GpuDevice *device = stream->device;

  return (GpuTickClock) {
    .mask = device->timestamp_mask,
    .period = device->info.timestamp_period,
  };
}

/* Passes the measured times of commands of known work to the pacer. */
static void
learn (GpuStream * stream, const GpuSlot * slot, const guint64 * ticks)
{
  const GpuTickClock clock = get_clock (stream);
  guint tick = 0;               /* index of the next timestamp */

  if (slot->n_records == 0)
    return;
  gpu_pacer_forget_unreported (&stream->pacer);
  for (guint i = 0; i < slot->n_records; i++) {
    const GpuStageRecord *record = &slot->records[i];

    tick += !record->is_joined;
    if (record->work
        && gpu_timings_is_known (slot->records, slot->n_records, i))
      gpu_pacer_measured (&stream->pacer, record->work, record->units,
          gpu_timings_get_ns (&clock, ticks[tick - 1], ticks[tick]));
  }
  stream->last_aims = slot->aims;
  stream->last_ns = gpu_timings_get_ns (&clock, ticks[0], ticks[tick]);
  gpu_pacer_learn (&stream->pacer, &stream->last_aims, stream->last_ns);
}

static void
add_copy (GpuStream * stream, const GpuSlot * slot,
    const GpuTransfer * transfer, const gchar * stage)
{
  gboolean is_timed;
  guint64 time;

  if (!transfer->to)
    return;
  is_timed = gpu_transfer_get_time (transfer, &slot->transfers, stream->device,
      &time);
  gpu_timings_add_copy (&stream->next_timings, stage, is_timed ? &time : NULL);
  stream->knows_copies |= is_timed;
}

/* Adds the submission to the timings of its frame. Timings are published when all
 * submissions of the frame are finished. */
static void
collect_frame (GpuStream * stream, const GpuSlot * slot, const guint64 * ticks)
{
  const GpuTickClock clock = get_clock (stream);
  GpuTimings whole;

  if (slot->frame != stream->next_timings.frame) {
    stream->next_timings = (GpuTimings) {.frame = slot->frame};
  }
  add_copy (stream, slot, &slot->transfers.upload, "upload");
  if (slot->n_records > 0)
    gpu_timings_add (&stream->next_timings, slot->records, slot->n_records,
        ticks, &clock, &stream->first_tick);
  add_copy (stream, slot, &slot->transfers.download, "download");
  if (slot->is_followed || stream->next_timings.submissions == 0)
    return;
  whole = stream->next_timings;
  gpu_timings_fill_in (&whole, &stream->timings);
  stream->timings = whole;
}

/* Reads the timestamps of the finished submission in @slot. The caller holds the lock of the
 * stream. If the device has no timestamps, or they cannot be read, times are 0 and the pacer
 * learns nothing. */
static void
collect (GpuStream * stream, GpuSlot * slot)
{
  guint64 ticks[GPU_MAX_RECORDS + 1];
  gboolean have_ticks = gpu_slot_read_ticks (slot, stream->device, ticks);

  collect_frame (stream, slot, have_ticks ? ticks : NULL);
  if (have_ticks)
    learn (stream, slot, ticks);
}

void
gpu_stream_get_timings (GpuStream * stream, GpuTimings * timings)
{
  *timings = (GpuTimings) {0};
  if (gpu_process_is_over ())
    return;
  g_mutex_lock (&stream->lock);
  *timings = stream->timings;
  g_mutex_unlock (&stream->lock);
}

void
gpu_stream_measured (GpuStream * stream, gconstpointer key, guint64 units)
{
  g_mutex_lock (&stream->lock);
  /* If there was nothing to do, what that took counts as one unit. */
  gpu_pacer_measured (&stream->pacer, key, MAX (units, 1), 0);
  gpu_pacer_learn (&stream->pacer, &stream->last_aims, stream->last_ns);
  g_mutex_unlock (&stream->lock);
}

/* --- waits --- */

/* Number of buffers to unreference at a time. */
#define DROPPED 64

/* When @serial is done, all earlier submissions are: fences of a stream are signalled in
 * order (transfers.c). */
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
    collect (stream, slot);
    gpu_slot_end_chain (slot, stream->device);
    gpu_stream_release_slot (stream, slot);
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

/* The newest one first; there may be new ones after each. */
static void
release_guests (GpuStream * stream)
{
  GArray *released = stream->released_guests;

  while (released->len > 0) {
    GpuGuest guest = g_array_index (released, GpuGuest, released->len - 1);

    g_array_set_size (released, released->len - 1);
    g_mutex_unlock (&stream->lock);
    guest.release (guest.object);
    g_mutex_lock (&stream->lock);
  }
}

/* Freeing memory may be slow, and guests may do anything, so neither is done with the lock
 * held. */
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
  release_guests (stream);
  g_mutex_unlock (&stream->lock);
}

#define LAST G_MAXUINT64        /* the last submission */

/* Enters the gate and waits for the submission @serial. */
static gboolean
enter_and_wait (GpuStream * stream, guint64 serial, const gchar * reason,
    GError ** error)
{
  gboolean done;

  if (!gpu_process_enter (error))
    return FALSE;
  g_mutex_lock (&stream->lock);
  done = gpu_stream_wait_for (stream, serial == LAST ? stream->next_serial
      : serial, reason, error);
  gpu_stream_unlock_and_drop (stream);
  gpu_process_leave ();
  return done;
}

gboolean
gpu_stream_wait_idle_because (GpuStream * stream, const gchar * reason,
    GError ** error)
{
  return enter_and_wait (stream, LAST, reason, error);
}

gboolean
gpu_stream_wait_idle (GpuStream * stream, GError ** error)
{
  return gpu_stream_wait_idle_because (stream,
      "the caller needs all of it to be done", error);
}

/* --- tickets --- */

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
  return !ticket->stream
      || enter_and_wait (ticket->stream, ticket->serial, reason, error);
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

/* Retires what is done, so that a copy to or from its buffers does not wait for it
 * (transfers.c). */
static gboolean
look_for (GpuStream * stream, guint64 serial)
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
gpu_ticket_is_done (const GpuTicket * ticket)
{
  GpuStream *stream = ticket->stream;
  gboolean done;

  if (!stream)
    return TRUE;
  if (!gpu_process_enter (NULL))
    return FALSE;
  g_mutex_lock (&stream->lock);
  done = look_for (stream, ticket->serial);
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
