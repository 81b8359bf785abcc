/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pacer.h"

/* Maximum factors by which a learned cost rises or falls per submission. The limit on
 * falling keeps dispatches within bounds after an untypically fast measurement. */
#define MOST_RISE 4.0
#define MOST_FALL 2.0

/* On slow devices, for which the stated worst-case costs were measured, work that depends
 * on its data may become as expensive as stated at any time. A learned cost never falls
 * below this fraction of the stated cost: a dispatch of 20 ms then takes at most 50 ms. */
#define LEAST_OF_STATED 0.4

/* Work that takes less than this fraction (1/n) of a long submission does not count as
 * the reason for its length. */
#define SUBSTANTIAL_PART 4

/* After a long submission, the commands of this many submissions are timed: the rest of
 * the frame and some of the following ones. Costs are settled if none changes by more than
 * the fraction LEAST_CHANGE for as many submissions; smaller changes are noise. */
#define LOOKS 16
#define LEAST_CHANGE 0.1

/* Shorter times are not learned from: the launch of a dispatch and the clock's precision
 * distort them, and a dispatch of many items may have found few to do. They count as this
 * long where a submission is planned. If there is suddenly more to do, no dispatch is too long
 * for that, but submissions are until it is measured, up to GPU_PACER_WORST_NS. */
#define LEAST_MEASURED_NS 20000

void
gpu_pacer_init (GpuPacer * pacer, gboolean is_slow)
{
  *pacer = (GpuPacer) {.is_slow = is_slow};
  gpu_pacer_begin (pacer, FALSE);
}

gboolean
gpu_pacer_begin (GpuPacer * pacer, gboolean is_shared)
{
  gboolean looks = pacer->looks > 0;

  pacer->looks -= looks;
  pacer->unsettled -= pacer->unsettled > 0;
  pacer->recorded = pacer->worst = 0;
  pacer->aims.dispatch_ns =
      is_shared ? GPU_PACER_SHARED_DISPATCH_NS : GPU_PACER_DISPATCH_NS;
  pacer->aims.submission_ns =
      is_shared ? GPU_PACER_SHARED_SUBMISSION_NS : GPU_PACER_SUBMISSION_NS;
  return looks;
}

static void
look_where_long (GpuPacer * pacer, const GpuPacerAims * aims, gdouble ns)
{
  if (ns > aims->dispatch_ns)
    pacer->looks = LOOKS;
}

/* --- costs --- */

static GpuPacerCost *
find_cost (GpuPacer * pacer, gconstpointer key)
{
  for (guint i = 0; i < MIN (pacer->n_costs, GPU_PACER_COSTS); i++)
    if (pacer->costs[i].stated.key == key)
      return &pacer->costs[i];
  return NULL;
}

/* Returns the known cost, or adds @cost. If the stated cost has changed, learning restarts
 * from it. */
static GpuPacerCost *
get_cost (GpuPacer * pacer, const GpuCost * cost)
{
  GpuPacerCost *known = find_cost (pacer, cost->key);

  if (!known)
    known = &pacer->costs[pacer->n_costs++ % GPU_PACER_COSTS];
  if (known->stated.key != cost->key || known->stated.ns != cost->ns) {
    *known = (GpuPacerCost) {*cost, cost->ns, cost->ns};
    pacer->unsettled = LOOKS;
  }
  return known;
}

static gdouble
ns_of_unit (GpuPacer * pacer, const GpuCost * cost)
{
  return cost->key ? get_cost (pacer, cost)->ns : cost->ns;
}

gdouble
gpu_pacer_estimate (GpuPacer * pacer, const GpuCost * cost, guint64 units)
{
  const GpuPacerCost *known;

  if (!cost->key)
    return cost->ns * units;
  known = get_cost (pacer, cost);
  return MIN (known->ns, known->newest) * units;
}

gdouble
gpu_pacer_get_worst (GpuPacer * pacer, const GpuCost * cost, guint64 units)
{
  return (pacer->is_slow && cost->is_by_data ? cost->ns
      : ns_of_unit (pacer, cost)) * units;
}

static guint64
units_of (GpuPacer * pacer, const GpuCost * cost, gdouble ns)
{
  return CLAMP (ns / ns_of_unit (pacer, cost), 1, G_MAXUINT32);
}

guint64
gpu_pacer_get_dispatch (GpuPacer * pacer, const GpuCost * cost)
{
  return units_of (pacer, cost, pacer->aims.dispatch_ns);
}

guint64
gpu_pacer_get_rest (GpuPacer * pacer, const GpuCost * cost)
{
  return units_of (pacer, cost, pacer->aims.submission_ns - pacer->recorded);
}

gboolean
gpu_pacer_take (GpuPacer * pacer, const GpuCost * cost, guint64 units)
{
  gdouble ns = gpu_pacer_estimate (pacer, cost, units);
  gdouble worst = gpu_pacer_get_worst (pacer, cost, units);

  if (pacer->recorded > 0
      && (pacer->recorded + ns > pacer->aims.submission_ns
          || pacer->worst + worst > GPU_PACER_WORST_NS))
    return FALSE;
  pacer->recorded += ns;
  pacer->worst += worst;
  if (pacer->unsettled > 0)
    look_where_long (pacer, &pacer->aims, pacer->recorded);
  return TRUE;
}

/* --- learning --- */

void
gpu_pacer_measured (GpuPacer * pacer, gconstpointer key, guint64 units,
    guint64 total, guint64 longest)
{
  GpuPacerCost *known = find_cost (pacer, key);

  if (!known)
    return;
  known->units += units;
  known->total += total;
  known->longest = MAX (known->longest, longest);
}

static gdouble
at_least (const GpuPacer * pacer, const GpuPacerCost * known, gdouble ns)
{
  return pacer->is_slow && known->stated.is_by_data
      ? MAX (ns, known->stated.ns * LEAST_OF_STATED) : ns;
}

/* A cost rises only if a dispatch or submission was too long. In a short dispatch an item
 * seems more expensive, because the time to start and end the dispatch is shared by few
 * items. */
static void
learn_cost (GpuPacer * pacer, GpuPacerCost * known, const GpuPacerAims * aims,
    guint64 submission_ns)
{
  gdouble measured = (gdouble) known->total / known->units;
  gdouble before = known->ns;
  gboolean was_long = known->longest > aims->dispatch_ns
      || (submission_ns > aims->submission_ns
      && known->total >= submission_ns / SUBSTANTIAL_PART);

  if (measured < known->ns)
    known->ns = MAX (measured, known->ns / MOST_FALL);
  else if (was_long)
    known->ns = MIN (measured, known->ns * MOST_RISE);
  known->ns = at_least (pacer, known, known->ns);
  if (ABS (known->ns - before) > LEAST_CHANGE * before)
    pacer->unsettled = LOOKS;
}

void
gpu_pacer_learn (GpuPacer * pacer, const GpuPacerAims * aims,
    guint64 submission_ns)
{
  for (guint i = 0; i < MIN (pacer->n_costs, GPU_PACER_COSTS); i++) {
    GpuPacerCost *known = &pacer->costs[i];

    /* 0 ns: a clock that tells nothing. */
    if (known->units > 0 && known->total > 0)
      known->newest =
          (gdouble) MAX (known->total, LEAST_MEASURED_NS) / known->units;
    if (known->units > 0 && known->total >= LEAST_MEASURED_NS)
      learn_cost (pacer, known, aims, submission_ns);
    known->units = known->total = known->longest = 0;
  }
  look_where_long (pacer, aims, submission_ns);
}
