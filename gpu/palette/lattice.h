/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Colours to points of the lattice in Oklab, and ends of walks to colours. */
#pragma once

#include "work.h"

G_BEGIN_DECLS

/* Of a transfer function: the light of each code, and the least light of each
 * code, with 30 fractional bits. */
typedef struct
{
  guint32 lights[256], thresholds[256];
} GpuPaletteTables;

void gpu_palette_tables_fill (GpuPaletteTables * tables,
    GpuPaletteTransfer transfer, gpointer data);

typedef struct
{
  GpuBuffer *tables;            /* GpuPaletteTables */
  GpuBuffer *used;              /* bitmap of output colours */
  GpuKernel *lattice, *paint;
} GpuPaletteLattice;

/* A zeroed @lattice; gpu_palette_lattice_clear() also after failure. */
gboolean gpu_palette_lattice_init (GpuPaletteLattice * lattice,
    GpuDevice * device, GError ** error);
void gpu_palette_lattice_clear (GpuPaletteLattice * lattice);

/* The finest lattice on which squared distances up to the radius stay exact
 * in single precision, and the squared radius there. */
guint gpu_palette_lattice_shift (gdouble radius);
guint gpu_palette_radius_squared (gdouble radius, guint shift);

/* Records: run->n listed colours to points. */
gboolean gpu_palette_lattice_record (GpuPaletteLattice * lattice,
    GpuPaletteRun * run, const GpuPaletteTables * tables, GError ** error);

/* Records: @ends (run->n points, by rank) to work->results. Overwrites
 * work->visited; counts output colours and ends in the control buffer. With
 * the tables of the recording before. */
gboolean gpu_palette_paint_record (GpuPaletteLattice * lattice,
    GpuPaletteRun * run, GpuBuffer * ends, GError ** error);

G_END_DECLS
