// SPDX-License-Identifier: LGPL-2.1-or-later
// First pass of the sliding window: a group slides along its rows. A ring holds the pixels
// that its next GROUP_X sums need, so that each pixel of a row is fetched only once.
#include "plane.glsl"
#include "held.glsl"

uint ring_pixels ()
{
  return 2 * radius_x + GROUP_X;
}

Table rings ()
{
  return Table (0, GROUP_Y * ring_pixels ());
}

// Returns the index of a pixel in the ring of this thread's row.
uint ring_at (uint position)
{
  return gl_LocalInvocationID.y * ring_pixels () + position;
}

void main ()
{
  uint lane = gl_LocalInvocationID.x;
  uint row = gl_WorkGroupID.y * GROUP_Y + gl_LocalInvocationID.y;
  bool live = row < rows;
  // Threads past the last row repeat it, as they must reach every barrier.
  int y = int (first_row + min (row, rows - 1));
  int left = int (strip) - int (radius_x);      // the ring's first pixel

  for (uint i = lane; i < 2 * radius_x; i += GROUP_X)
    table_store (rings (), ring_at (i), fetch (left + int (i), y));
  // The position in the ring of the pixel radius_x to the left of this thread's sum.
  uint start = lane;
  uint fill = 2 * radius_x + lane;
  for (uint base = 0; base < strip_width; base += GROUP_X) {
    uint x = base + lane;
    table_store (rings (), ring_at (fill),
        fetch (left + int (2 * radius_x + x), y));
    barrier ();
    Sample sum = Sample (0);
    uint position = start;
    for (uint i = 0; i <= 2 * radius_x; i++) {
      sum += weighted (table_load (rings (), ring_at (position)),
          weights_x + abs (int (i) - int (radius_x)));
      position = position + 1 == ring_pixels () ? 0 : position + 1;
    }
    if (live && x < strip_width)
      store_middle (strip + x, uint (y), sum);
    start = (start + GROUP_X) % ring_pixels ();
    fill = (fill + GROUP_X) % ring_pixels ();
    barrier ();
  }
}
