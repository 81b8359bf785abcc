// SPDX-License-Identifier: LGPL-2.1-or-later
// Sums down columns. A group slides down a section of its columns and replaces the oldest
// rows of the ring at each step.
#include "plane.glsl"
#include "row_sum.glsl"

void main ()
{
  uint lane = gl_LocalInvocationID.y;
  uint index = gl_GlobalInvocationID.x;
  // Threads past the last unit repeat it, as they must reach every barrier.
  uint unit = first_unit + min (index, units - 1);
  uint begin = gl_WorkGroupID.y * section_rows;
  uint end = min (begin + section_rows, rows);
  int top = int (first_row + begin) - int (radius_y);   // the ring's first row

  for (uint i = 0; i < 2 * radius_y; i += GROUP_Y) {
    cache_rows (top + int (i), GROUP_Y);
    if (i + lane < 2 * radius_y)
      fill_ring_row (i + lane, unit, top + int (i + lane));
  }
  // The row of the ring that is radius_y above this thread's output.
  uint start = lane;
  uint fill = 2 * radius_y + lane;
  for (uint base = begin; base < end; base += GROUP_Y) {
    int y = top + int (2 * radius_y + base - begin);

    cache_rows (y, GROUP_Y);
    fill_ring_row (fill, unit, y + int (lane));
    barrier ();
    if (index < units && base + lane < end)
      store_columns (start, unit, first_row + base + lane);
    start = (start + GROUP_Y) % ring_rows ();
    fill = (fill + GROUP_Y) % ring_rows ();
    barrier ();
  }
}
