/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "changes.h"
#include "shaders.h"
#include "shaders/palette/exact/marks.h"

#include <math.h>

/* The side of cells that are marked is between a quarter and an eighth of the radius,
 * but at least 2^LEAST_CELL_SHIFT lattice units, so that few of them share a mark. */
#define CELLS_PER_RADIUS_LOG2 2
#define LEAST_CELL_SHIFT 7u

/* The set of visited points fills up with points that no walk reaches any more. It is
 * emptied if more than one walker in LEAST_SHARING found no room; but not if it was
 * empty when the frame began. */
#define LEAST_SHARING 32

/* --- building --- */

static gboolean
make_kernels (GpuPaletteChanges * changes, GpuDevice * device, GError ** error)
{
  const GpuKernelWanted kernels[] = {
    {&changes->compare, &gpu_shader_palette_compare},
    {&changes->invalidate, &gpu_shader_palette_invalidate},
  };

  return gpu_kernels_request (device, kernels, G_N_ELEMENTS (kernels),
      GPU_KERNEL_SOON, error);
}

gboolean
gpu_palette_changes_init (GpuPaletteChanges * changes,
    GpuPaletteExactBuffers * buffers, GError ** error)
{
  const GpuPaletteArray arrays[] = {
    {&changes->list, buffers->capacity, "palette kept list"},
    {&changes->weights, buffers->capacity, "palette kept weights"},
  };

  changes->has_marks = TRUE;
  return make_kernels (changes, buffers->device, error)
      && gpu_palette_make_arrays (buffers->device, arrays,
      G_N_ELEMENTS (arrays), &changes->memory, error);
}

void
gpu_palette_changes_clear (GpuPaletteChanges * changes)
{
  g_clear_pointer (&changes->list, gpu_buffer_unref);
  g_clear_pointer (&changes->weights, gpu_buffer_unref);
}

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

/* Clears the marks, which may hold those of an earlier frame, or cell starts of the
 * grid. */
static void
clear_marks (GpuPaletteChanges * changes, GpuPaletteSolve * solve,
    GpuBuffer * marks)
{
  if (!changes->has_marks)
    return;
  changes->has_marks = FALSE;
  gpu_slicer_fill (&solve->context->slicer, marks, MARK_WORDS * 4, 0);
}

/* Records a dispatch that counts changed colours, or, with @is_marking, marks the cells
 * around them. */
static void
record_compare (GpuPaletteChanges * changes, GpuPaletteSolve * solve,
    const GpuPaletteChangesBuffers * compared, gboolean is_marking,
    gboolean always)
{
  GpuPaletteExactBuffers *buffers = solve->buffers;
  const GpuPaletteComparePush push = {
    .shift = solve->shift,
    .n_kept = changes->n,
    .radius_squared = solve->radius_squared,
    .reach = reach_of (solve),
    .cell_shift = cell_shift_of (solve),
    .is_marking = is_marking,
  };
  const GpuDispatch compare = {
    .kernel = changes->compare,
    .buffers = {
      [PALETTE_COMPARE_TABLES] = compared->tables,
      [PALETTE_COMPARE_LIST] = buffers->list,
      [PALETTE_COMPARE_WEIGHTS] = buffers->weights,
      [PALETTE_COMPARE_KEPT_LIST] = changes->list,
      [PALETTE_COMPARE_KEPT_WEIGHTS] = changes->weights,
      [PALETTE_COMPARE_BLOCKS] = buffers->blocks,
      [PALETTE_COMPARE_MARKS] = compared->marks,
      [PALETTE_COMPARE_CONTROL] = buffers->control,
    },
    .push = &push,
  };

  gpu_palette_solve_over_colours (solve, &compare, always);
}

void
gpu_palette_changes_compare (GpuPaletteChanges * changes,
    GpuPaletteSolve * solve, const GpuPaletteChangesBuffers * compared,
    gboolean always)
{
  changes->is_compared = changes->n > 0;
  if (!changes->is_compared)
    return;
  gpu_stream_stage (solve->context->slicer.stream, "palette-compare");
  gpu_stream_fill (solve->context->slicer.stream, solve->buffers->control,
      CONTROL_ADDED * 4, 8, 0);
  clear_marks (changes, solve, compared->marks);
  record_compare (changes, solve, compared, FALSE, always);
  record_compare (changes, solve, compared, TRUE, always);
}

/* --- kept colours and successors --- */

static gboolean
shares_successors (const GpuPaletteSolve * solve)
{
  return solve->radius_squared > 0
      && solve->context->settings->making.iteration_limit == 0;
}

/* Returns whether the known successors were computed with the parameters of @solve. */
static gboolean
has_successors_for (const GpuPaletteChanges * changes,
    const GpuPaletteSolve * solve)
{
  return changes->has_successors && shares_successors (solve)
      && changes->revision == solve->context->revision
      && changes->shift == solve->shift
      && changes->radius_squared == solve->radius_squared
      && changes->chroma == solve->context->settings->making.chroma
      && changes->table_bits >= solve->table_bits;
}

/* Returns whether compare.comp marked the cells around all changed colours. */
static gboolean
is_all_marked (const GpuPaletteChanges * changes, const GpuPaletteSolve * solve)
{
  return changes->is_compared && changes->n <= 2 * (guint64) solve->n
      && solve->control[CONTROL_CHANGED_COLOURS] <= MOST_CHANGED (solve->n);
}

void
gpu_palette_changes_read (GpuPaletteChanges * changes, GpuPaletteSolve * solve)
{
  guint added = changes->is_compared ? solve->control[CONTROL_ADDED] : solve->n;
  guint before = changes->is_compared ? changes->n : 0;

  changes->has_marks = TRUE;
  solve->context->report->made.added = added;
  solve->context->report->made.removed = before + added - solve->n;
  solve->keeps_successors = has_successors_for (changes, solve)
      && is_all_marked (changes, solve);
  if (solve->keeps_successors)
    solve->table_bits = changes->table_bits;
  /* Nothing is valid until the walks of this frame are done. */
  changes->n = 0;
  changes->has_successors = FALSE;
}

void
gpu_palette_changes_invalidate (GpuPaletteChanges * changes,
    GpuPaletteSolve * solve, GpuBuffer * successors, GpuBuffer * marks)
{
  const GpuPaletteInvalidatePush push = {
    .table_bits = solve->table_bits,
    .cell_shift = cell_shift_of (solve),
  };
  const GpuDispatch invalidate = {
    .kernel = changes->invalidate,
    .buffers = {
      [PALETTE_INVALIDATE_VISITED] = solve->buffers->visited,
      [PALETTE_INVALIDATE_SUCCESSORS] = successors,
      [PALETTE_INVALIDATE_MARKS] = marks,
    },
    .push = &push,
  };

  if (!solve->keeps_successors)
    return;
  gpu_stream_stage (solve->context->slicer.stream, "palette-invalidate");
  gpu_slicer_run (&solve->context->slicer, &invalidate,
      1u << solve->table_bits);
}

void
gpu_palette_changes_keep (GpuPaletteChanges * changes, GpuPaletteSolve * solve)
{
  gpu_stream_stage (solve->context->slicer.stream, "palette-keep");
  gpu_stream_copy (solve->context->slicer.stream, solve->buffers->list, 0,
      changes->list, 0, solve->n * (gsize) 4);
  gpu_stream_copy (solve->context->slicer.stream, solve->buffers->weights, 0,
      changes->weights, 0, solve->n * (gsize) 4);
}

static gboolean
is_full (const GpuPaletteSolve * solve)
{
  return solve->keeps_successors
      && solve->control[CONTROL_LOST] > solve->n / LEAST_SHARING;
}

void
gpu_palette_changes_kept (GpuPaletteChanges * changes,
    const GpuPaletteSolve * solve)
{
  changes->n = solve->n;
  changes->has_successors = shares_successors (solve) && !is_full (solve);
  changes->revision = solve->context->revision;
  changes->shift = solve->shift;
  changes->radius_squared = solve->radius_squared;
  changes->chroma = solve->context->settings->making.chroma;
  changes->table_bits = solve->table_bits;
}
