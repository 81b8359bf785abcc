/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What cells the grid of points has, and which of them around a cell matter to balls
 * in it. Nothing here needs a device. */
#pragma once

#include "gpu/palette/oklab.h"
#include "shaders.h"

G_BEGIN_DECLS

/* Of shaders/palette/exact/grid.glsl. */
typedef struct GridCells GpuPaletteGridCells;

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
