/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Moves walkers to their fixed points in rounds. In each round walkers are grouped by
 * cell, and each group makes mean shift steps. The way of a point is the sequence of
 * its successors up to a fixed point. Walks that come to the same lattice point share
 * the rest of their way. */
#pragma once

#include "gpu/palette/exact/grid.h"
#include "walkkernel.h"

G_BEGIN_DECLS

typedef struct
{
  GpuKernel *seed, *round, *enter, *group, *order, *empty, *follow;
  GpuPaletteWalkKernels kernels[GPU_PALETTE_WALK_LANES + 1];    /* by kind;
                                   made on first use */

  GpuBuffer *walker_successors; /* by walker (successors.glsl) */
  GpuBuffer *successors;        /* by slot of a visited point (successors.glsl) */
  GpuBuffer *in_order;          /* walkers in the order of cells */
  GpuBuffer *groups;            /* by group: cell and number of walkers, and the first
                                   of them in in_order */
  GpuBuffer *cell_walkers;      /* by cell, in the order of cubes.glsl: number of its
                                   walkers */
  GpuBuffer *firsts;            /* by block of cells: HAS_WALKERS, then the index of its
                                   first walker in in_order */
  guint64 memory;               /* size of these buffers in bytes */

  guint few;                    /* up to this many walkers in a round are a group each */
  guint max_walkers;            /* walkers in a round */
  guint max_tests;              /* tests of a group in a round, about */

  guint max_rounds;             /* rounds in a submission */
  GpuPaletteWalkKind kind;      /* for the frame in progress */
  gboolean is_sharing;          /* walks of the frame in progress share visited points */

  /* Parameters of the last frame if its lists were too long for walk_lanes.comp; else n
   * is 0. */
  struct
  {
    guint n, shift, radius_squared;
  } long_lists;

  /* For the submission in progress. */
  guint max_groups;             /* groups in a dispatch */
  guint max_dispatch_units;     /* units of a dispatch after which no group begins */
  guint max_units;              /* units of the submission after which no round begins */
} GpuPaletteWalk;

/* Initializes a zeroed @walk with room for @cells and buffers->capacity walkers. FALSE
 * with @error set on failure; call gpu_palette_walk_clear() in either case. */
gboolean gpu_palette_walk_init (GpuPaletteWalk * walk, GpuPaletteExactBuffers * buffers,
    const GpuPaletteGridCells * cells, GError ** error);
void gpu_palette_walk_clear (GpuPaletteWalk * walk);

/* Returns whether there is room for @cells. */
gboolean gpu_palette_walk_has_room (const GpuPaletteWalk * walk,
    const GpuPaletteGridCells * cells);

/* Moves walkers from all points of @grid until all have stopped. Records, submits and
 * waits. With solve->keeps_successors, a walker follows successors known from earlier
 * frames, and stops if its way is known to the end or another walker continues it. FALSE
 * with @error set on failure; TOO_LARGE: a CPU device cannot compute a step. */
gboolean gpu_palette_walk_solve (GpuPaletteWalk * walk, GpuPaletteGrid * grid,
    GpuPaletteSolve * solve, GError ** error);

/* Records, after gpu_palette_walk_solve(), the following of successors to
 * buffers->fixed_points, by rank. As long as the control buffer has CONTROL_ON_THE_WAY,
 * not all fixed points are reached: call it again with @is_begun. walk->groups may be
 * overwritten in between. FALSE with @error set on failure. */
void gpu_palette_walk_follow (GpuPaletteWalk * walk, GpuPaletteGrid * grid,
    GpuPaletteSolve * solve, gboolean is_begun);

G_END_DECLS
