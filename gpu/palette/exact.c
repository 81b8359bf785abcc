/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Colours to lattice points, these into a grid, walks in it, and back. */
#include "exact.h"
#include "grid.h"
#include "lattice.h"
#include "walk.h"

typedef struct
{
  GpuPaletteSolver parent;
  GpuPaletteWork *work;
  GpuPaletteLattice lattice;
  GpuPaletteGrid grid;
  GpuPaletteWalk walk;
} Exact;

static void
exact_free (GpuPaletteSolver * solver)
{
  Exact *exact = (Exact *) solver;

  gpu_palette_work_drop_walkers (exact->work);
  gpu_palette_lattice_clear (&exact->lattice);
  gpu_palette_grid_clear (&exact->grid);
  gpu_palette_walk_clear (&exact->walk);
  g_free (exact);
}

static GpuPaletteSolver *
exact_create (GpuPaletteWork * work, GError ** error)
{
  Exact *exact = g_new0 (Exact, 1);

  exact->parent.type = &gpu_palette_exact;
  exact->work = work;
  if (gpu_palette_work_take_walkers (work, error)
      && gpu_palette_lattice_init (&exact->lattice, work, error)
      && gpu_palette_grid_init (&exact->grid, work, error)
      && gpu_palette_walk_init (&exact->walk, work, error))
    return &exact->parent;
  exact_free (&exact->parent);
  return NULL;
}

static guint64
exact_get_memory (GpuPaletteSolver * solver)
{
  Exact *exact = (Exact *) solver;

  return exact->work->walker_memory + exact->lattice.memory
      + exact->grid.memory + exact->walk.memory;
}

static gboolean
exact_prepare (GpuPaletteSolver * solver, GpuPaletteRun * run,
    gboolean always, GError ** error)
{
  Exact *exact = (Exact *) solver;

  return gpu_palette_lattice_record (&exact->lattice, run, always, error);
}

static gboolean
exact_solve (GpuPaletteSolver * solver, GpuPaletteRun * run, GError ** error)
{
  Exact *exact = (Exact *) solver;

  gpu_palette_lattice_read (&exact->lattice, run);
  /* Nothing but the point itself is in a ball of radius 0. */
  if (run->radius_squared > 0
      && (!gpu_palette_grid_record (&exact->grid, run, error)
          || !gpu_palette_walk_solve (&exact->walk, &exact->grid, run, error)))
    return FALSE;
  gpu_stream_barrier (run->stream);
  return gpu_palette_lattice_paint (&exact->lattice, run, run->work->points,
      error);
}

const GpuPaletteSolverType gpu_palette_exact = {
  .name = "exact",
  .needs_count = TRUE,
  .create = exact_create,
  .free = exact_free,
  .get_memory = exact_get_memory,
  .prepare = exact_prepare,
  .solve = exact_solve,
};
