/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cells.h"
#include "gpu/palette/shared/arrays.h"

#include <stddef.h>

/* --- room --- */

gboolean
gpu_palette_cells_make_room (GpuPaletteCells * cells, GpuDevice * device,
    guint n_cells, gboolean is_wide, GError ** error)
{
  gsize n = n_cells;
  GpuPaletteCells made = { NULL };
  const GpuPaletteArray arrays[] = {
    {&made.cell_list, n, "palette cells"},
    {&made.sums, n * 4, "palette sums of cells"},
    {&made.carries, is_wide ? n : 1, "palette carries of sums"},
    {&made.densities, n, "palette densities"},
    {&made.next, n, "palette ways uphill"},
    {&made.results, n, "palette results"},
  };

  if (!gpu_palette_make_arrays (device, arrays, G_N_ELEMENTS (arrays), NULL,
          error)) {
    gpu_palette_cells_drop_room (&made);
    return FALSE;
  }
  gpu_palette_cells_drop_room (cells);
  cells->cell_list = made.cell_list;
  cells->sums = made.sums;
  cells->carries = made.carries;
  cells->densities = made.densities;
  cells->next = made.next;
  cells->results = made.results;
  return TRUE;
}

void
gpu_palette_cells_drop_room (GpuPaletteCells * cells)
{
  g_clear_pointer (&cells->cell_list, gpu_buffer_unref);
  g_clear_pointer (&cells->sums, gpu_buffer_unref);
  g_clear_pointer (&cells->carries, gpu_buffer_unref);
  g_clear_pointer (&cells->densities, gpu_buffer_unref);
  g_clear_pointer (&cells->next, gpu_buffer_unref);
  g_clear_pointer (&cells->results, gpu_buffer_unref);
}

gsize
gpu_palette_cells_get_room (GpuPaletteCells * cells)
{
  GpuBuffer *buffers[] = {
    cells->cell_list, cells->sums, cells->carries, cells->densities,
    cells->next, cells->results
  };

  return gpu_buffers_get_size (buffers, G_N_ELEMENTS (buffers));
}

/* --- kernels --- */

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
    GpuKernel * kernel, GpuPaletteCellsOthers others, guint arrays,
    GError ** error)
{
  GpuPaletteItems items = cells->of_pixels;

  items.rows.arrays = arrays;
  return gpu_palette_cells_run (cells, run, kernel, others, &items, items.most,
      GPU_PALETTE_CELLS_GROUPS (pixel), 0, error);
}
