/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "timings.h"

#include <string.h>

/* Names beyond the table share its last row. */
static GpuStageTime *
find_stage (GpuTimings * timings, const gchar * name)
{
  for (guint i = 0; i < timings->n_stages; i++)
    if (!strcmp (timings->stages[i].name, name))
      return &timings->stages[i];
  if (timings->n_stages == GPU_MAX_STAGES)
    return &timings->stages[GPU_MAX_STAGES - 1];
  timings->stages[timings->n_stages].name = name;
  return &timings->stages[timings->n_stages++];
}

guint64
gpu_timings_get_ns (guint64 from, guint64 to, guint64 mask, gdouble period)
{
  return ((to - from) & mask) * period;
}

void
gpu_timings_add (GpuTimings * timings, const GpuStageRecord * records,
    guint n_records, const guint64 * ticks, guint64 mask, gdouble period,
    guint64 * first_tick)
{
  if (ticks && timings->submissions == 0)
    *first_tick = ticks[0];
  timings->submissions++;
  for (guint i = 0; i < n_records; i++) {
    GpuStageTime *stage = find_stage (timings, records[i].name);
    guint64 time = ticks ?
        gpu_timings_get_ns (ticks[i], ticks[i + 1], mask, period) : 0;

    stage->count += !records[i].is_continued;
    stage->dispatches += records[i].dispatches;
    stage->total += time;
    stage->longest = MAX (stage->longest, time);
    timings->longest_dispatch = MAX (timings->longest_dispatch, time);
  }
  if (ticks) {
    guint64 last = ticks[n_records];
    guint64 time = gpu_timings_get_ns (ticks[0], last, mask, period);

    timings->span = gpu_timings_get_ns (*first_tick, last, mask, period);
    timings->longest_submission = MAX (timings->longest_submission, time);
  }
}
