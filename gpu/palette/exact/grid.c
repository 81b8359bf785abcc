/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "exact.h"
#include "gpu/core/rounding.h"
#include "shaders/palette/exact/shared.h"

#include <math.h>

/* Cells to the radius, about. Smaller cells mean fewer candidates and more entries. */
#define CELLS_PER_RADIUS 5
#define MIN_CELL_SHIFT 1

/* With larger cells squared distances would exceed 24 bits (balls.glsl). */
#define MAX_CELL_SHIFT 10

/* An entry's offsets are -16…15. */
#define MAX_OFFSET 14

/* Most bits by which cells are shorter along L. The number of columns stays the same,
 * and fewer points of a column are tested one by one. */
#define SHORTER_CELLS 3

/* Most cells of the gamut for each pixel. With more, cells have few walkers, so that a
 * list of points serves few steps. */
#define CELLS_PER_PIXEL 4
#define MAX_CELLS (5u << 20)

/* Cells are shortened along L as far as their number stays within this. */
#define MAX_SHORT_CELLS (3u << 20)

/* Points that an invocation adds up in a row. */
#define POINTS_PER_THREAD 4     /* as in sums.glsl */
#define GROUP_THREADS 256

/* --- cells --- */

static guint64
cells_of_gamut (const GpuPaletteGamut * gamut, guint cell_shift)
{
  guint64 n = 1;

  for (guint i = 0; i < G_N_ELEMENTS (gamut->extent); i++)
    /* A margin, as points are rounded, and the part below 0 is rounded down. */
    n *= ((gamut->extent[i] + 4) >> cell_shift) + 1;
  return n;
}

/* Returns the cells of the gamut that cover @box. The cell of a point is the same in
 * every frame, so walks do not depend on where the box begins. */
static GpuPaletteGridCells
make_cells (const GpuPaletteBox * box, const GpuPaletteGamut * gamut,
    guint shift, guint shift_l)
{
  guint32 first[3], n[3];

  for (guint i = 0; i < 3; i++) {
    guint32 origin = i == 0 ? 0 : POINT_BIAS - gamut->below_zero[i] - 2;

    first[i] = origin + ((box->low[i] - origin) >> shift << shift);
    n[i] = ((box->high[i] - first[i]) >> (i == 0 ? shift_l : shift)) + 1;
  }
  return (GpuPaletteGridCells) {
    shift, shift_l, n[0], n[1], n[2], first[0], first[1], first[2],
  };
}

GpuPaletteGridCells
gpu_palette_choose_cells (guint radius_squared, const GpuPaletteBox * box,
    const GpuPaletteGamut * gamut, guint cell_shift, guint max_cells)
{
  gdouble radius = sqrt (MAX (radius_squared, 1));
  guint wanted = cell_shift;

  if (wanted == 0)
    wanted = MAX (floor (log2 (radius / CELLS_PER_RADIUS) + 0.5),
        MIN_CELL_SHIFT);
  while (radius > (MAX_OFFSET << wanted))
    wanted++;
  while (cells_of_gamut (gamut, wanted) > max_cells && wanted < MAX_CELL_SHIFT)
    wanted++;
  return make_cells (box, gamut, wanted, wanted);
}

GpuPaletteGridCells
gpu_palette_shorten_cells (const GpuPaletteGridCells * cells,
    const GpuPaletteBox * box, const GpuPaletteGamut * gamut, guint max_cells)
{
  for (guint n = SHORTER_CELLS; n > 0; n--)
    if (cells->shift > n) {
      GpuPaletteGridCells shorter = make_cells (box, gamut, cells->shift,
          cells->shift - n);

      if ((guint64) shorter.n_l * shorter.n_a * shorter.n_b <= max_cells)
        return shorter;
    }
  return *cells;
}

/* Return the least and the largest squared difference, along one axis, between places in
 * two cells that are @offset cells apart. */
static guint64
least_square (gint offset, guint cell_shift)
{
  guint64 d = offset ? ((guint64) (ABS (offset) - 1) << cell_shift) + 1 : 0;

  return d * d;
}

static guint64
largest_square (gint offset, guint cell_shift)
{
  guint64 d = ((guint64) (ABS (offset) + 1) << cell_shift) - 1;

  return d * d;
}

/* Returns the largest offset along L at which @square plus @others is within the ball;
 * -1 if there is none. @others: sum of the squares along a and b. */
static gint
reach (guint64 (*square) (gint, guint), guint64 others, guint radius_squared,
    guint cell_shift)
{
  gint offset = -1;

  while (others + square (offset + 1, cell_shift) <= radius_squared)
    offset++;
  return offset;
}

static guint32
pack_entry (gint a, gint b, gint first, gint last, gboolean is_inside)
{
  return (a + 16) | (b + 16) << 5 | (first + 16) << 10 | (last + 16) << 15
      | (guint32) is_inside << 20;
}

/* Lists the runs along L of one column that lie inside, or those that cross the surface;
 * returns their number. */
static guint
list_column (gint a, gint b, guint radius_squared, guint cell_shift,
    gboolean is_inside, guint32 * entries)
{
  gint outer = reach (least_square, least_square (a, cell_shift)
      + least_square (b, cell_shift), radius_squared, cell_shift);
  gint inner = reach (largest_square, largest_square (a, cell_shift)
      + largest_square (b, cell_shift), radius_squared, cell_shift);
  guint n = 0;

  if (is_inside) {
    if (inner >= 0)
      entries[n++] = pack_entry (a, b, -inner, inner, TRUE);
  } else if (inner < 0 && outer >= 0) {
    entries[n++] = pack_entry (a, b, -outer, outer, FALSE);
  } else if (outer > inner) {
    entries[n++] = pack_entry (a, b, -outer, -inner - 1, FALSE);
    entries[n++] = pack_entry (a, b, inner + 1, outer, FALSE);
  }
  return n;
}

static guint
list_columns (guint radius_squared, guint cell_shift, gboolean is_inside,
    guint32 * entries)
{
  guint n = 0;

  for (gint a = -MAX_OFFSET - 1; a <= MAX_OFFSET + 1; a++)
    for (gint b = -MAX_OFFSET - 1; b <= MAX_OFFSET + 1; b++)
      n += list_column (a, b, radius_squared, cell_shift, is_inside,
          entries + n);
  return n;
}

guint
gpu_palette_list_entries (guint radius_squared, guint cell_shift,
    guint32 * entries, guint * n_inside)
{
  *n_inside = list_columns (radius_squared, cell_shift, TRUE, entries);
  return *n_inside + list_columns (radius_squared, cell_shift, FALSE,
      entries + *n_inside);
}

/* --- room --- */

guint
gpu_palette_grid_max_cells (const GpuPaletteExact * exact)
{
  return CLAMP (exact->max_colours * (guint64) CELLS_PER_PIXEL,
      GPU_PALETTE_MIN_CELLS, MAX_CELLS);
}

guint
gpu_palette_grid_starts (const GpuPaletteGridCells * cells)
{
  return cells->n_l * cells->n_a * cells->n_b + 1;
}

gsize
gpu_palette_grid_totals (gsize n)
{
  return MAX (DIV_UP (n, POINTS_PER_THREAD * GROUP_THREADS), 1)
      * WORDS_PER_TOTAL;
}

/* --- a frame --- */

void
gpu_palette_grid_choose (GpuPaletteExact * exact, gboolean are_cubes)
{
  GpuPaletteSolve *solve = &exact->solve;
  guint max_cells = gpu_palette_grid_max_cells (exact);
  const GpuPaletteGamut gamut = gpu_palette_get_gamut (solve->shift,
      exact->context->settings->making.chroma);

  solve->cells = gpu_palette_choose_cells (solve->radius_squared, &solve->box,
      &gamut, exact->context->tuning->cell_shift, max_cells);
  if (!are_cubes)
    solve->cells = gpu_palette_shorten_cells (&solve->cells, &solve->box,
        &gamut, MIN (max_cells, MAX_SHORT_CELLS));
}

static void
record_sort (GpuPaletteExact * exact)
{
  const GpuSlicer *slicer = &exact->context->slicer;
  const GpuPaletteExactBuffers *buffers = &exact->buffers;
  guint n_starts = gpu_palette_grid_starts (&exact->solve.cells);
  const GpuDispatch bin = {
    exact->kernels.bin, PALETTE_BIN_BUFFERS (buffers),
    &(GpuPaletteBinPush) {.grid = exact->solve.cells},
  };
  const GpuDispatch sort = {
    exact->kernels.sort, PALETTE_SORT_BUFFERS (buffers),
    &(GpuPaletteSortPush) {.grid = exact->solve.cells},
  };

  /* The buffer may hold marks, which have just been read. */
  gpu_slicer_fill (slicer, buffers->starts, n_starts * (gsize) 4, 0);
  gpu_slicer_run (slicer, &bin, exact->solve.n);
  gpu_scan_record (exact->scan, exact->stream, buffers->starts, buffers->starts,
      n_starts);
  gpu_slicer_run (slicer, &sort, exact->solve.n);
}

static void
record_sums (GpuPaletteExact * exact)
{
  const GpuPaletteExactBuffers *buffers = &exact->buffers;
  guint n = exact->solve.n;
  guint threads = DIV_UP (n, POINTS_PER_THREAD * GROUP_THREADS) * GROUP_THREADS;
  const GpuDispatch of_blocks = {
    exact->kernels.sum_blocks, PALETTE_SUM_BLOCKS_BUFFERS (buffers),
    &(GpuPaletteSumBlocksPush) {.n = n},
  };
  const GpuDispatch of_points = {
    exact->kernels.sum_points, PALETTE_SUM_POINTS_BUFFERS (buffers),
    &(GpuPaletteSumPointsPush) {.n = n},
  };

  gpu_slicer_run (&exact->context->slicer, &of_blocks, threads);
  gpu_slicer_run (&exact->context->slicer, &of_points, threads);
}

void
gpu_palette_grid_record (GpuPaletteExact * exact)
{
  GpuPaletteSolve *solve = &exact->solve;
  guint32 entries[GPU_PALETTE_MAX_ENTRIES];

  solve->n_entries = gpu_palette_list_entries (solve->radius_squared,
      solve->cells.shift, entries, &solve->n_inside);
  gpu_stream_stage (exact->stream, "palette-grid");
  gpu_stream_write (exact->stream, exact->buffers.entries, 0, entries,
      solve->n_entries * 4);
  record_sort (exact);
  record_sums (exact);
}
