// SPDX-License-Identifier: LGPL-2.1-or-later
// A group fills the ring once, with all the rows that its own output needs. With
// INLINE, one dispatch is the whole blur.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "plane.glsl"
#include "row_sum.glsl"

void
main ()
{
  uint lane = gl_LocalInvocationID.y;
  uint index = gl_GlobalInvocationID.x;
  // Lanes past the last unit repeat it: they must reach every barrier.
  uint unit = first_unit + min (index, units - 1);
  uint y = gl_GlobalInvocationID.y;
  // The ring's first row.
  int top = int (first_row + y - lane) - int (radius_y);

  cache_rows (top, ring_rows ());
  for (uint i = lane; i < ring_rows (); i += GROUP_Y)
    fill_ring_row (i, unit, top + int (i));
  barrier ();
  if (index < units && y < rows)
    store_columns (lane, unit, first_row + y);
}
