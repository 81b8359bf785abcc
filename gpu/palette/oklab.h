/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parameters of the integer lattice in Oklab (Björn Ottosson, "A perceptual color space
 * for image processing", 2020) on which kernels represent colours. At shift s, one unit
 * of Oklab is 2^s lattice units. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Converts a code value to light; both are 0…1. Must never decrease. */
typedef gdouble (*GpuPaletteTransfer) (gdouble code, gpointer data);

/* The transfer function of sRGB (IEC 61966-2-1), and the identity; @data is ignored. */
gdouble gpu_palette_transfer_srgb (gdouble code, gpointer data);
gdouble gpu_palette_transfer_linear (gdouble code, gpointer data);

/* The conversion between code values and lattice coordinates, as kernels read it
 * (shaders/palette/tables.h). */
typedef struct
{
  guint32 lights[256], thresholds[256];
  guint32 to_lab[9], to_roots[9];
} GpuPaletteTables;

/* Fills the part of @tables that depends on the transfer function. @transfer is called
 * only during this call. */
void gpu_palette_tables_fill (GpuPaletteTables * tables,
    GpuPaletteTransfer transfer, gpointer data);

/* Fills the part of @tables that depends on @chroma, the weight of a and b against L in
 * distances: GPU_PALETTE_LEAST_CHROMA…GPU_PALETTE_MAX_CHROMA (settings.h). Lattice
 * coordinates are L · chroma^(-2/3), a · chroma^(1/3), b · chroma^(1/3), so that a ball
 * holds the same volume of Oklab. */
void gpu_palette_tables_set_chroma (GpuPaletteTables * tables, gdouble chroma);

/* Bounds of the gamut of linear RGB, with a margin, for L, a and b, in lattice units: the
 * extent, and the part of the extent that lies below 0. */
typedef struct
{
  guint extent[3], below_zero[3];
} GpuPaletteGamut;

/* Returns the bounds at @shift with @chroma, as above. */
GpuPaletteGamut gpu_palette_get_gamut (guint shift, gdouble chroma);

/* Returns the shift of the finest lattice on which squared distances up to @radius
 * (Oklab units) are exact in single precision, 16 at most. */
guint gpu_palette_lattice_shift (gdouble radius);

/* Returns the squared @radius (Oklab units) in squared lattice units, rounded down. */
guint gpu_palette_radius_squared (gdouble radius, guint shift);

/* Bounding box of lattice points: L, biased a, biased b. */
typedef struct
{
  guint32 low[3], high[3];
} GpuPaletteBox;

/* Returns the side of a bin in lattice units (pitch P in docs/internals/live.md). */
guint gpu_palette_lattice_pitch (gdouble radius, guint shift);

G_END_DECLS
