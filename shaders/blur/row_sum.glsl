// SPDX-License-Identifier: LGPL-2.1-or-later
// The row sums that go into the ring: those of the first pass, or, with INLINE,
// made here out of the source.
#include "middle_row.glsl"
#include "row_ring.glsl"

Sample
row_sum (uint x, int y)
{
#ifdef INLINE
  int inside = edge_index (y, int (height));
  return inside < 0 ? black_row () : sum_row (int (min (x, width - 1)), inside);
#else
  return middle_row (x, y);
#endif
}

void
fill_ring_row (uint ring_row, uint unit, int y)
{
  for (uint p = 0; p < PIXELS; p++)
    table_store (ring (), ring_at (ring_row, p), row_sum (unit * PIXELS + p, y));
}
