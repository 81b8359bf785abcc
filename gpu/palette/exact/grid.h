/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lattice points sorted into a grid of cells, with prefix sums of weights and
 * coordinates. */
#pragma once

#include "gridcells.h"
#include "solve.h"
#include "gpu/core/compute/scan.h"

G_BEGIN_DECLS

typedef struct
{
  GpuKernel *bin, *sort, *sum_blocks, *sum_totals, *sum_points;
  GpuScan *scan;

  GpuBuffer *starts;            /* by cell: index of its first point in sorted */
  GpuBuffer *sorted;            /* points in the order of cells */
  GpuBuffer *weights;           /* of the sorted points */
  GpuBuffer *origins;           /* ranks of the sorted points */
  GpuBuffer *totals;            /* sums of blocks of points */
  GpuBuffer *sums[4];           /* prefix sums, each point included: weights, L, a, b */
  GpuBuffer *entries;           /* table of gpu_palette_list_entries() */
  guint64 memory;               /* size of these buffers and of the scan in bytes */

  /* For the solve in progress. */
  GpuPaletteGridCells cells;
  guint n_entries, n_inside;
} GpuPaletteGrid;

/* Returns the cells for the box and radius of @solve. @are_cubes: with equal sides, as
 * walk_lanes.comp requires; otherwise they may be shorter along L. */
GpuPaletteGridCells gpu_palette_grid_cells_of (const GpuPaletteSolve * solve,
    gboolean are_cubes);

/* Initializes a zeroed @grid with room for @cells and buffers->capacity points. FALSE
 * with @error set on failure; call gpu_palette_grid_clear() in either case. */
gboolean gpu_palette_grid_init (GpuPaletteGrid * grid, GpuPaletteExactBuffers * buffers,
    const GpuPaletteGridCells * cells, GError ** error);
void gpu_palette_grid_clear (GpuPaletteGrid * grid);

/* Returns whether there is room for @cells. */
gboolean gpu_palette_grid_has_room (const GpuPaletteGrid * grid,
    const GpuPaletteGridCells * cells);

/* Records the sorting of solve->n points into @cells, for which there must be room, and
 * their prefix sums. FALSE with @error set on failure. */
void gpu_palette_grid_record (GpuPaletteGrid * grid,
    const GpuPaletteGridCells * cells, GpuPaletteSolve * solve);

G_END_DECLS
