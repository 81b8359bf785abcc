/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The colours of the frames in the window: how often each occurs, the ascending
 * list of those that do, and the place of each in it. */
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
  GpuBuffer *ranks;             /* per word of histogram.present: bits before it */

  GpuPaletteWeighting weighting;        /* of the list */
  guint least;                  /* pixels of colours that attract, in it */
  gboolean recount;             /* the next frame is cheaper to count anew,
                                   where it is the only one */
} GpuPaletteColourList;

/* A zeroed @colour_list, for as long as there is @buffers;
 * gpu_palette_colour_list_clear() also after failure. */
gboolean gpu_palette_colour_list_init (GpuPaletteColourList * colour_list,
    const GpuPaletteFormat * format, GpuPaletteExactBuffers * buffers, GError ** error);
void gpu_palette_colour_list_clear (GpuPaletteColourList * colour_list);

/* Bytes of its buffers. */
gsize gpu_palette_colour_list_get_memory (const GpuPaletteColourList * colour_list);

/* Records: everything to the window that ends with frame @in. Forget what is known
 * where that does not come to be done. */
gboolean gpu_palette_colour_list_update (GpuPaletteColourList * colour_list,
    GpuPaletteSolve * solve, const GpuFrame * in, GError ** error);

/* The window is empty. */
void gpu_palette_colour_list_forget (GpuPaletteColourList * colour_list);

/* Records: the list once more, of all colours, after gpu_palette_exact_buffers_grow(). */
gboolean gpu_palette_colour_list_list (GpuPaletteColourList * colour_list,
    GpuPaletteSolve * solve, GError ** error);

/* Waits for that, reads the control buffer back, sets solve->n, and decides how
 * the next frame is counted: by difference where this is not called. */
gboolean gpu_palette_colour_list_read (GpuPaletteColourList * colour_list,
    GpuPaletteSolve * solve, GError ** error);

G_END_DECLS
