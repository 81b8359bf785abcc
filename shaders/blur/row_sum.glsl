// SPDX-License-Identifier: LGPL-2.1-or-later
// Computes the row sums that are stored in the ring, from what ROW_SUMS says. If that is a
// tile, the group first fetches the source into shared memory.
#include "middle_row.glsl"
#include "held.glsl"

// --- the ring ---

// A ring in shared memory with the row sums of a workgroup's columns: as many rows as
// GROUP_Y rows of outputs need. Sums down columns read it.
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

// --- row sums ---

#include "tile.glsl"

Tile cached;

// Fetches @n rows from row @y on into the tile, if there is one. All threads of the group
// must call this before the sums of these rows.
void cache_rows (int y, uint n)
{
  if (ROW_SUMS == BLUR_ROW_SUMS_OF_TILE) {
    uint left = (first_unit + gl_WorkGroupID.x * GROUP_X) * PIXELS;

    cached = Tile (int (left) - int (radius_x), y, RING_WIDTH + 2 * radius_x, n,
        ring ().samples * WORDS);
    barrier ();                 // until no thread reads the rows cached before
    fetch_tile (cached);
    barrier ();
  }
}

Sample row_sum (uint x, int y)
{
  if (ROW_SUMS == BLUR_ROW_SUMS_OF_MIDDLE)
    return middle_row (x, y);
  if (ROW_SUMS == BLUR_ROW_SUMS_OF_TILE)
    return sum_tile_row (cached, uint (int (x) - int (radius_x) - cached.left),
        uint (y - cached.top));

  int inside = edge_index (y, int (height));
  return inside < 0 ? black_row () : sum_row (int (min (x, width - 1)), inside);
}

void fill_ring_row (uint ring_row, uint unit, int y)
{
  for (uint p = 0; p < PIXELS; p++)
    table_store (ring (), ring_at (ring_row, p), row_sum (unit * PIXELS + p, y));
}
