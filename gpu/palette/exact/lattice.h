/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Conversion of colours to lattice points in Oklab, and of fixed points to colours. */
#pragma once

#include "solve.h"

G_BEGIN_DECLS

typedef struct
{
  GpuBuffer *tables;            /* GpuPaletteTables */
  guint64 memory;               /* size of the tables in bytes */
  GpuKernel *lattice, *paint;
  GpuPaletteBox box;            /* box of the points that were last converted */
} GpuPaletteLattice;

/* Initializes a zeroed @lattice. FALSE with @error set on failure; call
 * gpu_palette_lattice_clear() in either case. */
gboolean gpu_palette_lattice_init (GpuPaletteLattice * lattice,
    GpuPaletteExactBuffers * buffers, GError ** error);
void gpu_palette_lattice_clear (GpuPaletteLattice * lattice);

/* Sets shift and radius_squared of @solve, and records the conversion of the listed
 * colours, as far as there is room, to buffers->points, with their box in the control
 * buffer. Call it before the number of colours is read. Without @always, the conversion
 * is skipped on the device if no count changed. FALSE with @error set on failure. */
void gpu_palette_lattice_record (GpuPaletteLattice * lattice,
    GpuPaletteSolve * solve, gboolean always);

/* Sets solve->box. Call it after the control buffer is read back. */
void gpu_palette_lattice_read (GpuPaletteLattice * lattice,
    GpuPaletteSolve * solve);

/* Converts @fixed_points (solve->n points, two words each, by rank) to colours in
 * buffers->results and buffers->used, with the tables of the last
 * gpu_palette_lattice_record(). Overwrites @table, of at least two words for each point.
 * Records, submits, waits, and reports the numbers of output colours and fixed points.
 * FALSE with @error set on failure. */
gboolean gpu_palette_lattice_paint (GpuPaletteLattice * lattice,
    GpuPaletteSolve * solve, GpuBuffer * fixed_points, GpuBuffer * table, GError ** error);

G_END_DECLS
