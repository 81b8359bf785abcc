// SPDX-License-Identifier: LGPL-2.1-or-later
// Row sums of a workgroup's columns in shared memory, in a ring of as many rows
// as GROUP_Y rows of output need; and the sums down columns out of it.
#include "held.glsl"

const uint RING_WIDTH = GROUP_X * PIXELS;       // pixels of a ring row

uint
ring_rows ()
{
  return 2 * radius_y + GROUP_Y;
}

Table
ring ()
{
  return Table (0, ring_rows () * RING_WIDTH);
}

// Neighbouring lanes use neighbouring banks, whatever PIXELS is.
uint
ring_at (uint ring_row, uint pixel)
{
  return ring_row * RING_WIDTH + pixel * GROUP_X + gl_LocalInvocationID.x;
}

Sample
sum_column (uint start, uint pixel)
{
  Total total = empty_total ();
  uint ring_row = start;

  for (uint i = 0; i <= 2 * radius_y; i++) {
    add_row (total, table_load (ring (), ring_at (ring_row, pixel)),
        weights_y + abs (int (i) - int (radius_y)));
    ring_row = ring_row + 1 == ring_rows () ? 0 : ring_row + 1;
  }
  return finish (total);
}

// The outputs of this lane's unit: start is the ring's row radius_y above.
void
store_columns (uint start, uint unit, uint y)
{
  Sample samples[PIXELS];

  for (uint p = 0; p < PIXELS; p++)
    samples[p] = sum_column (start, p);
  store_unit (unit, y, samples);
}
