/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The pacer decides how much work goes into a dispatch and into a submission. It knows how
 * long a unit of each kind of work took when it was last timed; a new kind of work begins
 * with small dispatches. Each stream has a pacer. */
#pragma once

#include "gpu/core/device/device.h"

G_BEGIN_DECLS

/* Target durations in ns. A dispatch may take twice as long if the last one was untypically
 * fast, which drivers and desktops still tolerate: 50 ms. */
#define GPU_PACER_DISPATCH_NS 20000000
#define GPU_PACER_SUBMISSION_NS 50000000
/* The same if other streams also use the device, which they should get within 20 ms. */
#define GPU_PACER_SHARED_DISPATCH_NS 5000000
#define GPU_PACER_SHARED_SUBMISSION_NS 10000000

/* Maximum number of known kinds of work; the oldest is replaced. */
#define GPU_PACER_KINDS 64

/* A kind of work, and the measurements of the submission that is being learned from. */
typedef struct
{
  gconstpointer key;
  gdouble ns;                   /* learned time of a unit: decides how long dispatches are */
  gdouble newest;               /* time of a unit in the newest timed submission: decides,
                                   if it is less, where submissions end */
  gboolean was_timed;           /* in an earlier submission */
  guint64 units;                /* measured units */
  guint64 total, longest;       /* measured ns: of all commands, of the longest */
} GpuPacerKind;

/* Target durations. */
typedef struct
{
  guint64 dispatch_ns, submission_ns;
} GpuPacerAims;

typedef struct
{
  gdouble first_ns;             /* assumed time of a unit of work that was never timed */
  gboolean compiles_late;       /* the first dispatch of a kernel includes its compilation */
  guint looks;                  /* number of submissions whose commands are still to be
                                   timed */
  GpuPacerAims aims;            /* targets of the submission being recorded */
  gdouble recorded;             /* its estimated ns so far */
  GpuPacerKind kinds[GPU_PACER_KINDS];
  guint n_kinds;                /* number of kinds ever added */
} GpuPacer;

/* Initialises @pacer for a device of kind @device. These functions take no lock. */
void gpu_pacer_init (GpuPacer * pacer, GpuDeviceKind device);

/* Begins a submission. @is_shared: other streams use the device too. Returns whether the
 * commands of the submission are to be timed one by one. They are for a while after a kind
 * of work was new, a submission took longer than the target of a dispatch, or work did not
 * fit into one. Otherwise nothing is cut, and times of units do not matter. */
gboolean gpu_pacer_begin (GpuPacer * pacer, gboolean is_shared);

/* In the following, @key identifies the kind of work: the kernel or a static string. NULL:
 * nothing is learned. */

/* Returns the estimated ns of @units, as gpu_pacer_take() counts them. */
gdouble gpu_pacer_estimate (GpuPacer * pacer, gconstpointer key, guint64 units);

/* Return how many units a dispatch should have, and how many the submission still has
 * time for; at least 1. */
guint64 gpu_pacer_get_dispatch (GpuPacer * pacer, gconstpointer key);
guint64 gpu_pacer_get_rest (GpuPacer * pacer, gconstpointer key);

/* Returns whether @units fit into the submission, and if so counts them as recorded. They
 * always fit into an empty submission. */
gboolean gpu_pacer_take (GpuPacer * pacer, gconstpointer key, guint64 units);

/* Reports the times of a finished submission. Call gpu_pacer_measured() for every timed
 * command: it did @units of the work @key in @ns. Then call gpu_pacer_learn() with the
 * targets and the duration of the submission. If only the device knows the units of a
 * command, @units is 0; nothing is learned until they are reported with @ns 0. */
void gpu_pacer_measured (GpuPacer * pacer, gconstpointer key, guint64 units,
    guint64 ns);
/* Forgets the times of commands whose units are still unknown, as a frame that fails never
 * reports them. Call it before you report the times of another submission. */
void gpu_pacer_forget_unreported (GpuPacer * pacer);
void gpu_pacer_learn (GpuPacer * pacer, const GpuPacerAims * aims,
    guint64 submission_ns);

G_END_DECLS
