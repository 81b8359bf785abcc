/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Converts colours to lattice points, puts these into a grid, walks, and converts the
 * fixed points to colours. */
#include "exact.h"
#include "changes.h"
#include "grid.h"
#include "lattice.h"
#include "gpu/palette/exact/walk/walk.h"

typedef struct
{
  GpuPaletteSolver parent;
  GpuPaletteExactBuffers *buffers;
  GpuPaletteLattice lattice;
  GpuPaletteGrid grid;
  GpuPaletteWalk walk;
  GpuPaletteChanges changes;
  guint table_bits;             /* log2 of the words that were requested for the set of
                                   visited points; memory may allow less */
} Exact;

static void
drop_arrays (Exact * exact)
{
  gpu_palette_exact_buffers_drop_walkers (exact->buffers);
  gpu_palette_grid_clear (&exact->grid);
  gpu_palette_walk_clear (&exact->walk);
  gpu_palette_changes_clear (&exact->changes);
  exact->grid = (GpuPaletteGrid) {0};
  exact->walk = (GpuPaletteWalk) {0};
  exact->changes = (GpuPaletteChanges) {0};
}

static void
exact_free (GpuPaletteSolver * solver)
{
  Exact *exact = (Exact *) solver;

  drop_arrays (exact);
  gpu_palette_lattice_clear (&exact->lattice);
  g_free (exact);
}

static GpuPaletteSolver *
exact_create (GpuPaletteExactBuffers * buffers, GError ** error)
{
  Exact *exact = g_new0 (Exact, 1);

  exact->parent.type = &gpu_palette_exact;
  exact->buffers = buffers;
  if (gpu_palette_lattice_init (&exact->lattice, buffers, error))
    return &exact->parent;
  exact_free (&exact->parent);
  return NULL;
}

static guint64
exact_get_memory (GpuPaletteSolver * solver)
{
  Exact *exact = (Exact *) solver;

  return exact->buffers->walker_memory + exact->lattice.memory
      + exact->grid.memory + exact->walk.memory + exact->changes.memory;
}

static gboolean
take_arrays (Exact * exact, guint n, const GpuPaletteGridCells * cells,
    guint table_bits, GError ** error)
{
  GpuPaletteExactBuffers *buffers = exact->buffers;

  if (gpu_palette_exact_buffers_take_walkers (buffers, n, table_bits, error)
      && gpu_palette_grid_init (&exact->grid, buffers, cells, error)
      && gpu_palette_walk_init (&exact->walk, buffers, cells, error)
      && gpu_palette_changes_init (&exact->changes, buffers, error))
    return TRUE;
  drop_arrays (exact);
  return FALSE;
}

/* Reduces @table_bits until visited points take no more than half of the device's free
 * memory. A visited point takes two words: its own, and its successor. */
static guint
choose_affordable_bits (const Exact * exact, guint table_bits)
{
  guint64 most = gpu_device_get_memory_left (exact->buffers->device) / 2;

  while (table_bits > GPU_PALETTE_MIN_TABLE_BITS
      && (guint64) 8 << table_bits > most)
    table_bits--;
  return table_bits;
}

/* Makes room for the colours and cells of this frame, if there is too little. If memory
 * is short, the set of visited points is made smaller. */
static gboolean
make_room (Exact * exact, const GpuPaletteSolve * solve,
    const GpuPaletteGridCells * cells, GError ** error)
{
  GpuPaletteExactBuffers *buffers = exact->buffers;
  guint n = gpu_palette_exact_buffers_room_for (buffers, solve->n);
  guint table_bits = gpu_palette_exact_buffers_table_bits (solve->n);
  GError *refused = NULL;

  if (solve->n <= buffers->capacity && table_bits <= exact->table_bits
      && gpu_palette_grid_has_room (&exact->grid, cells)
      && gpu_palette_walk_has_room (&exact->walk, cells))
    return TRUE;
  drop_arrays (exact);
  exact->table_bits = table_bits;
  table_bits = choose_affordable_bits (exact, table_bits);
  while (!take_arrays (exact, n, cells, table_bits, &refused)) {
    if (table_bits == GPU_PALETTE_MIN_TABLE_BITS
        || !g_error_matches (refused, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY)) {
      g_propagate_error (error, refused);
      return FALSE;
    }
    g_clear_error (&refused);
    table_bits--;
  }
  return TRUE;
}

/* Marks are in grid.starts, which is not used before the grid is made anew. */
static gboolean
exact_prepare (GpuPaletteSolver * solver, GpuPaletteSolve * solve,
    gboolean always, GError ** error)
{
  Exact *exact = (Exact *) solver;
  const GpuPaletteChangesBuffers compared = {
    exact->lattice.tables, exact->grid.starts
  };

  gpu_palette_lattice_record (&exact->lattice, solve, always);
  gpu_palette_changes_compare (&exact->changes, solve, &compared, always);
  return TRUE;
}

static void
choose_table (GpuPaletteSolve * solve)
{
  guint forced = solve->context->tuning->table_bits;

  solve->table_bits =
      forced ? forced : MIN (gpu_palette_exact_buffers_table_bits (solve->n),
      solve->buffers->max_table_bits);
}

static gboolean
solve_walks (Exact * exact, const GpuPaletteGridCells * cells,
    GpuPaletteSolve * solve, GError ** error)
{
  gpu_palette_changes_invalidate (&exact->changes, solve,
      exact->walk.successors, exact->grid.starts);
  gpu_palette_grid_record (&exact->grid, cells, solve);
  return gpu_palette_walk_solve (&exact->walk, &exact->grid, solve, error);
}

/* Follows successors to fixed points, and converts these to colours. Both are repeated
 * while a dispatch has not reached all fixed points. */
static gboolean
paint_fixed_points (Exact * exact, GpuPaletteSolve * solve, GError ** error)
{
  gboolean is_begun = FALSE;

  do {
    if (solve->radius_squared > 0)
      gpu_palette_walk_follow (&exact->walk, &exact->grid, solve, is_begun);
    if (!gpu_palette_lattice_paint (&exact->lattice, solve,
            solve->buffers->fixed_points, exact->walk.groups, error))
      return FALSE;
    is_begun = TRUE;
  } while (solve->radius_squared > 0 && solve->control[CONTROL_ON_THE_WAY]);
  return TRUE;
}

static gboolean
exact_solve (GpuPaletteSolver * solver, GpuPaletteSolve * solve,
    GError ** error)
{
  Exact *exact = (Exact *) solver;
  GpuPaletteGridCells cells;

  gpu_palette_lattice_read (&exact->lattice, solve);
  cells =
      gpu_palette_grid_cells_of (solve, gpu_palette_walk_wants_cubes (solve));
  if (!make_room (exact, solve, &cells, error))
    return FALSE;
  choose_table (solve);
  gpu_palette_changes_read (&exact->changes, solve);
  /* With radius 0 every point is a fixed point. */
  if (solve->radius_squared > 0 && !solve_walks (exact, &cells, solve, error))
    return FALSE;
  gpu_palette_changes_keep (&exact->changes, solve);
  if (!paint_fixed_points (exact, solve, error))
    return FALSE;
  gpu_palette_changes_kept (&exact->changes, solve);
  return TRUE;
}

const GpuPaletteSolverType gpu_palette_exact = {
  .name = "exact",
  .create = exact_create,
  .free = exact_free,
  .get_memory = exact_get_memory,
  .prepare = exact_prepare,
  .solve = exact_solve,
};
