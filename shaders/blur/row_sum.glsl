// SPDX-License-Identifier: LGPL-2.1-or-later
// Computes the row sums that are stored in the ring. They are those of the first pass or,
// with INLINE, are summed from the source. With CACHED, the group first fetches the source
// into shared memory.
#include "middle_row.glsl"
#include "row_ring.glsl"

#ifdef CACHED

#include "tile.glsl"

Tile cached;

// Fetches @n rows from row @y on. All threads of the group must call this before the sums
// of these rows.
void
cache_rows (int y, uint n)
{
  uint left = (first_unit + gl_WorkGroupID.x * GROUP_X) * PIXELS;

  cached = Tile (int (left) - int (radius_x), y, RING_WIDTH + 2 * radius_x, n,
      ring ().samples * WORDS);
  barrier ();                   // until no thread reads the rows cached before
  fetch_tile (cached);
  barrier ();
}

Sample
row_sum (uint x, int y)
{
  return sum_tile_row (cached, uint (int (x) - int (radius_x) - cached.left),
      uint (y - cached.top));
}

#else

void
cache_rows (int y, uint n)
{
}

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

#endif

void
fill_ring_row (uint ring_row, uint unit, int y)
{
  for (uint p = 0; p < PIXELS; p++)
    table_store (ring (), ring_at (ring_row, p), row_sum (unit * PIXELS + p, y));
}
