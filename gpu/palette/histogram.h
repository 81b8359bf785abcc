/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The colours of the frames in the window: how often each occurs, the ascending
 * list of those that do, and the place of each in it. */
#pragma once

#include "pixels.h"
#include "window.h"
#include "work.h"

G_BEGIN_DECLS

#define GPU_PALETTE_ALL_COLOURS (1u << 24)

typedef struct
{
  guint width, height;
  GpuKernel *forget, *count, *collect, *presence, *rank, *list;

  GpuPaletteWindow window;
  GpuBuffer *counts;            /* per colour */
  GpuBuffer *touched;           /* bitmap of colours, empty between frames */
  GpuBuffer *present;           /* bitmap of colours with a count */
  GpuBuffer *ranks;             /* per word of present: bits before it */

  gboolean is_known;            /* counts are those of the window */
  gboolean was_replaced;        /* a frame of it, by the newest */
  GpuPaletteItems words, items; /* of bitmaps; colours */
  guint is_weighted, min_frequency;     /* of the list */
  gboolean recount;             /* the next frame is cheaper to count anew,
                                   where it is the only one */
} GpuPaletteHistogram;

/* A zeroed @histogram; gpu_palette_histogram_clear() also after failure. */
gboolean gpu_palette_histogram_init (GpuPaletteHistogram * histogram,
    const GpuPaletteFormat * format, GError ** error);
void gpu_palette_histogram_clear (GpuPaletteHistogram * histogram);

/* Records: everything to the window that ends with frame @in. Forget what is known
 * where that does not come to be done. */
gboolean gpu_palette_histogram_update (GpuPaletteHistogram * histogram,
    GpuPaletteRun * run, const GpuFrame * in, GError ** error);

/* The window is empty. */
void gpu_palette_histogram_forget (GpuPaletteHistogram * histogram);

/* Records: the list once more, of all colours, after gpu_palette_work_grow(). */
gboolean gpu_palette_histogram_list (GpuPaletteHistogram * histogram,
    GpuPaletteRun * run, GError ** error);

/* Waits for that, reads the control buffer back, sets run->n, and decides how
 * the next frame is counted: by difference where this is not called. */
gboolean gpu_palette_histogram_read (GpuPaletteHistogram * histogram,
    GpuPaletteRun * run, GError ** error);

G_END_DECLS
