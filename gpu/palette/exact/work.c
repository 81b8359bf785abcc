/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "work.h"

#include <string.h>

/* Walks of a photograph visit some 25 points per colour: the set has room for
 * so many, as a power of two. The most is a limit of its words
 * (visited.glsl). */
#define VISITS_PER_COLOUR_LOG2 5
#define MAX_TABLE_BITS 25

/* Frames of a shot differ by less. Room never shrinks, so that a film asks for
 * more some six times while its colours double. */
#define ROOM_FOR(n) ((n) + (n) / 8)

guint
gpu_palette_work_table_bits (guint n_colours)
{
  return CLAMP (g_bit_storage (n_colours - 1) + VISITS_PER_COLOUR_LOG2,
      GPU_PALETTE_MIN_TABLE_BITS, MAX_TABLE_BITS);
}

guint
gpu_palette_work_room_for (const GpuPaletteWork * work, guint n_colours)
{
  return MIN (MAX (ROOM_FOR (n_colours), GPU_PALETTE_LEAST_ROOM),
      work->max_colours);
}

static void
drop_ranked (GpuPaletteWork * work)
{
  g_clear_pointer (&work->list, gpu_buffer_unref);
  g_clear_pointer (&work->weights, gpu_buffer_unref);
  g_clear_pointer (&work->results, gpu_buffer_unref);
  g_clear_pointer (&work->points, gpu_buffer_unref);
}

static gboolean
make_ranked (GpuPaletteWork * work, gsize n, GError ** error)
{
  const GpuPaletteArray arrays[] = {
    {&work->list, n, "palette list"},
    {&work->weights, n, "palette weights"},
    {&work->results, n, "palette results"},
    {&work->points, n * 2, "palette points"},
  };

  work->room = n;
  return gpu_palette_make_arrays (work->device, arrays, G_N_ELEMENTS (arrays),
      NULL, error);
}

/* The old arrays stay until the new ones are there. */
gboolean
gpu_palette_work_grow (GpuPaletteWork * work, guint n_colours, GError ** error)
{
  GpuPaletteWork grown = {.device = work->device };

  if (!make_ranked (&grown, gpu_palette_work_room_for (work, n_colours), error)) {
    drop_ranked (&grown);
    return FALSE;
  }
  drop_ranked (work);
  work->room = grown.room;
  work->list = grown.list;
  work->weights = grown.weights;
  work->results = grown.results;
  work->points = grown.points;
  return TRUE;
}

static gboolean
make_arrays (GpuPaletteWork * work, GError ** error)
{
  const GpuPaletteArray arrays[] = {
    {&work->control, CONTROL_WORDS, "palette control"},
    {&work->blocks, sizeof (struct PaletteBlocks) / 4,
        "palette blocks of colours"},
    {&work->used, (1u << 24) / 32, "palette output colours"},
  };

  return gpu_palette_make_arrays (work->device, arrays, G_N_ELEMENTS (arrays),
      NULL, error)
      && make_ranked (work, gpu_palette_work_room_for (work, 0), error);
}

void
gpu_palette_work_set_pixels (GpuPaletteWork * work, guint n_pixels)
{
  work->max_colours = MIN (n_pixels, 1u << 24);
}

gboolean
gpu_palette_work_init (GpuPaletteWork * work, GpuDevice * device,
    guint n_pixels, GError ** error)
{
  work->device = device;
  gpu_palette_work_set_pixels (work, n_pixels);
  work->readback = gpu_buffer_new (device, GPU_BUFFER_HOST, CONTROL_WORDS * 4,
      "palette readback", error);
  return work->readback && make_arrays (work, error);
}

void
gpu_palette_work_clear (GpuPaletteWork * work)
{
  GpuBuffer **buffers[] = {
    &work->control, &work->readback, &work->blocks, &work->used
  };

  drop_ranked (work);
  for (guint i = 0; i < G_N_ELEMENTS (buffers); i++)
    g_clear_pointer (buffers[i], gpu_buffer_unref);
}

gboolean
gpu_palette_work_take_walkers (GpuPaletteWork * work, guint n_colours,
    guint table_bits, GError ** error)
{
  gsize n = n_colours;
  const GpuPaletteArray arrays[] = {
    {&work->walkers, n * 2, "palette walkers"},
    {&work->active, n, "palette active walkers"},
    {&work->visited, (gsize) 1 << table_bits, "palette visited points"},
  };

  work->capacity = n_colours;
  work->max_table_bits = table_bits;
  return gpu_palette_make_arrays (work->device, arrays, G_N_ELEMENTS (arrays),
      &work->walker_memory, error);
}

void
gpu_palette_work_drop_walkers (GpuPaletteWork * work)
{
  g_clear_pointer (&work->walkers, gpu_buffer_unref);
  g_clear_pointer (&work->active, gpu_buffer_unref);
  g_clear_pointer (&work->visited, gpu_buffer_unref);
  work->walker_memory = 0;
  work->capacity = 0;
}

gboolean
gpu_palette_solve_over_colours (GpuPaletteSolve * solve,
    const GpuDispatch * dispatch, gboolean always, GError ** error)
{
  GpuSlicerItems colours = solve->colours;
  const GpuSlicerGroups groups = {
    solve->work->blocks, always ? GPU_PALETTE_BLOCKS_AT (colour_groups)
        : GPU_PALETTE_BLOCKS_AT (dispatches.convert_groups)
  };

  colours.bound = solve->work->room;
  return gpu_slicer_run_indirect (&solve->context->slicer, dispatch, &colours,
      groups, error);
}

static void
tell_progress (const GpuPaletteSolve * solve)
{
  const GpuPaletteListener *listener = &solve->context->listener;

  if (listener->progress && solve->n_left > 0)
    listener->progress (solve->n - solve->n_left, solve->n, listener->data);
}

gboolean
gpu_palette_solve_read_control (GpuPaletteSolve * solve, GError ** error)
{
  GpuPaletteWork *work = solve->work;

  gpu_stream_barrier (solve->context->slicer.stream);
  gpu_stream_copy (solve->context->slicer.stream, work->control, 0,
      work->readback, 0, sizeof solve->control);
  if (!gpu_stream_go_on (solve->context->slicer.stream, error)
      || !gpu_buffer_invalidate (work->readback, error))
    return FALSE;
  memcpy (solve->control, gpu_buffer_get_data (work->readback),
      sizeof solve->control);
  tell_progress (solve);
  return TRUE;
}

guint64
gpu_palette_solve_get_wide (const GpuPaletteSolve * solve, guint word)
{
  return solve->control[word] | (guint64) solve->control[word + 1] << 32;
}
