/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "stream.h"

G_BEGIN_DECLS

/* A stage as a slot recorded it, or a part of one: no more than one dispatch,
 * fill or copy. */
typedef struct
{
  const gchar *name;
  guint dispatches;
  gboolean is_continued;        /* goes on with the stage of the one before */
  gboolean is_joined;           /* no timestamp between it and the one before */
  gconstpointer cost;           /* what the pacer knows it by, or NULL */
  guint64 units;                /* of that */
} GpuStageRecord;

/* What a device's timestamps are. */
typedef struct
{
  guint64 mask;                 /* the valid bits */
  gdouble period;               /* ns per tick */
} GpuTickClock;

/* From one timestamp to another. */
guint64 gpu_timings_get_ns (const GpuTickClock * clock, guint64 from,
    guint64 to);

/* Whether record @i has a timestamp before it and another behind it. */
gboolean gpu_timings_is_known (const GpuStageRecord * records,
    guint n_records, guint i);

/* Adds a finished submission to @timings. @ticks: a timestamp before each record
 * that is not joined, as the first never is, and one behind the last; NULL on a
 * device without, where @clock means nothing. @first_tick: of the frame, kept by the
 * caller from its first submission to its last. */
void gpu_timings_add (GpuTimings * timings, const GpuStageRecord * records,
    guint n_records, const guint64 * ticks, const GpuTickClock * clock,
    guint64 * first_tick);

/* Stages of which not every command was timed take their times from @before, an
 * earlier frame. */
void gpu_timings_fill_in (GpuTimings * timings, const GpuTimings * before);

G_END_DECLS
