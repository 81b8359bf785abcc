/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The pacer decides how much work goes into a dispatch and into a submission. It uses the
 * costs that engines state and the times that were measured. Each stream has a pacer. */
#pragma once

#include "cost.h"

G_BEGIN_DECLS

/* Target durations in ns. If a learned cost has fallen by mistake, dispatches may take twice
 * as long, which drivers and desktops still tolerate: 50 ms. */
#define GPU_PACER_DISPATCH_NS 20000000
#define GPU_PACER_SUBMISSION_NS 50000000
/* The same if other streams also use the device, which they should get within 20 ms. */
#define GPU_PACER_SHARED_DISPATCH_NS 5000000
#define GPU_PACER_SHARED_SUBMISSION_NS 10000000
/* The dispatches of a submission together, by the costs that decide how long they are. So much
 * it may take if they suddenly have more to do than when they were timed. On slow devices, work
 * that depends on its data counts as stated. */
#define GPU_PACER_WORST_NS 250000000

/* Maximum number of known costs; the oldest is replaced. */
#define GPU_PACER_COSTS 64

/* A known cost, and the measurements of the submission that is being learned from. */
typedef struct
{
  GpuCost stated;
  gdouble ns;                   /* learned cost per unit: decides how long dispatches are */
  gdouble newest;               /* cost per unit in the newest timed submission; where
                                   submissions end, the lesser of the two counts */
  guint64 units;                /* measured units */
  guint64 total, longest;       /* measured ns: of all commands, of the longest */
} GpuPacerCost;

/* Target durations. */
typedef struct
{
  guint64 dispatch_ns, submission_ns;
} GpuPacerAims;

typedef struct
{
  gboolean is_slow;             /* gpu_device_is_slow() */
  guint unsettled, looks;       /* number of submissions until costs are settled; number
                                   of submissions whose commands are still to be timed */
  GpuPacerAims aims;            /* targets of the submission being recorded */
  gdouble recorded;             /* its estimated ns so far */
  gdouble worst;                /* the same if each dispatch is as long as it may be */
  GpuPacerCost costs[GPU_PACER_COSTS];
  guint n_costs;                /* number of costs ever added */
} GpuPacer;

/* Initialises @pacer. @is_slow: gpu_device_is_slow(). These functions take no lock. */
void gpu_pacer_init (GpuPacer * pacer, gboolean is_slow);

/* Begins a submission. @is_shared: other streams use the device too. Returns whether the
 * commands of the submission are to be timed one by one. They are if a recent submission
 * took longer than the target of a dispatch, or was estimated to while costs were not
 * settled. If all submissions are that short, none is split, and costs do not matter. */
gboolean gpu_pacer_begin (GpuPacer * pacer, gboolean is_shared);

/* Returns the estimated ns of @units, as gpu_pacer_take() counts them. */
gdouble gpu_pacer_estimate (GpuPacer * pacer, const GpuCost * cost,
    guint64 units);
/* The same in the worst case. */
gdouble gpu_pacer_get_worst (GpuPacer * pacer, const GpuCost * cost,
    guint64 units);

/* Return how many units a dispatch should have, and how many the submission still has
 * time for; at least 1. */
guint64 gpu_pacer_get_dispatch (GpuPacer * pacer, const GpuCost * cost);
guint64 gpu_pacer_get_rest (GpuPacer * pacer, const GpuCost * cost);

/* Returns whether @units fit into the submission, and if so counts them as recorded. They
 * always fit into an empty submission. */
gboolean gpu_pacer_take (GpuPacer * pacer, const GpuCost * cost,
    guint64 units);

/* Reports the times of a finished submission. Call gpu_pacer_measured() for every timed
 * command: it did @units of the work @key in @total ns; its longest dispatch took
 * @longest ns. Then call gpu_pacer_learn() with the targets and the duration of the
 * submission. */
void gpu_pacer_measured (GpuPacer * pacer, gconstpointer key, guint64 units,
    guint64 total, guint64 longest);
void gpu_pacer_learn (GpuPacer * pacer, const GpuPacerAims * aims,
    guint64 submission_ns);

G_END_DECLS
