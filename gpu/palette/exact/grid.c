/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "grid.h"
#include "shaders.h"
#include "shaders/palette/exact/marks.h"
#include "shaders/palette/exact/sums.h"
#include "gpu/core/rounding.h"

/* Most cells of the gamut for each pixel. With more, cells have few walkers, so that a
 * list of points serves few steps. */
#define CELLS_PER_PIXEL 4
#define MIN_CELLS (1u << 20)
#define MAX_CELLS (5u << 20)

/* The buffer of cell starts also holds the marks (changes.h). */
G_STATIC_ASSERT (MIN_CELLS >= MARK_WORDS);

/* Cells are shortened along L as far as their number stays within this. */
#define MAX_SHORT_CELLS (3u << 20)

/* Points that an invocation adds up in a row. */
#define POINTS_PER_THREAD 4     /* as in sums.glsl */
#define GROUP_THREADS 256

static guint
max_cells_of (const GpuPaletteExactBuffers * buffers)
{
  return CLAMP (buffers->max_colours * (guint64) CELLS_PER_PIXEL, MIN_CELLS,
      MAX_CELLS);
}

GpuPaletteGridCells
gpu_palette_grid_cells_of (const GpuPaletteSolve * solve, gboolean are_cubes)
{
  guint max_cells = max_cells_of (solve->buffers);
  const GpuPaletteGamut gamut = gpu_palette_get_gamut (solve->shift,
      solve->context->settings->making.chroma);
  GpuPaletteGridCells cells = gpu_palette_choose_cells (solve->radius_squared,
      &solve->box, &gamut, solve->context->tuning->cell_shift, max_cells);

  if (are_cubes)
    return cells;
  return gpu_palette_shorten_cells (&cells, &solve->box, &gamut,
      MIN (max_cells, MAX_SHORT_CELLS));
}

/* Returns the words of the table of cell starts, with the end of the last cell. */
static guint
starts_of (const GpuPaletteGridCells * cells)
{
  return cells->n_l * cells->n_a * cells->n_b + 1;
}

gboolean
gpu_palette_grid_has_room (const GpuPaletteGrid * grid,
    const GpuPaletteGridCells * cells)
{
  return gpu_buffer_get_size (grid->starts) >= starts_of (cells) * (gsize) 4;
}

/* --- building --- */

static gboolean
make_kernels (GpuPaletteGrid * grid, GpuDevice * device, GError ** error)
{
  const GpuKernelWanted kernels[] = {
    {&grid->bin, &gpu_shader_palette_bin},
    {&grid->sort, &gpu_shader_palette_sort},
    {&grid->sum_blocks, &gpu_shader_palette_sum_blocks},
    {&grid->sum_totals, &gpu_shader_palette_sum_totals},
    {&grid->sum_points, &gpu_shader_palette_sum_points},
  };

  return gpu_kernels_request (device, kernels, G_N_ELEMENTS (kernels),
      GPU_KERNEL_SOON, error);
}

static gboolean
make_buffers (GpuPaletteGrid * grid, GpuPaletteExactBuffers * buffers,
    guint n_starts, GError ** error)
{
  gsize n = buffers->capacity;
  const GpuPaletteArray arrays[] = {
    {&grid->starts, n_starts, "palette cells"},
    {&grid->sorted, n * 2, "palette sorted points"},
    {&grid->weights, n, "palette sorted weights"},
    {&grid->origins, n, "palette origins"},
    {&grid->totals, (n / GROUP_THREADS + 1) * WORDS_PER_TOTAL,
        "palette block sums"},
    {&grid->sums[0], n, "palette sums of weights"},
    {&grid->sums[1], n * 2, "palette sums of L"},
    {&grid->sums[2], n * 2, "palette sums of a"},
    {&grid->sums[3], n * 2, "palette sums of b"},
    {&grid->entries, GPU_PALETTE_MAX_ENTRIES, "palette cell offsets"},
  };

  grid->memory = gpu_scan_get_memory (grid->scan);
  return gpu_palette_make_arrays (buffers->device, arrays,
      G_N_ELEMENTS (arrays), &grid->memory, error);
}

gboolean
gpu_palette_grid_init (GpuPaletteGrid * grid, GpuPaletteExactBuffers * buffers,
    const GpuPaletteGridCells * cells, GError ** error)
{
  /* With room for some more cells, as other frames may have more. */
  guint n = starts_of (cells);
  guint n_starts =
      MAX (MIN (n + n / 8, max_cells_of (buffers) + 1), MIN_CELLS + 1);

  grid->scan =
      gpu_scan_new (buffers->device, max_cells_of (buffers) + 1, error);
  return grid->scan && make_kernels (grid, buffers->device, error)
      && make_buffers (grid, buffers, n_starts, error);
}

void
gpu_palette_grid_clear (GpuPaletteGrid * grid)
{
  GpuBuffer **all[] = {
    &grid->starts, &grid->sorted, &grid->weights,
    &grid->origins, &grid->totals, &grid->sums[0], &grid->sums[1],
    &grid->sums[2], &grid->sums[3], &grid->entries
  };

  g_clear_pointer (&grid->scan, gpu_scan_free);
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    g_clear_pointer (all[i], gpu_buffer_unref);
}

/* --- recording --- */

static void
record_sort (GpuPaletteGrid * grid, GpuPaletteSolve * solve)
{
  GpuPaletteExactBuffers *buffers = solve->buffers;
  const GpuPaletteGridCells *cells = &grid->cells;
  guint n_starts = starts_of (cells);
  const GpuDispatch bin = {
    .kernel = grid->bin,
    .buffers = {
      [PALETTE_BIN_POINTS] = buffers->points,
      [PALETTE_BIN_CELLS] = grid->starts,
      [PALETTE_BIN_PLACES] = buffers->point_places,
    },
    .push = &(GpuPaletteBinPush) {.grid = *cells},
  };
  const GpuDispatch sort = {
    .kernel = grid->sort,
    .buffers = {
      [PALETTE_SORT_POINTS] = buffers->points,
      [PALETTE_SORT_WEIGHTS] = buffers->weights,
      [PALETTE_SORT_STARTS] = grid->starts,
      [PALETTE_SORT_PLACES] = buffers->point_places,
      [PALETTE_SORT_SORTED] = grid->sorted,
      [PALETTE_SORT_SORTED_WEIGHTS] = grid->weights,
      [PALETTE_SORT_ORIGINS] = grid->origins,
    },
    .push = &(GpuPaletteSortPush) {.grid = *cells},
  };

  /* The buffer may hold marks (changes.h), which have just been read. */
  gpu_slicer_fill (&solve->context->slicer, grid->starts,
      n_starts * (gsize) 4, 0);
  gpu_slicer_run (&solve->context->slicer, &bin, solve->n);
  gpu_scan_record (grid->scan, solve->context->slicer.stream, grid->starts,
      grid->starts, n_starts);
  gpu_slicer_run (&solve->context->slicer, &sort, solve->n);
}

static void
record_sums (GpuPaletteGrid * grid, GpuPaletteSolve * solve)
{
  guint per_block = POINTS_PER_THREAD * GROUP_THREADS;
  guint threads = DIV_UP (solve->n, per_block) * GROUP_THREADS;
  const GpuDispatch of_blocks = {
    .kernel = grid->sum_blocks,
    .buffers = {
      [PALETTE_SUM_BLOCKS_SORTED] = grid->sorted,
      [PALETTE_SUM_BLOCKS_WEIGHTS] = grid->weights,
      [PALETTE_SUM_BLOCKS_TOTALS] = grid->totals,
    },
    .push = &(GpuPaletteSumBlocksPush) {.n = solve->n},
  };
  const GpuDispatch of_totals = {
    .kernel = grid->sum_totals,
    .buffers = {[PALETTE_SUM_TOTALS_TOTALS] = grid->totals},
    .push = &(GpuPaletteSumTotalsPush) {.n = solve->n},
  };
  const GpuDispatch of_points = {
    .kernel = grid->sum_points,
    .buffers = {
      [PALETTE_SUM_POINTS_SORTED] = grid->sorted,
      [PALETTE_SUM_POINTS_WEIGHTS] = grid->weights,
      [PALETTE_SUM_POINTS_TOTALS] = grid->totals,
      [PALETTE_SUM_POINTS_SUMS_N] = grid->sums[0],
      [PALETTE_SUM_POINTS_SUMS_X] = grid->sums[1],
      [PALETTE_SUM_POINTS_SUMS_Y] = grid->sums[2],
      [PALETTE_SUM_POINTS_SUMS_Z] = grid->sums[3],
    },
    .push = &(GpuPaletteSumPointsPush) {.n = solve->n},
  };

  gpu_slicer_run (&solve->context->slicer, &of_blocks, threads);
  gpu_stream_dispatch (solve->context->slicer.stream, &of_totals, 1, 1, 1);
  gpu_slicer_run (&solve->context->slicer, &of_points, threads);
}

void
gpu_palette_grid_record (GpuPaletteGrid * grid,
    const GpuPaletteGridCells * cells, GpuPaletteSolve * solve)
{
  guint32 entries[GPU_PALETTE_MAX_ENTRIES];

  grid->cells = *cells;
  grid->n_entries = gpu_palette_list_entries (solve->radius_squared,
      grid->cells.shift, entries, &grid->n_inside);
  gpu_stream_stage (solve->context->slicer.stream, "palette-grid");
  gpu_stream_write (solve->context->slicer.stream, grid->entries, 0, entries,
      grid->n_entries * 4);
  record_sort (grid, solve);
  record_sums (grid, solve);
}
