/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Colours to points of the lattice in Oklab, and ends of walks to colours. */
#pragma once

#include "work.h"

G_BEGIN_DECLS

void gpu_palette_tables_fill (GpuPaletteTables * tables,
    GpuPaletteTransfer transfer, gpointer data);

typedef struct
{
  GpuBuffer *tables;            /* GpuPaletteTables */
  GpuBuffer *used;              /* bitmap of output colours */
  guint64 memory;               /* bytes of these */
  GpuKernel *lattice, *paint;
} GpuPaletteLattice;

/* A zeroed @lattice; gpu_palette_lattice_clear() also after failure. */
gboolean gpu_palette_lattice_init (GpuPaletteLattice * lattice,
    GpuPaletteWork * work, GError ** error);
void gpu_palette_lattice_clear (GpuPaletteLattice * lattice);

/* The finest lattice on which squared distances up to the radius stay exact
 * in single precision, and the squared radius there. */
guint gpu_palette_lattice_shift (gdouble radius);
guint gpu_palette_radius_squared (gdouble radius, guint shift);

/* Chooses the lattice and what follows from it for @run, and records: run->n
 * listed colours to work->points. */
gboolean gpu_palette_lattice_record (GpuPaletteLattice * lattice,
    GpuPaletteRun * run, GError ** error);

/* Records: @ends (run->n points, by rank) to work->results. Overwrites
 * work->visited. Waits for it, and reports how many output colours and ends
 * there are. With the tables of the recording before. */
gboolean gpu_palette_lattice_paint (GpuPaletteLattice * lattice,
    GpuPaletteRun * run, GpuBuffer * ends, GError ** error);

G_END_DECLS
