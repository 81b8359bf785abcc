/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "hazards.h"

/* An access of an earlier command. */
typedef struct
{
  GpuAccess access;
  guint group;
  gboolean is_ordered;          /* a barrier followed, but none for numbers of workgroups */
} Past;

void
gpu_hazards_init (GpuHazards * hazards)
{
  hazards->accesses = g_array_new (FALSE, FALSE, sizeof (Past));
}

void
gpu_hazards_clear (GpuHazards * hazards)
{
  g_clear_pointer (&hazards->accesses, g_array_unref);
}

void
gpu_hazards_begin (GpuHazards * hazards)
{
  g_array_set_size (hazards->accesses, 0);
}

void
gpu_hazards_begin_disjoint (GpuHazards * hazards)
{
  if (hazards->disjoint++ == 0)
    hazards->group++;
}

void
gpu_hazards_end_disjoint (GpuHazards * hazards)
{
  g_return_if_fail (hazards->disjoint > 0);
  hazards->disjoint--;
}

static gboolean
overlap (const GpuAccess * a, const GpuAccess * b)
{
  return a->handle == b->handle && a->begin < b->end && b->begin < a->end;
}

static GpuHazard
hazard_between (const Past * past, const GpuAccess * next, guint group)
{
  if (!overlap (&past->access, next)
      || !(past->access.is_write || next->is_write))
    return GPU_HAZARD_NONE;
  if (next->is_counts)
    return GPU_HAZARD_COUNTS;
  return past->is_ordered || past->group == group
      ? GPU_HAZARD_NONE : GPU_HAZARD_MEMORY;
}

static GpuHazard
find_hazard (const GpuHazards * hazards, const GpuAccess * next)
{
  GpuHazard hazard = GPU_HAZARD_NONE;

  for (guint i = 0; i < hazards->accesses->len; i++)
    hazard = MAX (hazard, hazard_between (&g_array_index (hazards->accesses,
                Past, i), next, hazards->group));
  return hazard;
}

/* Forgets what a barrier orders. Writes are kept, as ordered, until there is one for numbers
 * of workgroups. */
static void
order_past (GpuHazards * hazards, GpuHazard barrier)
{
  guint kept = 0;

  for (guint i = 0; barrier != GPU_HAZARD_COUNTS
      && i < hazards->accesses->len; i++) {
    Past *past = &g_array_index (hazards->accesses, Past, i);

    if (!past->access.is_write)
      continue;
    past->is_ordered = TRUE;
    g_array_index (hazards->accesses, Past, kept++) = *past;
  }
  g_array_set_size (hazards->accesses, kept);
}

/* Takes note of @access, in place of one of the same bytes that is of the same group, or that
 * was ordered. */
static void
note_access (GpuHazards * hazards, const GpuAccess * access)
{
  const Past next = { *access, hazards->group, FALSE };

  for (guint i = 0; i < hazards->accesses->len; i++) {
    Past *past = &g_array_index (hazards->accesses, Past, i);

    if (past->access.handle == access->handle
        && past->access.begin == access->begin
        && past->access.end == access->end
        && past->access.is_write == access->is_write
        && (past->is_ordered || past->group == hazards->group)) {
      *past = next;
      return;
    }
  }
  g_array_append_val (hazards->accesses, next);
}

GpuHazard
gpu_hazards_add (GpuHazards * hazards, const GpuAccess * accesses, guint n)
{
  GpuHazard hazard = GPU_HAZARD_NONE;

  if (hazards->disjoint == 0)
    hazards->group++;
  for (guint i = 0; i < n; i++)
    hazard = MAX (hazard, find_hazard (hazards, &accesses[i]));
  if (hazard != GPU_HAZARD_NONE)
    order_past (hazards, hazard);
  for (guint i = 0; i < n; i++)
    note_access (hazards, &accesses[i]);
  return hazard;
}
