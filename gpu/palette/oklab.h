/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Colours in Oklab (Björn Ottosson, "A perceptual color space for image processing",
 * 2020), as points of a lattice: what kernels are told of it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* From a code value to light, both 0…1, never decreasing. */
typedef gdouble (*GpuPaletteTransfer) (gdouble code, gpointer data);

/* IEC 61966-2-1, and code values that are light already; @data is ignored. */
gdouble gpu_palette_transfer_srgb (gdouble code, gpointer data);
gdouble gpu_palette_transfer_linear (gdouble code, gpointer data);

/* Of a transfer function: the light of each code, and the least light of each
 * code, with 30 fractional bits. */
typedef struct
{
  guint32 lights[256], thresholds[256];
} GpuPaletteTables;

void gpu_palette_tables_fill (GpuPaletteTables * tables,
    GpuPaletteTransfer transfer, gpointer data);

/* The gamut of linear RGB in Oklab, with some room, in lattice units of shift
 * 16, of L, a and b: how far it reaches, and how much of that lies below 0. */
extern const guint gpu_palette_gamut[3], gpu_palette_below_zero[3];

/* The finest lattice on which squared distances up to the radius stay exact
 * in single precision, and the squared radius there. */
guint gpu_palette_lattice_shift (gdouble radius);
guint gpu_palette_radius_squared (gdouble radius, guint shift);

/* What holds all lattice points: L, biased a and b. */
typedef struct
{
  guint32 low[3], high[3];
} GpuPaletteBox;

/* The side of the bins of docs/internals/live.md there. */
guint gpu_palette_lattice_pitch (gdouble radius, guint shift);

G_END_DECLS
