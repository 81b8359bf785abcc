/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Collects the times of submissions: timings per frame for users, times of work for the
 * pacer. */
#include "slot.h"
#include "gpu/core/device/process.h"

#include <string.h>

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
  guint64 time;

  if (!transfer->to)
    return;
  if (!gpu_transfer_get_time (transfer, &slot->transfers, stream->device,
          &time)) {
    gpu_timings_add_copy (&stream->next_timings, stage, NULL);
    return;
  }
  gpu_timings_add_copy (&stream->next_timings, stage, &time);
  stream->knows_copies = TRUE;
}

/* Adds the submission to the timings of its frame. Timings are published when all
 * submissions of the frame are finished. */
static void
collect_frame (GpuStream * stream, const GpuSlot * slot, const guint64 * ticks)
{
  const GpuTickClock clock = get_clock (stream);
  GpuTimings whole;

  if (slot->frame != stream->next_timings.frame) {
    memset (&stream->next_timings, 0, sizeof stream->next_timings);
    stream->next_timings.frame = slot->frame;
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

void
gpu_stream_collect (GpuStream * stream, GpuSlot * slot)
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
  if (gpu_process_is_over ()) {
    memset (timings, 0, sizeof *timings);
    return;
  }
  g_mutex_lock (&stream->lock);
  *timings = stream->timings;
  g_mutex_unlock (&stream->lock);
}

guint64
gpu_stream_get_frame_time (GpuStream * stream, guint64 * frame)
{
  guint64 time;

  *frame = 0;
  if (gpu_process_is_over ())
    return 0;
  g_mutex_lock (&stream->lock);
  *frame = stream->timings.frame;
  time = stream->timings.span;
  g_mutex_unlock (&stream->lock);
  return time;
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
