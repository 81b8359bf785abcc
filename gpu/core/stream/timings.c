/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "timings.h"

#include <string.h>

/* Returns the index of the stage @name, or n_stages if there is none. */
static guint
find_stage (const GpuTimings * timings, const gchar * name)
{
  guint i = 0;

  while (i < timings->n_stages && strcmp (timings->stages[i].name, name))
    i++;
  return i;
}

/* Returns the stage @name; adds it if necessary. If the table is full, further names
 * share the last row. */
static GpuStageTime *
get_stage (GpuTimings * timings, const gchar * name)
{
  guint i = find_stage (timings, name);

  if (i == GPU_MAX_STAGES)
    return &timings->stages[GPU_MAX_STAGES - 1];
  if (i == timings->n_stages)
    timings->stages[timings->n_stages++].name = name;
  return &timings->stages[i];
}

guint64
gpu_timings_get_ns (const GpuTickClock * clock, guint64 from, guint64 to)
{
  return ((to - from) & clock->mask) * clock->period;
}

gboolean
gpu_timings_is_known (const GpuStageRecord * records, guint n_records, guint i)
{
  return !records[i].is_joined
      && (i + 1 == n_records || !records[i + 1].is_joined);
}

static void
add_time (GpuTimings * timings, GpuStageTime * stage, guint64 time)
{
  stage->total += time;
  stage->longest = MAX (stage->longest, time);
  timings->longest_dispatch = MAX (timings->longest_dispatch, time);
}

void
gpu_timings_add (GpuTimings * timings, const GpuStageRecord * records,
    guint n_records, const guint64 * ticks, const GpuTickClock * clock,
    guint64 * first_tick)
{
  guint tick = 0;               /* index of the next timestamp */

  if (ticks && timings->submissions == 0)
    *first_tick = ticks[0];
  timings->submissions++;
  for (guint i = 0; i < n_records; i++) {
    GpuStageTime *stage = get_stage (timings, records[i].name);

    tick += !records[i].is_joined;
    stage->count += !records[i].is_continued;
    stage->dispatches += records[i].dispatches;
    if (!gpu_timings_is_known (records, n_records, i))
      stage->is_in_part = TRUE;
    else if (ticks)
      add_time (timings, stage, gpu_timings_get_ns (clock,
              ticks[tick - 1], ticks[tick]));
  }
  if (ticks) {
    guint64 last = ticks[tick];
    guint64 time = gpu_timings_get_ns (clock, ticks[0], last);

    timings->span = gpu_timings_get_ns (clock, *first_tick, last);
    timings->longest_submission = MAX (timings->longest_submission, time);
  }
}

void
gpu_timings_add_copy (GpuTimings * timings, const gchar * stage,
    const guint64 * time)
{
  GpuStageTime *row = get_stage (timings, stage);

  row->count++;
  /* If the table is full, the last row is also that of other stages. */
  row->is_apart = !strcmp (row->name, stage);
  if (time)
    add_time (timings, row, *time);
  else
    row->is_in_part = TRUE;
}

void
gpu_timings_fill_in (GpuTimings * timings, const GpuTimings * before)
{
  for (guint i = 0; i < timings->n_stages; i++) {
    GpuStageTime *stage = &timings->stages[i];
    guint row = find_stage (before, stage->name);

    if (stage->is_in_part) {
      stage->total = row < before->n_stages ? before->stages[row].total : 0;
      stage->longest = row < before->n_stages ? before->stages[row].longest : 0;
      timings->longest_dispatch =
          MAX (timings->longest_dispatch, stage->longest);
    }
    if (stage->is_apart)
      timings->span += stage->total;
  }
}
