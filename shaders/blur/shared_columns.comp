// SPDX-License-Identifier: LGPL-2.1-or-later
// Sums down columns. A group fills the ring once, with all rows that its outputs need.
#include "plane.glsl"
#include "row_sum.glsl"

void main ()
{
  uint lane = gl_LocalInvocationID.y;
  uint index = gl_GlobalInvocationID.x;
  // Threads past the last unit repeat it, as they must reach every barrier.
  uint unit = first_unit + min (index, units - 1);
  uint y = gl_GlobalInvocationID.y;
  // The row of the plane in the first row of the ring.
  int top = int (first_row + y - lane) - int (radius_y);

  cache_rows (top, ring_rows ());
  for (uint i = lane; i < ring_rows (); i += GROUP_Y)
    fill_ring_row (i, unit, top + int (i));
  barrier ();
  if (index < units && y < rows)
    store_columns (lane, unit, first_row + y);
}
