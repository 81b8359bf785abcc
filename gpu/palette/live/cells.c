/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cells.h"
#include "geometry.h"
#include "gpu/palette/shared/arrays.h"
#include "shaders/palette/count/changed.h"

#include <stddef.h>

#define BITMAP_WORDS (1u << 24 >> 5)    /* of colours */

G_STATIC_ASSERT (BITMAP_WORDS >= CELL_CAPACITY);

/* Sums of more pixels may exceed a word. */
#define MAX_NARROW_PIXELS (1u << 24)

/* Words of the bitmap of cells that a thread takes. Most are empty, and on a CPU device
 * a thread costs more than reading a word. */
#define WORDS_PER_THREAD 4
#define WORDS_PER_THREAD_CPU 16

/* --- room --- */

static void
drop_room (GpuPaletteCells * cells)
{
  g_clear_pointer (&cells->cell_list, gpu_buffer_unref);
  g_clear_pointer (&cells->sums, gpu_buffer_unref);
  g_clear_pointer (&cells->carries, gpu_buffer_unref);
  g_clear_pointer (&cells->densities, gpu_buffer_unref);
  g_clear_pointer (&cells->next, gpu_buffer_unref);
  g_clear_pointer (&cells->results, gpu_buffer_unref);
}

static gboolean
make_by_cell (GpuPaletteCells * cells, gsize n, gboolean is_wide,
    GError ** error)
{
  GpuPaletteCells made = { NULL };
  const GpuPaletteArray arrays[] = {
    {&made.cell_list, n, "palette cells"},
    {&made.sums, n * 4, "palette sums of cells"},
    {&made.carries, is_wide ? n : 1, "palette carries of sums"},
    {&made.densities, n, "palette densities"},
    {&made.next, n, "palette ways uphill"},
    {&made.results, n, "palette results"},
  };

  if (!gpu_palette_make_arrays (cells->device, arrays, G_N_ELEMENTS (arrays),
          NULL, error)) {
    drop_room (&made);
    return FALSE;
  }
  drop_room (cells);
  cells->cell_list = made.cell_list;
  cells->sums = made.sums;
  cells->carries = made.carries;
  cells->densities = made.densities;
  cells->next = made.next;
  cells->results = made.results;
  return TRUE;
}

gboolean
gpu_palette_cells_are_wide (const GpuPaletteCells * cells)
{
  return cells->n_pixels > MAX_NARROW_PIXELS;
}

guint
gpu_palette_cells_most (const GpuPaletteCells * cells, guint history)
{
  return MIN ((guint64) cells->n_pixels * MAX (history, 1), CELL_CAPACITY);
}

gboolean
gpu_palette_cells_make_room (GpuPaletteCells * cells, guint history,
    gboolean is_wide, GError ** error)
{
  return make_by_cell (cells, gpu_palette_cells_most (cells, history),
      is_wide || gpu_palette_cells_are_wide (cells), error);
}

/* --- what is there for every frame --- */

guint
gpu_palette_cells_words_per_thread (GpuDevice * device)
{
  return gpu_device_is_slow (device) ? WORDS_PER_THREAD_CPU : WORDS_PER_THREAD;
}

/* All that is not by occupied cell, with room for cells of every radius. */
#define N_ARRAYS 9

static void
list_arrays (GpuPaletteCells * cells, GpuPaletteArray arrays[N_ARRAYS])
{
  struct PaletteGrid finest;
  gsize n_words = gpu_palette_geometry_fill (&finest, 0);
  guint per_group = 256 * gpu_palette_cells_words_per_thread (cells->device);
  const GpuPaletteArray list[N_ARRAYS] = {
    {&cells->grid, sizeof (struct PaletteGrid) / 4, "palette grid"},
    {&cells->changed, sizeof (struct PaletteChanged) / 4,
        "palette changes of counts"},
    {&cells->occupied, n_words, "palette occupied cells"},
    {&cells->ranks, n_words, "palette ranks of cells"},
    {&cells->totals, MAX (finest.words[0] / per_group, CELL_CAPACITY / 256) + 1,
        "palette totals of workgroups"},
    {&cells->tables, sizeof (GpuPaletteTables) / 4, "palette transfer tables"},
    {&cells->seen, BITMAP_WORDS, "palette seen colours"},
    {&cells->colours, cells->n_pixels, "palette pixel colours", TRUE},
    {&cells->cells, cells->n_pixels, "palette pixel cells", TRUE},
  };

  for (guint i = 0; i < N_ARRAYS; i++)
    arrays[i] = list[i];
}

gboolean
gpu_palette_cells_init (GpuPaletteCells * cells, GpuDevice * device,
    guint n_pixels, GError ** error)
{
  GpuPaletteArray arrays[N_ARRAYS];

  cells->device = device;
  cells->n_pixels = n_pixels;
  list_arrays (cells, arrays);
  return gpu_palette_make_arrays (device, arrays, N_ARRAYS, NULL, error)
      && gpu_palette_cells_make_room (cells, 1, FALSE, error);
}

void
gpu_palette_cells_clear (GpuPaletteCells * cells)
{
  GpuPaletteArray arrays[N_ARRAYS];

  if (!cells->device)
    return;
  list_arrays (cells, arrays);
  for (guint i = 0; i < N_ARRAYS; i++)
    g_clear_pointer (arrays[i].buffer, gpu_buffer_unref);
  drop_room (cells);
}

gsize
gpu_palette_cells_get_memory (GpuPaletteCells * cells)
{
  GpuPaletteArray arrays[N_ARRAYS];
  GpuBuffer *room[] = {
    cells->cell_list, cells->sums, cells->carries, cells->densities,
    cells->next, cells->results
  };
  gsize memory = gpu_buffers_get_size (room, G_N_ELEMENTS (room));

  list_arrays (cells, arrays);
  for (guint i = 0; i < N_ARRAYS; i++)
    memory += gpu_buffers_get_size (arrays[i].buffer, 1);
  return memory;
}

/* --- a frame --- */

gboolean
gpu_palette_cells_empty (GpuPaletteCells * cells, GpuPaletteRun * run,
    gsize n_words, GError ** error)
{
  gsize of_carries = MIN (cells->most * sizeof (guint32),
      gpu_buffer_get_size (cells->carries));

  return gpu_palette_run_clear (run, cells->occupied, n_words * 4, error)
      && gpu_palette_run_clear (run, cells->sums,
      cells->most * sizeof (struct CellSums), error)
      && gpu_palette_run_clear (run, cells->carries, of_carries, error);
}

gboolean
gpu_palette_cells_clear_seen (GpuPaletteCells * cells, GpuPaletteRun * run,
    GError ** error)
{
  return gpu_palette_run_clear (run, cells->seen, BITMAP_WORDS * 4, error);
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
