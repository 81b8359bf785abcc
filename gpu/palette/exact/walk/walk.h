/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Walks in batches: in rounds, walkers are grouped by where they are, each group
 * steps against what its surroundings hold, and walks that meet share their
 * future. */
#pragma once

#include "gpu/palette/exact/grid.h"
#include "walkkernel.h"

G_BEGIN_DECLS

typedef struct
{
  GpuKernel *seed, *round, *enter, *group, *order, *empty, *follow;
  GpuPaletteWalkKernels kernels[GPU_PALETTE_WALK_LANES + 1];    /* by kind;
                                   made when they are first wanted */

  GpuBuffer *walker_successors;              /* per walker */
  GpuBuffer *successors;              /* per slot of the visited points */
  GpuBuffer *in_order;          /* walkers by cell */
  GpuBuffer *groups;
  GpuBuffer *cell_walkers;            /* per cell: its walkers, as cubes.glsl has it */
  GpuBuffer *firsts;            /* per block of cells: a mark if it has walkers, then
                                 * the first of them in order */
  guint64 memory;               /* bytes of these */

  guint few;                    /* so few walkers get a group each */
  guint max_walkers;            /* of a round */
  guint max_tests;              /* of a group, about */

  guint max_rounds;             /* of a submission */
  GpuPaletteWalkKind kind;      /* of the frame at hand */
  gboolean is_sharing;          /* what was visited, in the same */

  /* The last frame, where lists were too long for walk_lanes.comp; else n is
   * 0. */
  struct
  {
    guint n, shift, radius_squared;
  } long_lists;

  /* Of the submission at hand. */
  guint max_groups;             /* of a dispatch */
  guint max_dispatch_units;     /* then no group begins */
  guint max_units;              /* then no round begins */
} GpuPaletteWalk;

/* A zeroed @walk, with room for @cells; gpu_palette_walk_clear() also after
 * failure. */
gboolean gpu_palette_walk_init (GpuPaletteWalk * walk, GpuPaletteExactBuffers * buffers,
    const GpuPaletteGridCells * cells, GError ** error);
void gpu_palette_walk_clear (GpuPaletteWalk * walk);

gboolean gpu_palette_walk_has_room (const GpuPaletteWalk * walk,
    const GpuPaletteGridCells * cells);

/* Walks from all points of @grid to their fixed points. Where solve->keeps_successors, a
 * walk ends where the successor is known. */
gboolean gpu_palette_walk_solve (GpuPaletteWalk * walk, GpuPaletteGrid * grid,
    GpuPaletteSolve * solve, GError ** error);

/* Records, after that: buffers->fixed_points, by rank. Call it again with @is_begun for as
 * long as the control buffer has CONTROL_ON_THE_WAY: then one dispatch did not follow all
 * successors to the end. Before that, walk->groups may be overwritten. */
gboolean gpu_palette_walk_follow (GpuPaletteWalk * walk, GpuPaletteGrid * grid,
    GpuPaletteSolve * solve, gboolean is_begun, GError ** error);

G_END_DECLS
