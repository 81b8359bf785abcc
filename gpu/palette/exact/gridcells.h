/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Geometry of the grid of points: its cells, and the cells around a cell that a ball may
 * reach. Needs no device. */
#pragma once

#include "gpu/palette/oklab.h"
#include "shaders.h"

G_BEGIN_DECLS

/* Struct of shaders/palette/exact/grid.glsl. */
typedef struct GridCells GpuPaletteGridCells;

/* Returns cells that cover @box, for balls of @radius_squared (squared lattice units).
 * Their side does not depend on the box: it is chosen such that the whole @gamut, in
 * lattice units as well, has at most @max_cells, if possible. @cell_shift: as in
 * GpuPaletteTuning. */
GpuPaletteGridCells gpu_palette_choose_cells (guint radius_squared,
    const GpuPaletteBox * box, const GpuPaletteGamut * gamut, guint cell_shift,
    guint max_cells);

/* Returns @cells, made shorter along L as far as their number stays within
 * @max_cells. */
GpuPaletteGridCells gpu_palette_shorten_cells (const GpuPaletteGridCells * cells,
    const GpuPaletteBox * box, const GpuPaletteGamut * gamut, guint max_cells);

#define GPU_PALETTE_MAX_ENTRIES 4096

/* Lists runs of cells along L around a cell, for balls around any place of that cell:
 * first the @n_inside runs that lie wholly inside every such ball, then those that may
 * cross its surface. Returns the number of @entries, which has room for
 * GPU_PALETTE_MAX_ENTRIES. An entry has the offsets in a, in b, and of the first and
 * last cell along L, each plus 16 in five bits, then one bit for inside. */
guint gpu_palette_list_entries (guint radius_squared, guint cell_shift,
    guint32 * entries, guint * n_inside);

G_END_DECLS
