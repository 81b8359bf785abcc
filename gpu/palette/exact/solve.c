/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "solve.h"

#include <string.h>

void
gpu_palette_solve_over_colours (GpuPaletteSolve * solve,
    const GpuDispatch * dispatch, gboolean always)
{
  GpuSlicerItems colours = solve->colours;
  const GpuSlicerGroups groups = {
    solve->buffers->blocks, always ? GPU_PALETTE_BLOCKS_AT (colour_groups)
        : GPU_PALETTE_BLOCKS_AT (dispatches.convert_groups)
  };

  colours.bound = solve->buffers->room;
  gpu_slicer_run_indirect (&solve->context->slicer, dispatch, &colours, groups);
}

void
gpu_palette_solve_tell_progress (const GpuPaletteSolve * solve)
{
  const GpuPaletteListener *listener = &solve->context->listener;

  if (listener->progress && solve->n_left > 0)
    listener->progress (solve->n - solve->n_left, solve->n, listener->data);
}

gboolean
gpu_palette_solve_read_control (GpuPaletteSolve * solve, GError ** error)
{
  GpuPaletteExactBuffers *buffers = solve->buffers;

  gpu_stream_copy (solve->context->slicer.stream, buffers->control, 0,
      buffers->readback, 0, sizeof solve->control);
  if (!gpu_stream_go_on (solve->context->slicer.stream, error)
      || !gpu_buffer_invalidate (buffers->readback, error))
    return FALSE;
  memcpy (solve->control, gpu_buffer_get_data (buffers->readback),
      sizeof solve->control);
  gpu_palette_solve_tell_progress (solve);
  return TRUE;
}

guint64
gpu_palette_solve_get_wide (const GpuPaletteSolve * solve, guint word)
{
  return solve->control[word] | (guint64) solve->control[word + 1] << 32;
}
