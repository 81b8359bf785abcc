// SPDX-License-Identifier: LGPL-2.1-or-later
// A ring in shared memory with the row sums of a workgroup's columns: as many rows as
// GROUP_Y rows of outputs need. Sums down columns read it.
#include "held.glsl"

const uint RING_WIDTH = GROUP_X * PIXELS;       // pixels of a ring row

uint ring_rows ()
{
  return 2 * radius_y + GROUP_Y;
}

Table ring ()
{
  return Table (0, ring_rows () * RING_WIDTH);
}

// Adjacent threads use adjacent banks for every value of PIXELS.
uint ring_at (uint ring_row, uint pixel)
{
  return ring_row * RING_WIDTH + pixel * GROUP_X + gl_LocalInvocationID.x;
}

Sample sum_column (uint start, uint pixel)
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

// Stores the outputs of this thread's unit. @start: the row of the ring that is radius_y
// above the outputs.
void store_columns (uint start, uint unit, uint y)
{
  Sample samples[PIXELS];

  for (uint p = 0; p < PIXELS; p++)
    samples[p] = sum_column (start, p);
  store_unit (unit, y, samples);
}
