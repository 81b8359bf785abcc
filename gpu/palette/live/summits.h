/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The summits of the density of a frame's colours, and which of them every cell
 * leads to: docs/live.md. Not for users of palette.h. */
#pragma once

#include "cells.h"

G_BEGIN_DECLS

typedef struct
{
  GpuKernel *merge, *total, *list, *weigh, *density, *climb, *follow, *colour;
} GpuPaletteSummits;

/* Kernels for @cells. */
gboolean gpu_palette_summits_init (GpuPaletteSummits * summits,
    const GpuPaletteCells * cells, GError ** error);

/* Chooses slices of pixels, words and cells for the frame at hand, of @n_words words of
 * the finest cells. */
void gpu_palette_summits_choose_slices (const GpuPaletteSummits * summits,
    GpuPaletteCells * cells, GpuPaletteRun * run, guint n_words);

/* Records, one after the other: occupied cells are listed, merged where they are too
 * many; the pixels of a frame are added to them; densities lead each to its summit. */
gboolean gpu_palette_summits_list (const GpuPaletteSummits * summits,
    GpuPaletteCells * cells, GpuPaletteRun * run, GError ** error);
gboolean gpu_palette_summits_weigh (const GpuPaletteSummits * summits,
    GpuPaletteCells * cells, GpuPaletteRun * run, GError ** error);
gboolean gpu_palette_summits_climb (const GpuPaletteSummits * summits,
    GpuPaletteCells * cells, GpuPaletteRun * run, GError ** error);

/* Records: the colour of every cell, from its summit alone. */
gboolean gpu_palette_summits_colour (const GpuPaletteSummits * summits,
    GpuPaletteCells * cells, GpuPaletteRun * run, GError ** error);

G_END_DECLS
