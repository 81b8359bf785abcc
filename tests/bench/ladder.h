/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Walks by mean shift, a thread a walker, in every way of tests/shaders/ladder.comp:
 * what each idea is worth, one on top of the other. */
#pragma once

#include "gpu/core/stream/stream.h"
#include "cell_grid.h"
#include "tests/shaders/ladder.h"

G_BEGIN_DECLS

typedef struct
{
  guint search;                 /* LADDER_BRUTE_FORCE and so on */
  gboolean shares;              /* what walks have in common; not with
                                   LADDER_NO_MASK */
  guint mask;                   /* LADDER_NO_MASK and so on */
  gboolean is_persistent;       /* as many threads as the device has room for, which
                                   take walkers by turns */
  guint max_steps;              /* of a walker in a pass */
} LadderWay;

/* What is walked over, on the device. */
typedef struct _Ladder Ladder;

/* Walkers are in the order of their cells along @curve, or for CURVES in that of
 * colours. @colours and @grid, which is of these, have to outlive it. NULL with
 * @error set where there is no memory. */
Ladder *ladder_new (GpuStream * stream, const CellColours * colours,
    const CellGrid * grid, gboolean is_weighted, Curve curve,
    GError ** error);
void ladder_free (Ladder * ladder);

typedef struct
{
  guint active;                 /* walkers that were not done before it */
  gdouble ms;                   /* all its dispatches */
  gdouble longest;              /* of these */
} LadderPass;

typedef struct
{
  gdouble ms;                   /* all passes, without what lies between them */
  gdouble longest;              /* ms, of a dispatch */
  guint64 steps, tests;
  GArray *passes;               /* LadderPass */
  guint *steps_of;              /* of each walker, by colour */
  CellPoint *ends;              /* where it ended */
} LadderResult;

void ladder_result_clear (LadderResult * result);

/* Walks until all are done; @result is empty before, and is cleared by the caller.
 * FALSE with @error set where the device fails, or has no room for what walks
 * share. */
gboolean ladder_run (Ladder * ladder, const LadderWay * way,
    LadderResult * result, GError ** error);

/* What a pass takes in which @n walkers, a multiple of 64, are done already: ms. Not
 * of LADDER_NO_MASK and LADDER_LISTS. */
gboolean ladder_run_empty (Ladder * ladder, const LadderWay * way, guint n,
    gdouble * ms, GError ** error);

G_END_DECLS
