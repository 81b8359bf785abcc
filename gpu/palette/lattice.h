/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Colours to points of the lattice in Oklab, and ends of walks to colours. */
#pragma once

#include "work.h"

G_BEGIN_DECLS

/* The gamut of linear RGB in Oklab, with some room, in lattice units of shift
 * 16, of L, a and b: how far it reaches, and how much of that lies below 0. */
extern const guint gpu_palette_gamut[3], gpu_palette_below_zero[3];

void gpu_palette_tables_fill (GpuPaletteTables * tables,
    GpuPaletteTransfer transfer, gpointer data);

typedef struct
{
  GpuBuffer *tables;            /* GpuPaletteTables */
  guint64 memory;               /* bytes of these */
  GpuKernel *lattice, *paint;
  GpuPaletteBox box;            /* of the points, as last recorded */
} GpuPaletteLattice;

/* A zeroed @lattice; gpu_palette_lattice_clear() also after failure. */
gboolean gpu_palette_lattice_init (GpuPaletteLattice * lattice,
    GpuPaletteWork * work, GError ** error);
void gpu_palette_lattice_clear (GpuPaletteLattice * lattice);

/* The finest lattice on which squared distances up to the radius stay exact
 * in single precision, and the squared radius there. */
guint gpu_palette_lattice_shift (gdouble radius);
guint gpu_palette_radius_squared (gdouble radius, guint shift);

/* The side of the cells of docs/live.md there. */
guint gpu_palette_lattice_pitch (gdouble radius, guint shift);

/* Chooses the lattice for @run, and records, before the number of colours is
 * known: those that are listed, and that there is room for, to work->points,
 * with their box in the control buffer. Without @always, only where counts
 * changed. */
gboolean gpu_palette_lattice_record (GpuPaletteLattice * lattice,
    GpuPaletteRun * run, gboolean always, GError ** error);

/* When the control buffer was read back: sets run->box and what follows from
 * run->n. */
void gpu_palette_lattice_read (GpuPaletteLattice * lattice,
    GpuPaletteRun * run);

/* Records: @ends (run->n points, by rank) to work->results and work->used. Overwrites
 * @table, of two words for each at least. Waits for it, and reports how many output
 * colours and ends there are. With the tables of the recording before. */
gboolean gpu_palette_lattice_paint (GpuPaletteLattice * lattice,
    GpuPaletteRun * run, GpuBuffer * ends, GpuBuffer * table, GError ** error);

G_END_DECLS
