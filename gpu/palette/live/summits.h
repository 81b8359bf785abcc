/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds the summits of the density of a frame's colours, and the summit of every bin:
 * docs/internals/live.md. Internal to gpu/palette/. */
#pragma once

#include "bins.h"

G_BEGIN_DECLS

typedef struct
{
  GpuKernel *merge, *list, *weigh, *density, *climb, *colour;
} GpuPaletteSummits;

/* Gets the kernels for @bins. FALSE with @error set on failure. */
gboolean gpu_palette_summits_init (GpuPaletteSummits * summits,
    const GpuPaletteBins * bins, GError ** error);

/* Requests the kernel of gpu_palette_summits_colour(), which the function above requests to be
 * built later. FALSE with @error set on failure. */
gboolean gpu_palette_summits_request_colour (GpuPaletteSummits * summits,
    const GpuPaletteBins * bins, GpuKernelUrgency urgency, GError ** error);

/* Chooses the slices of pixels, words and bins for the frame in progress. @n_words:
 * words of the bitmap of bins at level 0. */
void gpu_palette_summits_choose_slices (const GpuPaletteSummits * summits,
    GpuPaletteBins * bins, GpuPaletteContext * context, guint n_words);

/* The steps of a frame, in order. Each records, and returns FALSE with @error set on
 * failure. */

/* Merges bins if too many are occupied, lists the occupied bins, and empties their sums.
 * @begins_with: what homes or summit_weights begin with. */
void gpu_palette_summits_list (const GpuPaletteSummits * summits,
    GpuPaletteBins * bins, GpuPaletteContext * context, guint begins_with);

/* Adds the pixels of the frame to the sums of their bins. */
void gpu_palette_summits_weigh (const GpuPaletteSummits * summits,
    GpuPaletteBins * bins, GpuPaletteContext * context);

/* Computes the density at all bins. */
void gpu_palette_summits_estimate (const GpuPaletteSummits * summits,
    GpuPaletteBins * bins, GpuPaletteContext * context);

/* Finds the next bin uphill of all bins. @counts_colours: the step below follows. */
void gpu_palette_summits_climb (const GpuPaletteSummits * summits,
    GpuPaletteBins * bins, GpuPaletteContext * context, gboolean counts_colours);

/* Sets the output colour of every bin to that of its summit. */
void gpu_palette_summits_colour (const GpuPaletteSummits * summits,
    GpuPaletteBins * bins, GpuPaletteContext * context);

G_END_DECLS
