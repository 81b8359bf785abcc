/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The points of the palette in a grid of cells, with prefix sums, and what
 * cells around a cell matter to balls in it. */
#pragma once

#include "work.h"
#include "gpu/core/compute/scan.h"

G_BEGIN_DECLS

/* As shaders/palette/exact/grid.glsl has it. */
typedef struct
{
  guint32 shift;                /* along a and b a cell's side is 2^shift lattice
                                   units, */
  guint32 shift_l;              /* along L 2^shift_l */
  guint32 n_l, n_a, n_b;        /* cells along each axis */
  guint32 first_l, first_a, first_b;    /* coordinates where cells begin */
} GpuPaletteGridCells;

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
gboolean gpu_palette_grid_init (GpuPaletteGrid * grid, GpuPaletteWork * work,
    const GpuPaletteGridCells * cells, GError ** error);
void gpu_palette_grid_clear (GpuPaletteGrid * grid);

gboolean gpu_palette_grid_has_room (const GpuPaletteGrid * grid,
    const GpuPaletteGridCells * cells);

/* Records: solve->n points into @cells, for which there is room. */
gboolean gpu_palette_grid_record (GpuPaletteGrid * grid,
    const GpuPaletteGridCells * cells, GpuPaletteSolve * solve, GError ** error);

/* --- the parts that need no device --- */

/* Cells for a ball of @radius_squared on a lattice of @shift over all of @box.
 * Their side does not depend on the box; the whole gamut would have at most
 * @max_cells. @cell_shift as of GpuPaletteTuning. */
GpuPaletteGridCells gpu_palette_choose_cells (guint radius_squared, guint shift,
    const GpuPaletteBox * box, guint cell_shift, guint max_cells);

/* The same cells, or shorter ones along L, as far as they are no more than
 * @max_cells. */
GpuPaletteGridCells gpu_palette_shorten_cells (const GpuPaletteGridCells * cells,
    const GpuPaletteBox * box, guint shift, guint max_cells);

#define GPU_PALETTE_MAX_ENTRIES 4096

/* Lists, for a ball around any place of a cell, the runs of cells along L
 * that lie wholly inside it, @n_inside of them, then those that may lie across
 * its surface. Returns their number. An entry: offsets in a, b, first and last
 * L, each plus 16 in five bits, then one bit for inside. */
guint gpu_palette_list_entries (guint radius_squared, guint cell_shift,
    guint32 * entries, guint * n_inside);

G_END_DECLS
