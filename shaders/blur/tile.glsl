// SPDX-License-Identifier: LGPL-2.1-or-later
// A tile of the source in shared memory: what the sums of a workgroup have in
// common is fetched once.
#include "held.glsl"

struct Tile
{
  int left, top;                // may lie beyond the plane's edges
  uint width, rows;
  uint first;                   // word of held[]
};

Table
tile_table (Tile tile)
{
  return Table (tile.first, tile.width * tile.rows);
}

// By all lanes of the group. A barrier has to follow.
void
fetch_tile (Tile tile)
{
  for (uint row = gl_LocalInvocationID.y; row < tile.rows; row += GROUP_Y)
    for (uint column = gl_LocalInvocationID.x; column < tile.width;
        column += GROUP_X)
      table_store (tile_table (tile), row * tile.width + column,
          fetch (tile.left + int (column), tile.top + int (row)));
}

// The sum along a row, of columns left to left + 2 radius_x of the tile.
Sample
sum_tile_row (Tile tile, uint left, uint row)
{
  uint at = row * tile.width + left;
  Sample sum = Sample (0);

  for (uint i = 0; i <= 2 * radius_x; i++)
    sum += weighted (table_load (tile_table (tile), at + i),
        weights_x + abs (int (i) - int (radius_x)));
  return sum;
}
