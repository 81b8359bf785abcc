/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pieces.h"

gboolean
gpu_pieces_next (GpuPieces * pieces, GpuStream * stream)
{
  guint64 left = pieces->n - pieces->end, items, units;

  if (left == 0) {
    if (pieces->n > 0 && !pieces->is_in_place)
      gpu_stream_end_disjoint (stream);
    return FALSE;
  }
  if (pieces->end == 0 && !pieces->is_in_place)
    gpu_stream_begin_disjoint (stream);
  units = gpu_stream_get_dispatch_units (stream, pieces->work);
  items = CLAMP (units / pieces->units / pieces->step, 1, pieces->most)
      * pieces->step;
  items = MIN (items, left);
  gpu_stream_pace (stream, pieces->work, items * pieces->units);
  if (!gpu_stream_check (stream, NULL))
    return FALSE;
  pieces->first = pieces->end;
  pieces->end += items;
  return TRUE;
}
