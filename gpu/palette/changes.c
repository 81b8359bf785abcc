/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "changes.h"
#include "shaders.h"

#include <math.h>

/* Cells that are marked have between a quarter and an eighth of the radius as their
 * side, but no less than this, in bits, so that few of them share a mark. */
#define CELLS_PER_RADIUS_LOG2 2
#define LEAST_CELL_SHIFT 7u

/* The set of visited points fills up with those that nobody comes to any more. It is
 * emptied when as many walkers as this, of all, found no room; unless it was empty
 * before they came. */
#define LEAST_SHARING 32

/* Of a slot of the visited points, for gpu_palette_run_sliced(). */
#define INVALIDATE_NS 10

/* --- building --- */

static gboolean
make_kernels (GpuPaletteChanges * changes, GpuDevice * device, GError ** error)
{
  guint32 per_thread = gpu_palette_converted (device);

  changes->compare = gpu_kernel_get (device, &gpu_shader_palette_compare,
      &per_thread, 1, error);
  if (!changes->compare)
    return FALSE;
  changes->invalidate = gpu_kernel_get (device,
      &gpu_shader_palette_invalidate, NULL, 0, error);
  return changes->invalidate != NULL;
}

gboolean
gpu_palette_changes_init (GpuPaletteChanges * changes, GpuPaletteWork * work,
    GError ** error)
{
  const GpuPaletteArray arrays[] = {
    {&changes->list, work->capacity, "palette kept list"},
    {&changes->weights, work->capacity, "palette kept weights"},
  };

  changes->has_marks = TRUE;
  return make_kernels (changes, work->device, error)
      && gpu_palette_make_arrays (work->device, arrays, G_N_ELEMENTS (arrays),
      &changes->memory, error);
}

void
gpu_palette_changes_clear (GpuPaletteChanges * changes)
{
  g_clear_pointer (&changes->list, gpu_buffer_unref);
  g_clear_pointer (&changes->weights, gpu_buffer_unref);
}

/* --- what changed --- */

/* Rounded up. */
static guint
reach_of (const GpuPaletteRun * run)
{
  return ceil (sqrt (run->radius_squared));
}

static guint
cell_shift_of (const GpuPaletteRun * run)
{
  guint shift = g_bit_storage (reach_of (run));

  return MAX (shift, LEAST_CELL_SHIFT + CELLS_PER_RADIUS_LOG2 + 1)
      - CELLS_PER_RADIUS_LOG2 - 1;
}

/* Of frames since, marks may be left, or what else was there. */
static gboolean
clear_marks (GpuPaletteChanges * changes, GpuPaletteRun * run,
    GpuBuffer * marks, GError ** error)
{
  if (!changes->has_marks)
    return TRUE;
  changes->has_marks = FALSE;
  return gpu_palette_run_clear (run, marks, MARK_WORDS * 4, error);
}

/* Of colours that changed: counts them, or marks what is around them. */
static gboolean
record_compare (GpuPaletteChanges * changes, GpuPaletteRun * run,
    GpuBuffer * tables, GpuBuffer * marks, gboolean is_marking,
    gboolean always, GError ** error)
{
  GpuPaletteWork *work = run->work;
  GpuBuffer *buffers[] = {
    tables, work->list, work->weights, changes->list, changes->weights,
    work->blocks, marks, work->control
  };
  guint32 push[] = {
    0, 0, run->shift, changes->n, run->radius_squared, reach_of (run),
    cell_shift_of (run), is_marking
  };

  gpu_stream_barrier (run->stream);
  return gpu_palette_run_indirect (run, changes->compare, buffers,
      G_N_ELEMENTS (buffers), push, sizeof push, &run->colours, work->room,
      work->blocks, always ? GPU_PALETTE_BLOCKS_AT (colour_groups)
      : GPU_PALETTE_BLOCKS_AT (dispatches.convert_groups), error);
}

gboolean
gpu_palette_changes_compare (GpuPaletteChanges * changes, GpuPaletteRun * run,
    GpuBuffer * tables, GpuBuffer * marks, gboolean always, GError ** error)
{
  changes->is_compared = changes->n > 0;
  if (!changes->is_compared)
    return TRUE;
  gpu_stream_stage (run->stream, "palette-compare");
  gpu_stream_barrier (run->stream);
  gpu_stream_fill (run->stream, run->work->control, CONTROL_ADDED * 4, 8, 0);
  return clear_marks (changes, run, marks, error)
      && record_compare (changes, run, tables, marks, FALSE, always, error)
      && record_compare (changes, run, tables, marks, TRUE, always, error);
}

/* --- what is kept --- */

static gboolean
shares_ways (const GpuPaletteRun * run)
{
  return run->radius_squared > 0 && run->settings->iteration_limit == 0;
}

/* Whether walks for other colours would be the same as those that are known. */
static gboolean
has_ways_for (const GpuPaletteChanges * changes, const GpuPaletteRun * run)
{
  return changes->has_ways && shares_ways (run)
      && changes->revision == run->revision && changes->shift == run->shift
      && changes->radius_squared == run->radius_squared
      && changes->table_bits >= run->table_bits;
}

/* Whether compare.comp marked whatever changed. */
static gboolean
is_all_marked (const GpuPaletteChanges * changes, const GpuPaletteRun * run)
{
  return changes->is_compared && changes->n <= 2 * (guint64) run->n
      && run->control[CONTROL_CHANGED_COLOURS] <= MOST_CHANGED (run->n);
}

void
gpu_palette_changes_read (GpuPaletteChanges * changes, GpuPaletteRun * run)
{
  guint added = changes->is_compared ? run->control[CONTROL_ADDED] : run->n;
  guint before = changes->is_compared ? changes->n : 0;

  changes->has_marks = TRUE;
  run->report->added = added;
  run->report->removed = before + added - run->n;
  run->keeps_ways = has_ways_for (changes, run) && is_all_marked (changes, run);
  if (run->keeps_ways)
    run->table_bits = changes->table_bits;
  /* Until walks are done nobody knows. */
  changes->n = 0;
  changes->has_ways = FALSE;
}

gboolean
gpu_palette_changes_invalidate (GpuPaletteChanges * changes,
    GpuPaletteRun * run, GpuBuffer * next, GpuBuffer * marks, GError ** error)
{
  GpuBuffer *buffers[] = { run->work->visited, next, marks };
  guint32 push[] = { 0, 0, run->table_bits, cell_shift_of (run) };

  if (!run->keeps_ways)
    return TRUE;
  gpu_stream_stage (run->stream, "palette-invalidate");
  gpu_stream_barrier (run->stream);
  return gpu_palette_run_sliced (run, changes->invalidate, buffers,
      G_N_ELEMENTS (buffers), push, sizeof push, 1u << run->table_bits,
      INVALIDATE_NS, error);
}

void
gpu_palette_changes_keep (GpuPaletteChanges * changes, GpuPaletteRun * run)
{
  gpu_stream_stage (run->stream, "palette-keep");
  gpu_stream_copy (run->stream, run->work->list, 0, changes->list, 0,
      run->n * (gsize) 4);
  gpu_stream_copy (run->stream, run->work->weights, 0, changes->weights, 0,
      run->n * (gsize) 4);
}

static gboolean
is_full (const GpuPaletteRun * run)
{
  return run->keeps_ways && run->control[CONTROL_LOST] > run->n / LEAST_SHARING;
}

void
gpu_palette_changes_kept (GpuPaletteChanges * changes,
    const GpuPaletteRun * run)
{
  changes->n = run->n;
  changes->has_ways = shares_ways (run) && !is_full (run);
  changes->revision = run->revision;
  changes->shift = run->shift;
  changes->radius_squared = run->radius_squared;
  changes->table_bits = run->table_bits;
}
