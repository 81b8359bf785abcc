/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The summits of the density of a frame's colours, and which of them every bin
 * leads to: docs/internals/live.md. Not for users of palette.h. */
#pragma once

#include "bins.h"

G_BEGIN_DECLS

typedef struct
{
  GpuKernel *merge, *total, *list, *weigh, *density, *climb, *follow, *colour;
} GpuPaletteSummits;

/* Kernels for @bins. */
gboolean gpu_palette_summits_init (GpuPaletteSummits * summits,
    const GpuPaletteBins * bins, GError ** error);

/* Chooses slices of pixels, words and bins for the frame at hand, of @n_words words of
 * the finest bins. */
void gpu_palette_summits_choose_slices (const GpuPaletteSummits * summits,
    GpuPaletteBins * bins, GpuPaletteContext * context, guint n_words);

/* Records, one after the other: occupied bins are listed, merged where they are too
 * many; the pixels of a frame are added to them; densities lead each to its summit. */
gboolean gpu_palette_summits_list (const GpuPaletteSummits * summits,
    GpuPaletteBins * bins, GpuPaletteContext * context, GError ** error);
gboolean gpu_palette_summits_weigh (const GpuPaletteSummits * summits,
    GpuPaletteBins * bins, GpuPaletteContext * context, GError ** error);
gboolean gpu_palette_summits_climb (const GpuPaletteSummits * summits,
    GpuPaletteBins * bins, GpuPaletteContext * context, GError ** error);

/* Records: the colour of every bin, from its summit alone. */
gboolean gpu_palette_summits_colour (const GpuPaletteSummits * summits,
    GpuPaletteBins * bins, GpuPaletteContext * context, GError ** error);

G_END_DECLS
