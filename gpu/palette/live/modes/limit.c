/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "limit.h"
#include "shaders.h"

#include <math.h>

/* Distances in Oklab: how much nearer a mode has to be at stability 1, and how far
 * around a mode the colours are that it glides to. */
#define MARGIN 0.1
#define BALL 0.04

/* On two cores of a CPU: of a summit that looks at all modes, and of a cell that
 * may be a summit to pick. */
#define CLAIM_NS 5000
#define PICK_NS 50

gboolean
gpu_palette_limit_init (GpuPaletteLimit * limit, GpuDevice * device,
    GError ** error)
{
  const struct
  {
    GpuKernel **kernel;
    const GpuShader *shader;
  } list[] = {
    {&limit->summits, &gpu_shader_palette_limit_summits},
    {&limit->weigh, &gpu_shader_palette_limit_weigh},
    {&limit->approach, &gpu_shader_palette_limit_approach},
    {&limit->pick, &gpu_shader_palette_limit_pick},
    {&limit->claim, &gpu_shader_palette_limit_claim},
    {&limit->gather, &gpu_shader_palette_limit_gather},
    {&limit->renew, &gpu_shader_palette_limit_renew},
  };

  for (guint i = 0; i < G_N_ELEMENTS (list); i++) {
    if (!*list[i].kernel)
      *list[i].kernel = gpu_kernel_get (device, list[i].shader, NULL, 0, error);
    if (!*list[i].kernel)
      return FALSE;
  }
  return TRUE;
}

/* Of a distance in Oklab. */
static gdouble
eighths_of_cells (const struct PaletteGrid *grid, gdouble distance)
{
  return ldexp (8 * distance, grid->shift) / grid->pitch;
}

void
gpu_palette_limit_fill (SteadyFrame * frame, const struct PaletteGrid *grid,
    const GpuPaletteSettings * settings)
{
  guint ball = floor (eighths_of_cells (grid, BALL));

  frame->least_summits = settings->keeps_radius ? 0 : frame->limit;
  frame->ball = ball * ball;
  frame->margin =
      floor (eighths_of_cells (grid, MARGIN * settings->stability) + 0.5);
}

/* --- a frame --- */

static gboolean
weigh_summits (const GpuPaletteLimit * limit, GpuPaletteRun * run,
    GpuPaletteCells * cells, GpuBuffer * state, GpuBuffer * modes,
    GpuBuffer * weights, GError ** error)
{
  GpuPaletteCellsOthers summits = {
    state, modes, cells->densities, cells->next
  };
  GpuPaletteCellsOthers weigh = {
    state, modes, cells->sums, cells->densities, weights
  };

  return gpu_palette_run_clear (run, weights,
      cells->most * sizeof (guint32), error)
      && gpu_palette_cells_over_cells (cells, run, limit->summits, summits,
      error)
      && gpu_palette_cells_over_cells (cells, run, limit->weigh, weigh, error);
}

static gboolean
pick (const GpuPaletteLimit * limit, GpuPaletteRun * run,
    GpuPaletteCells * cells, GpuBuffer * state, GpuBuffer * modes,
    GpuBuffer * weights, guint n, GError ** error)
{
  GpuBuffer *buffers[] = {
    cells->grid, cells->occupied, cells->ranks, state, modes, cells->tables,
    cells->sums, cells->carries, cells->cell_list, cells->next, weights,
    cells->results
  };

  for (guint i = 0; i < n; i += PICKS_PER_DISPATCH) {
    gpu_stream_barrier (run->stream);
    if (!gpu_palette_run_alone (run, limit->pick, buffers,
            G_N_ELEMENTS (buffers),
            (guint64) cells->bound * PICKS_PER_DISPATCH, PICK_NS, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
gpu_palette_limit_claim (const GpuPaletteLimit * limit, GpuPaletteRun * run,
    GpuPaletteCells * cells, GpuBuffer * state, GpuBuffer * modes,
    GError ** error)
{
  GpuBuffer *weights = cells->seen;
  GpuPaletteCellsOthers approach = {
    state, modes, cells->cell_list, cells->densities, cells->results
  };
  GpuPaletteCellsOthers claim = {
    state, modes, cells->cell_list, cells->densities, weights, cells->results
  };
  GpuPaletteItems of_claims = cells->of_cells;

  of_claims.key = limit->claim;
  of_claims.ns = CLAIM_NS;
  return weigh_summits (limit, run, cells, state, modes, weights, error)
      && gpu_palette_cells_over_cells (cells, run, limit->approach, approach,
      error)
      && pick (limit, run, cells, state, modes, weights,
      gpu_palette_get_limit (run->settings), error)
      && gpu_palette_cells_run (cells, run, limit->claim, claim, &of_claims,
      cells->bound, GPU_PALETTE_CELLS_GROUPS (cell), 0, error);
}

gboolean
gpu_palette_limit_renew (const GpuPaletteLimit * limit, GpuPaletteRun * run,
    GpuPaletteCells * cells, GpuBuffer * state, GpuBuffer * modes,
    GError ** error)
{
  GpuPaletteCellsOthers gather = {
    state, modes, cells->sums, cells->carries, cells->cell_list,
    cells->results
  };
  GpuBuffer *buffers[] = {
    cells->grid, cells->occupied, cells->ranks, state, modes, cells->sums,
    cells->carries
  };

  if (!gpu_palette_cells_over_cells (cells, run, limit->gather, gather, error))
    return FALSE;
  gpu_stream_barrier (run->stream);
  gpu_stream_dispatch (run->stream, limit->renew, buffers,
      G_N_ELEMENTS (buffers), NULL, 0, 1, 1, 1);
  return TRUE;
}
