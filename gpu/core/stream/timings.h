/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The times that the device took for the parts of a stage, from timestamp queries. */
#pragma once

#include "stream.h"

G_BEGIN_DECLS

/* A timed part of a stage: normally one dispatch, fill or copy. */
typedef struct
{
  const gchar *name;            /* of the stage */
  guint dispatches;
  gboolean is_continued;        /* continues the stage of the previous record */
  gboolean is_joined;           /* no timestamp between it and the previous record */
  gconstpointer work;           /* the kind of work (gpu_stream_measure()), or NULL */
  guint64 units;                /* of that work */
} GpuStageRecord;

/* The format of a device's timestamps. */
typedef struct
{
  guint64 mask;                 /* the valid bits */
  gdouble period;               /* ns per tick */
} GpuTickClock;

/* Returns the ns between two timestamps. */
guint64 gpu_timings_get_ns (const GpuTickClock * clock, guint64 from,
    guint64 to);

/* Returns whether record @i has a timestamp before it and one after it. */
gboolean gpu_timings_is_known (const GpuStageRecord * records,
    guint n_records, guint i);

/* Adds a finished submission to @timings. @ticks: a timestamp before each record that is
 * not joined (the first record never is), and one after the last; NULL if the device has
 * no timestamps, and then @clock is not used. @first_tick: the first timestamp of the
 * frame; the caller keeps it for all submissions of the frame. */
void gpu_timings_add (GpuTimings * timings, const GpuStageRecord * records,
    guint n_records, const guint64 * ticks, const GpuTickClock * clock,
    guint64 * first_tick);

/* Adds a copy on a transfer queue. @time: ns, or NULL: it was not timed. */
void gpu_timings_add_copy (GpuTimings * timings, const gchar * stage,
    const guint64 * time);

/* Completes the timings of a frame: copies the times of stages that were not timed
 * completely from @before, the timings of an earlier frame, and adds copies on transfer
 * queues to the span. */
void gpu_timings_fill_in (GpuTimings * timings, const GpuTimings * before);

G_END_DECLS
