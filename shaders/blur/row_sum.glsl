// SPDX-License-Identifier: LGPL-2.1-or-later
// Computes the row sums that are stored in the ring, from what ROW_SUMS says. If that is a
// tile, the group first fetches the source into shared memory.
#include "middle_row.glsl"
#include "row_ring.glsl"
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
