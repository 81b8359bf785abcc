/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cells.h"

#include <stddef.h>

gboolean
gpu_palette_cells_run (GpuPaletteCells * cells, GpuPaletteRun * run,
    GpuKernel * kernel, GpuPaletteCellsOthers others,
    const GpuPaletteItems * items, guint bound, gsize groups_at, guint level,
    GError ** error)
{
  GpuBuffer *buffers[3 + GPU_PALETTE_CELLS_MAX_OTHERS] =
      { cells->grid, cells->occupied, cells->ranks };
  guint32 push[3] = { 0, 0, level };
  guint n = 3;

  while (n < G_N_ELEMENTS (buffers) && others[n - 3]) {
    buffers[n] = others[n - 3];
    n++;
  }
  gpu_stream_barrier (run->stream);
  return gpu_palette_run_indirect (run, kernel, buffers, n, push, sizeof push,
      items, bound, cells->grid, groups_at, error);
}

gboolean
gpu_palette_cells_over_cells (GpuPaletteCells * cells, GpuPaletteRun * run,
    GpuKernel * kernel, GpuPaletteCellsOthers others, GError ** error)
{
  return gpu_palette_cells_run (cells, run, kernel, others, &cells->of_cells,
      cells->bound, GPU_PALETTE_CELLS_GROUPS (cell), 0, error);
}

gboolean
gpu_palette_cells_over_pixels (GpuPaletteCells * cells, GpuPaletteRun * run,
    GpuKernel * kernel, GpuPaletteCellsOthers others, GError ** error)
{
  return gpu_palette_cells_run (cells, run, kernel, others, &cells->of_pixels,
      cells->of_pixels.most, GPU_PALETTE_CELLS_GROUPS (pixel), 0, error);
}
