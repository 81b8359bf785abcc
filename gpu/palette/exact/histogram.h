/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The colours of the frames in the window: how often each occurs, the ascending
 * list of those that do, and the place of each in it. */
#pragma once

#include "gpu/palette/count/counts.h"
#include "gpu/palette/shared/pixels.h"
#include "work.h"

G_BEGIN_DECLS

typedef struct
{
  guint width, height;
  GpuPaletteCounts counts;
  GpuKernel *list;
  GpuBuffer *ranks;             /* per word of counts.present: bits before it */

  GpuPaletteWeighting weighting;        /* of the list */
  guint least;                  /* pixels of colours that attract, in it */
  gboolean recount;             /* the next frame is cheaper to count anew,
                                   where it is the only one */
} GpuPaletteHistogram;

/* A zeroed @histogram, for as long as there is @work;
 * gpu_palette_histogram_clear() also after failure. */
gboolean gpu_palette_histogram_init (GpuPaletteHistogram * histogram,
    const GpuPaletteFormat * format, GpuPaletteWork * work, GError ** error);
void gpu_palette_histogram_clear (GpuPaletteHistogram * histogram);

/* Bytes of its buffers. */
gsize gpu_palette_histogram_get_memory (const GpuPaletteHistogram * histogram);

/* Records: everything to the window that ends with frame @in. Forget what is known
 * where that does not come to be done. */
gboolean gpu_palette_histogram_update (GpuPaletteHistogram * histogram,
    GpuPaletteSolve * solve, const GpuFrame * in, GError ** error);

/* The window is empty. */
void gpu_palette_histogram_forget (GpuPaletteHistogram * histogram);

/* Records: the list once more, of all colours, after gpu_palette_work_grow(). */
gboolean gpu_palette_histogram_list (GpuPaletteHistogram * histogram,
    GpuPaletteSolve * solve, GError ** error);

/* Waits for that, reads the control buffer back, sets solve->n, and decides how
 * the next frame is counted: by difference where this is not called. */
gboolean gpu_palette_histogram_read (GpuPaletteHistogram * histogram,
    GpuPaletteSolve * solve, GError ** error);

G_END_DECLS
