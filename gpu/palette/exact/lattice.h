/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Colours to points of the lattice in Oklab, and ends of walks to colours. */
#pragma once

#include "solve.h"

G_BEGIN_DECLS

typedef struct
{
  GpuBuffer *tables;            /* GpuPaletteTables */
  guint64 memory;               /* bytes of these */
  GpuKernel *lattice, *paint;
  GpuPaletteBox box;            /* of the points, as last recorded */
} GpuPaletteLattice;

/* A zeroed @lattice; gpu_palette_lattice_clear() also after failure. */
gboolean gpu_palette_lattice_init (GpuPaletteLattice * lattice,
    GpuPaletteExactBuffers * buffers, GError ** error);
void gpu_palette_lattice_clear (GpuPaletteLattice * lattice);

/* Chooses the lattice for @solve, and records, before the number of colours is
 * known: those that are listed, and that there is room for, to buffers->points,
 * with their box in the control buffer. Without @always, only where counts
 * changed. */
gboolean gpu_palette_lattice_record (GpuPaletteLattice * lattice,
    GpuPaletteSolve * solve, gboolean always, GError ** error);

/* When the control buffer was read back: sets solve->box and what follows from
 * solve->n. */
void gpu_palette_lattice_read (GpuPaletteLattice * lattice,
    GpuPaletteSolve * solve);

/* Records: @fixed_points (solve->n points, by rank) to buffers->results and buffers->used. Overwrites
 * @table, of two words for each at least. Waits for it, and reports how many output
 * colours and ends there are. With the tables of the recording before. */
gboolean gpu_palette_lattice_paint (GpuPaletteLattice * lattice,
    GpuPaletteSolve * solve, GpuBuffer * fixed_points, GpuBuffer * table, GError ** error);

G_END_DECLS
