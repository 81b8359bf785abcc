/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "exact.h"
#include "shaders/palette/exact/shared.h"

#include <math.h>

/* The side of cells that are marked is between a quarter and an eighth of the radius,
 * but at least 2^LEAST_CELL_SHIFT lattice units, so that few of them share a mark. */
#define CELLS_PER_RADIUS_LOG2 2
#define LEAST_CELL_SHIFT 7u

/* The set of visited points fills up with points that no walk reaches any more. It is
 * emptied if more than one walker in LEAST_SHARING found no room; but not if it was
 * empty when the frame began. */
#define LEAST_SHARING 32

/* --- changed colours --- */

/* Returns the radius in lattice units, rounded up. */
static guint
reach_of (const GpuPaletteSolve * solve)
{
  return ceil (sqrt (solve->radius_squared));
}

static guint
cell_shift_of (const GpuPaletteSolve * solve)
{
  guint shift = g_bit_storage (reach_of (solve));

  return MAX (shift, LEAST_CELL_SHIFT + CELLS_PER_RADIUS_LOG2 + 1)
      - CELLS_PER_RADIUS_LOG2 - 1;
}

void
gpu_palette_changes_compare (GpuPaletteExact * exact, gboolean always)
{
  GpuPaletteComparePush push = {
    .shift = exact->solve.shift,
    .n_kept = exact->kept.n,
    .radius_squared = exact->solve.radius_squared,
    .reach = reach_of (&exact->solve),
    .cell_shift = cell_shift_of (&exact->solve),
  };
  const GpuDispatch compare = {
    .kernel = exact->kernels.compare,
    .buffers = PALETTE_COMPARE_BUFFERS (&exact->buffers),
    .push = &push,
  };

  exact->kept.is_compared = exact->kept.n > 0;
  if (!exact->kept.is_compared)
    return;
  gpu_stream_stage (exact->stream, "palette-compare");
  gpu_stream_fill (exact->stream, exact->buffers.control, CONTROL_ADDED * 4, 8,
      0);
  /* They may be those of an earlier frame, or starts of cells. */
  if (exact->kept.has_marks)
    gpu_slicer_fill (&exact->context->slicer, exact->buffers.marks,
        MARK_WORDS * 4, 0);
  exact->kept.has_marks = FALSE;
  gpu_palette_exact_over_colours (exact, &compare, always);
  /* The cells are marked only if few colours changed, so count these first. */
  push.is_marking = TRUE;
  gpu_palette_exact_over_colours (exact, &compare, always);
}

/* --- kept colours and successors --- */

static gboolean
shares_successors (const GpuPaletteExact * exact)
{
  return exact->solve.radius_squared > 0
      && exact->context->settings->making.iteration_limit == 0;
}

/* Returns whether the known successors were computed with the parameters of this frame. */
static gboolean
has_successors (const GpuPaletteExact * exact)
{
  return exact->kept.has_successors && shares_successors (exact)
      && exact->kept.revision == exact->context->revision
      && exact->kept.shift == exact->solve.shift
      && exact->kept.radius_squared == exact->solve.radius_squared
      && exact->kept.chroma == exact->context->settings->making.chroma
      && exact->kept.table_bits >= exact->solve.table_bits;
}

/* Returns whether compare.comp marked the cells around all changed colours. */
static gboolean
is_all_marked (const GpuPaletteExact * exact)
{
  const GpuPaletteSolve *solve = &exact->solve;

  return exact->kept.is_compared && exact->kept.n <= 2 * (guint64) solve->n
      && solve->control[CONTROL_CHANGED_COLOURS] <= MOST_CHANGED (solve->n);
}

void
gpu_palette_changes_read (GpuPaletteExact * exact)
{
  GpuPaletteSolve *solve = &exact->solve;
  GpuPaletteReport *report = exact->context->report;
  guint added =
      exact->kept.is_compared ? solve->control[CONTROL_ADDED] : solve->n;
  guint before = exact->kept.is_compared ? exact->kept.n : 0;

  exact->kept.has_marks = TRUE;
  report->made.added = added;
  report->made.removed = before + added - solve->n;
  solve->keeps_successors = has_successors (exact) && is_all_marked (exact);
  if (solve->keeps_successors)
    solve->table_bits = exact->kept.table_bits;
  /* Nothing is valid until the walks of this frame are done. */
  exact->kept.n = 0;
  exact->kept.has_successors = FALSE;
}

void
gpu_palette_changes_invalidate (GpuPaletteExact * exact)
{
  const GpuDispatch invalidate = {
    .kernel = exact->kernels.invalidate,
    .buffers = PALETTE_INVALIDATE_BUFFERS (&exact->buffers),
    .push = &(GpuPaletteInvalidatePush) {
      .table_bits = exact->solve.table_bits,
      .cell_shift = cell_shift_of (&exact->solve),
    },
  };

  if (!exact->solve.keeps_successors)
    return;
  gpu_stream_stage (exact->stream, "palette-invalidate");
  gpu_slicer_run (&exact->context->slicer, &invalidate,
      1u << exact->solve.table_bits);
}

void
gpu_palette_changes_keep (GpuPaletteExact * exact)
{
  const GpuPaletteExactBuffers *buffers = &exact->buffers;
  gsize size = exact->solve.n * (gsize) 4;

  gpu_stream_stage (exact->stream, "palette-keep");
  gpu_stream_copy (exact->stream, buffers->list, 0, buffers->kept_list, 0,
      size);
  gpu_stream_copy (exact->stream, buffers->weights, 0, buffers->kept_weights, 0,
      size);
}

void
gpu_palette_changes_kept (GpuPaletteExact * exact)
{
  const GpuPaletteSolve *solve = &exact->solve;
  gboolean is_full = solve->keeps_successors
      && solve->control[CONTROL_LOST] > solve->n / LEAST_SHARING;

  exact->kept.n = solve->n;
  exact->kept.has_successors = shares_successors (exact) && !is_full;
  exact->kept.revision = exact->context->revision;
  exact->kept.shift = solve->shift;
  exact->kept.radius_squared = solve->radius_squared;
  exact->kept.chroma = exact->context->settings->making.chroma;
  exact->kept.table_bits = solve->table_bits;
}
