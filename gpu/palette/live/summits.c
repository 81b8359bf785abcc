/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "summits.h"
#include "shaders.h"
#include "shaders/palette/shared/pixels.h"

/* Of what a thread takes, on two cores of a CPU; @n: its words. */
#define WEIGH_NS 500
#define WORDS_NS(n) (60 + 10 * (n))
#define CELL_NS 250

gboolean
gpu_palette_summits_init (GpuPaletteSummits * summits,
    const GpuPaletteCells * cells, GError ** error)
{
  GpuDevice *device = cells->device;
  const guint32 weigh[] = {
    !gpu_device_is_slow (device), gpu_palette_cells_are_wide (cells)
  };
  const guint32 of_words[] = { gpu_palette_cells_words_per_thread (device) };
  const struct
  {
    GpuKernel **kernel;
    const GpuShader *shader;
    guint n_constants;          /* of_words, or none */
  } list[] = {
    {&summits->merge, &gpu_shader_palette_cell_merge, 1},
    {&summits->total, &gpu_shader_palette_cell_total, 1},
    {&summits->list, &gpu_shader_palette_cell_list, 1},
    {&summits->density, &gpu_shader_palette_cell_density},
    {&summits->climb, &gpu_shader_palette_cell_climb},
    {&summits->follow, &gpu_shader_palette_cell_follow},
    {&summits->colour, &gpu_shader_palette_cell_colour},
  };

  for (guint i = 0; i < G_N_ELEMENTS (list); i++) {
    *list[i].kernel = gpu_kernel_get (device, list[i].shader, of_words,
        list[i].n_constants, error);
    if (!*list[i].kernel)
      return FALSE;
  }
  summits->weigh =
      gpu_kernel_get (device, &gpu_shader_palette_cell_weigh, weigh,
      G_N_ELEMENTS (weigh), error);
  return summits->weigh != NULL;
}

/* --- a frame --- */

/* Pixels and words are all there or not at all; of cells there are about so many
 * as there were. */
void
gpu_palette_summits_choose_slices (const GpuPaletteSummits * summits,
    GpuPaletteCells * cells, GpuPaletteRun * run, guint n_words)
{
  const GpuPaletteRows rows =
      gpu_palette_rows_of_array (cells->n_pixels, PIXELS_PER_THREAD, 0);
  const guint n = gpu_palette_cells_words_per_thread (cells->device);

  cells->of_pixels = (GpuPaletteItems) {
  .most = rows.height,.ns = WEIGH_NS,.key = summits->weigh,.rows = rows};
  cells->of_words = (GpuPaletteItems) {
  .most = (n_words + n - 1) / n,.ns = WORDS_NS (n),.key = summits->list};
  cells->of_cells = (GpuPaletteItems) {
  .most = cells->most,.ns = CELL_NS,.key = summits->density,.is_by_data = TRUE};
  gpu_palette_run_choose_slice (run, &cells->of_pixels);
  gpu_palette_run_choose_slice (run, &cells->of_words);
  gpu_palette_run_choose_slice (run, &cells->of_cells);
}

static gboolean
over_words (GpuPaletteCells * cells, GpuPaletteRun * run, GpuKernel * kernel,
    GpuPaletteCellsOthers others, GError ** error)
{
  return gpu_palette_cells_run (cells, run, kernel, others,
      &cells->of_words, cells->of_words.most,
      GPU_PALETTE_CELLS_GROUPS (word), 0, error);
}

/* Not paced: hardly any frame has so many cells. */
static gboolean
merge_cells (const GpuPaletteSummits * summits,
    GpuPaletteCells * cells, GpuPaletteRun * run, guint level, GError ** error)
{
  GpuPaletteCellsOthers none = { NULL };

  return gpu_palette_cells_run (cells, run, summits->merge, none,
      &cells->of_words, 0, GPU_PALETTE_CELLS_GROUPS (merge), level, error);
}

gboolean
gpu_palette_summits_list (const GpuPaletteSummits * summits,
    GpuPaletteCells * cells, GpuPaletteRun * run, GError ** error)
{
  GpuPaletteCellsOthers total = { cells->totals };
  GpuPaletteCellsOthers list = { cells->totals, cells->cell_list };

  gpu_stream_stage (run->stream, "palette-cells");
  for (guint level = 0; level + 1 < CELL_LEVELS; level++)
    if (!merge_cells (summits, cells, run, level, error))
      return FALSE;
  return over_words (cells, run, summits->total, total, error)
      && over_words (cells, run, summits->list, list, error);
}

gboolean
gpu_palette_summits_weigh (const GpuPaletteSummits * summits,
    GpuPaletteCells * cells, GpuPaletteRun * run, GError ** error)
{
  GpuPaletteCellsOthers weigh =
      { cells->colours, cells->cells, cells->sums, cells->carries };

  return gpu_palette_cells_over_pixels (cells, run, summits->weigh, weigh,
      1 << 3 | 1 << 4, error);
}

gboolean
gpu_palette_summits_climb (const GpuPaletteSummits * summits,
    GpuPaletteCells * cells, GpuPaletteRun * run, GError ** error)
{
  GpuPaletteCellsOthers density =
      { cells->cell_list, cells->sums, cells->densities };
  GpuPaletteCellsOthers climb =
      { cells->cell_list, cells->densities, cells->next };
  /* Densities are of no use any more. */
  GpuPaletteCellsOthers follow = { cells->next, cells->densities };

  gpu_stream_stage (run->stream, "palette-climb");
  return gpu_palette_cells_over_cells (cells, run, summits->density, density,
      error)
      && gpu_palette_cells_over_cells (cells, run, summits->climb, climb, error)
      && gpu_palette_cells_over_cells (cells, run, summits->follow, follow,
      error);
}

gboolean
gpu_palette_summits_colour (const GpuPaletteSummits * summits,
    GpuPaletteCells * cells, GpuPaletteRun * run, GError ** error)
{
  GpuPaletteCellsOthers colour = {
    cells->densities, cells->sums, cells->carries, cells->results,
    cells->seen
  };

  return gpu_palette_cells_clear_seen (cells, run, error)
      && gpu_palette_cells_over_cells (cells, run, summits->colour, colour,
      error);
}
