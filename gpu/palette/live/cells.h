/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A frame's cells, as cellmap.c found them, for who goes on with them. Not for
 * users of palette.h. */
#pragma once

#include "gpu/palette/shared/run.h"
#include "shaders/palette/live/cells.h"

G_BEGIN_DECLS

/* Buffers of a kernel, beside the grid. */
#define GPU_PALETTE_CELLS_MAX_OTHERS 8

typedef struct
{
  GpuDevice *device;            /* not referenced */
  guint n_pixels;               /* of a frame */
  GpuBuffer *grid;              /* struct PaletteGrid */
  GpuBuffer *occupied, *ranks;  /* bitmap of cells, and those before a word */
  GpuBuffer *changed;           /* struct PaletteChanged, of counting */
  GpuBuffer *totals;            /* per workgroup over these, or over cells */
  GpuBuffer *tables;            /* GpuPaletteTables */
  GpuBuffer *colours, *cells;   /* per pixel */
  GpuBuffer *seen;              /* bitmap of colours: of pixels, until these have
                                   weighed; then of what they become, or words of
                                   cells */
  /* Per occupied cell, in order. Once ways uphill are followed, densities are
   * where they lead, and next is of no use any more. */
  GpuBuffer *cell_list, *sums, *carries, *densities, *next, *results;

  /* Of the frame at hand. */
  GpuPaletteItems of_pixels, of_words, of_cells;
  guint most;                   /* cells that can be occupied; there may be room
                                   for more */
  guint bound;                  /* cells that it is paced for */
} GpuPaletteCells;

/* A zeroed @cells, for frames of @n_pixels, with room for the cells of one;
 * gpu_palette_cells_clear() also after failure. */
gboolean gpu_palette_cells_init (GpuPaletteCells * cells, GpuDevice * device,
    guint n_pixels, GError ** error);
void gpu_palette_cells_clear (GpuPaletteCells * cells);

/* Bytes of its buffers. */
gsize gpu_palette_cells_get_memory (GpuPaletteCells * cells);

/* Words of the bitmap of cells that a thread takes. */
guint gpu_palette_cells_words_per_thread (GpuDevice * device);

/* Cells that colours of @history frames can occupy. */
guint gpu_palette_cells_most (const GpuPaletteCells * cells, guint history);

/* Whether sums over the pixels of one frame may exceed a word. */
gboolean gpu_palette_cells_are_wide (const GpuPaletteCells * cells);

/* Makes what is by occupied cell anew, but for totals, for the cells of @history
 * frames; what it held is lost. @is_wide: sums may exceed a word. On FALSE
 * (OUT_OF_MEMORY, LOST) all is as it was. */
gboolean gpu_palette_cells_make_room (GpuPaletteCells * cells, guint history,
    gboolean is_wide, GError ** error);

/* Records: no cell is occupied, and none has sums, of @n_words words of cells. */
gboolean gpu_palette_cells_empty (GpuPaletteCells * cells, GpuPaletteRun * run,
    gsize n_words, GError ** error);

/* Records: no colour was seen. */
gboolean gpu_palette_cells_clear_seen (GpuPaletteCells * cells,
    GpuPaletteRun * run, GError ** error);

/* What a kernel is bound to behind the grid, its cells and their ranks; NULL
 * where there are fewer. */
typedef GpuBuffer *GpuPaletteCellsOthers[GPU_PALETTE_CELLS_MAX_OTHERS];

/* Records @kernel over items whose workgroups are at @groups_at of the grid:
 * gpu_palette_run_indirect(), behind a barrier. The third push constant is
 * @level. */
gboolean gpu_palette_cells_run (GpuPaletteCells * cells, GpuPaletteRun * run,
    GpuKernel * kernel, GpuPaletteCellsOthers others,
    const GpuPaletteItems * items, guint bound, gsize groups_at, guint level,
    GError ** error);

#define GPU_PALETTE_CELLS_GROUPS(kind) \
    offsetof (struct PaletteGrid, kind ## _groups)

/* Over all occupied cells, and over all pixels; @arrays: bits of the bindings that
 * have a word for each of these. The third push constant is the first row of them
 * that is bound, of PIXELS_PER_THREAD pixels. */
gboolean gpu_palette_cells_over_cells (GpuPaletteCells * cells,
    GpuPaletteRun * run, GpuKernel * kernel, GpuPaletteCellsOthers others,
    GError ** error);
gboolean gpu_palette_cells_over_pixels (GpuPaletteCells * cells,
    GpuPaletteRun * run, GpuKernel * kernel, GpuPaletteCellsOthers others,
    guint arrays, GError ** error);

G_END_DECLS
