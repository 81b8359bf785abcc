/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames whose codes are not counted as they are, but by their light: PQ and HLG. */
#pragma once

#include "gpu/palette/oklab.h"
#include "shaders/core/pixels/convert.h"

G_BEGIN_DECLS

/* Tables between R'G'B' of such frames and codes of sRGB (shaders/core/pixels/convert.h). */
typedef struct
{
  guint8 codes[4 * CURVE_SIGNALS_AT];
  guint32 signals[256];
} GpuPaletteCurve;

/* Fills in @curve. @decode returns the light of R', G' or B' in 0…1; 1 is white, and more light
 * than that becomes white. @encode is its inverse up to white. Both are called only during
 * this call, with @data. */
void gpu_palette_curve_fill (GpuPaletteCurve * curve, GpuPaletteTransfer decode,
    GpuPaletteTransfer encode, gpointer data);

G_END_DECLS
