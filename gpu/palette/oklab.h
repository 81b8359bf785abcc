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

/* Tables of a transfer function, with 30 fractional bits: the light of each code value,
 * and the least light that is rounded to each code value. */
typedef struct
{
  guint32 lights[256], thresholds[256];
} GpuPaletteTables;

/* Fills @tables. @transfer is called only during this call. */
void gpu_palette_tables_fill (GpuPaletteTables * tables,
    GpuPaletteTransfer transfer, gpointer data);

/* Bounds of the gamut of linear RGB in Oklab, with a margin, for L, a and b, in lattice
 * units at shift 16: the extent, and the part of the extent that lies below 0. */
extern const guint gpu_palette_gamut[3], gpu_palette_below_zero[3];

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
