/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Says how much work goes into one dispatch and into one submission, from what
 * engines state that it costs, and from what it took. A stream has one. */
#pragma once

#include "cost.h"

G_BEGIN_DECLS

/* What is aimed at. Twice that, which a cost that fell in error leads to, is
 * still no more than what drivers and desktops forgive: 50 ms, 100 ms. */
#define GPU_PACER_DISPATCH_NS 20000000
#define GPU_PACER_SUBMISSION_NS 50000000
/* The same where other streams wait for the device as well: it is to be theirs
 * after 20 ms. */
#define GPU_PACER_SHARED_DISPATCH_NS 5000000
#define GPU_PACER_SHARED_SUBMISSION_NS 10000000

/* Costs that are known at a time; the oldest are forgotten. */
#define GPU_PACER_COSTS 64

/* What is known of a cost, and what of it was done in the submission that is
 * looked at. */
typedef struct
{
  GpuCost stated;
  gdouble ns;                   /* of a unit, as learned */
  guint64 units;
  guint64 total, longest;       /* ns */
} GpuPacerCost;

typedef struct
{
  guint64 dispatch_ns, submission_ns;
} GpuPacerAims;

typedef struct
{
  gboolean is_slow;             /* gpu_device_is_slow() */
  guint unsettled, looks;       /* submissions to come: costs may still move, and
                                   commands are to be timed */
  GpuPacerAims aims;            /* of the submission being recorded... */
  gdouble recorded;             /* ...and its ns */
  GpuPacerCost costs[GPU_PACER_COSTS];
  guint n_costs;                /* ever seen */
} GpuPacer;

void gpu_pacer_init (GpuPacer * pacer, gboolean is_slow);

/* A submission begins. Returns whether its commands are to be timed one by one: one
 * of those before took longer than a dispatch may, or was thought to, by costs that
 * are not settled. Where none does, nothing is cut, whatever it costs. */
gboolean gpu_pacer_begin (GpuPacer * pacer, gboolean is_shared);

/* What @units take. */
gdouble gpu_pacer_estimate (GpuPacer * pacer, const GpuCost * cost,
    guint64 units);

/* Units that a dispatch should have, and that the submission has time for, but
 * always 1. */
guint64 gpu_pacer_get_dispatch (GpuPacer * pacer, const GpuCost * cost);
guint64 gpu_pacer_get_rest (GpuPacer * pacer, const GpuCost * cost);

/* Whether @units fit into the submission, which an empty one always has room
 * for. They count as recorded then. */
gboolean gpu_pacer_take (GpuPacer * pacer, const GpuCost * cost,
    guint64 units);

/* A submission took what it took: a call for every dispatch that was timed and did
 * @units of what is known by @key, then one for the whole of it, with what was
 * aimed at when it began. */
void gpu_pacer_measured (GpuPacer * pacer, gconstpointer key, guint64 units,
    guint64 total, guint64 longest);
void gpu_pacer_learn (GpuPacer * pacer, const GpuPacerAims * aims,
    guint64 submission_ns);

G_END_DECLS
