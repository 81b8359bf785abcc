/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The colours of the frames in the window: their histogram, the list of present colours
 * in the order of their numbers, and the rank of each in it. */
#pragma once

#include "gpu/palette/count/histogram.h"
#include "gpu/core/compute/pixels.h"
#include "gpu/palette/format.h"
#include "gpu/palette/shared/context.h"
#include "solve.h"

G_BEGIN_DECLS

typedef struct
{
  guint width, height;
  GpuPaletteHistogram histogram;
  GpuKernel *list;
  GpuBuffer *ranks;             /* by word of histogram.present: set bits before it */

  GpuPaletteWeighting weighting;        /* of the colours in the list */
  guint least;                  /* least frequency of the list */
  gboolean recount;             /* count the next frame anew, as that is cheaper, if
                                   it is the only one in the window */
} GpuPaletteColourList;

/* Initializes a zeroed @colour_list. @buffers must outlive it. FALSE with @error set on
 * failure; call gpu_palette_colour_list_clear() in either case. */
gboolean gpu_palette_colour_list_init (GpuPaletteColourList * colour_list,
    const GpuPaletteFormat * format, GpuPaletteExactBuffers * buffers, GError ** error);
void gpu_palette_colour_list_clear (GpuPaletteColourList * colour_list);

/* Returns the size of its buffers in bytes. */
gsize gpu_palette_colour_list_get_memory (const GpuPaletteColourList * colour_list);

/* Records the counting of frame @in as the newest of the window, and the list. Call
 * gpu_palette_colour_list_forget() if the recording is never executed. FALSE with @error
 * set on failure. */
gboolean gpu_palette_colour_list_update (GpuPaletteColourList * colour_list,
    GpuPaletteSolve * solve, const GpuFrame * in, GError ** error);

/* Empties the window and discards the counts. */
void gpu_palette_colour_list_forget (GpuPaletteColourList * colour_list);

/* Records the list of all colours again, after gpu_palette_exact_buffers_grow(). FALSE
 * with @error set on failure. */
void gpu_palette_colour_list_list (GpuPaletteColourList * colour_list,
    GpuPaletteSolve * solve);

/* Waits for the list, reads the control buffer back, sets solve->n, and decides whether
 * the next frame is counted anew; if this is not called, it is counted by difference.
 * FALSE with @error set on failure. */
gboolean gpu_palette_colour_list_read (GpuPaletteColourList * colour_list,
    GpuPaletteSolve * solve, GError ** error);

G_END_DECLS
