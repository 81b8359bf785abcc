// SPDX-License-Identifier: LGPL-2.1-or-later
// The row sums that go into the ring: those of the first pass, or, with INLINE,
// made here out of the source. With CACHED the group fetches that first.
#include "middle_row.glsl"
#include "row_ring.glsl"

#ifdef CACHED

#include "tile.glsl"

Tile cached;

// Before the sums of n rows from y on, by all lanes of the group.
void
cache_rows (int y, uint n)
{
  uint left = (first_unit + gl_WorkGroupID.x * GROUP_X) * PIXELS;

  cached = Tile (int (left) - int (radius_x), y, RING_WIDTH + 2 * radius_x, n,
      ring ().samples * WORDS);
  barrier ();                   // nobody sums what was cached before any more
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
