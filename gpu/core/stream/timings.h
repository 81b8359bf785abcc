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

/* From one timestamp to another. @mask: the valid bits. @period: ns per tick. */
guint64 gpu_timings_get_ns (guint64 from, guint64 to, guint64 mask,
    gdouble period);

/* Whether record @i has a timestamp before it and another behind it. */
gboolean gpu_timings_is_known (const GpuStageRecord * records,
    guint n_records, guint i);

/* Adds a finished submission to @timings. @ticks: a timestamp before each record
 * that is not joined, as the first never is, and one behind the last; NULL on a
 * device without. @first_tick: of the frame, kept by the caller from its first
 * submission to its last. */
void gpu_timings_add (GpuTimings * timings, const GpuStageRecord * records,
    guint n_records, const guint64 * ticks, guint64 mask, gdouble period,
    guint64 * first_tick);

/* Stages of which not every command was timed take their times from @before, an
 * earlier frame. */
void gpu_timings_fill_in (GpuTimings * timings, const GpuTimings * before);

G_END_DECLS
