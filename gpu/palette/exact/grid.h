/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The points of the palette in a grid of cells, with prefix sums, and what
 * cells around a cell matter to balls in it. */
#pragma once

#include "gridcells.h"
#include "solve.h"
#include "gpu/core/compute/scan.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 points_per_thread;    /* of prefix sums */
  GpuKernel *bin, *sort, *sum_blocks, *sum_totals, *sum_points;
  GpuScan *scan;

  GpuBuffer *starts;            /* per cell: its first point */
  GpuBuffer *sorted;            /* points by cell */
  GpuBuffer *weights;           /* of these */
  GpuBuffer *origins;           /* ranks of these */
  GpuBuffer *totals;            /* of blocks of points */
  GpuBuffer *sums[4];           /* up to each point: weights, L, a, b */
  GpuBuffer *entries;           /* table of offsets */
  guint64 memory;               /* bytes of these, and of the scan */

  /* Of the solve at hand. */
  GpuPaletteGridCells cells;
  guint n_entries, n_inside;
} GpuPaletteGrid;

/* The cells for the solve's box and radius. @are_cubes: as walk_lanes.comp needs them;
 * otherwise they may be shorter along L. */
GpuPaletteGridCells gpu_palette_grid_cells_of (const GpuPaletteSolve * solve,
    gboolean are_cubes);

/* A zeroed @grid, with room for @cells; gpu_palette_grid_clear() also after
 * failure. */
gboolean gpu_palette_grid_init (GpuPaletteGrid * grid, GpuPaletteExactBuffers * buffers,
    const GpuPaletteGridCells * cells, GError ** error);
void gpu_palette_grid_clear (GpuPaletteGrid * grid);

gboolean gpu_palette_grid_has_room (const GpuPaletteGrid * grid,
    const GpuPaletteGridCells * cells);

/* Records: solve->n points into @cells, for which there is room. */
gboolean gpu_palette_grid_record (GpuPaletteGrid * grid,
    const GpuPaletteGridCells * cells, GpuPaletteSolve * solve, GError ** error);

G_END_DECLS
