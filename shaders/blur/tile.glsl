// SPDX-License-Identifier: LGPL-2.1-or-later
// A tile of the source in shared memory: a workgroup fetches each pixel once for all its sums.
#include "held.glsl"

layout (constant_id = BLUR_ROW_SUMS) const uint ROW_SUMS = BLUR_ROW_SUMS_OF_SOURCE;

struct Tile
{
  int left, top;                // may lie beyond the plane's edges
  uint width, rows;
  uint first;                   // index in held[]
};

Table tile_table (Tile tile)
{
  return Table (tile.first, tile.width * tile.rows);
}

// All threads of the group must call this, and then barrier().
void fetch_tile (Tile tile)
{
  for (uint row = gl_LocalInvocationID.y; row < tile.rows; row += GROUP_Y)
    for (uint column = gl_LocalInvocationID.x; column < tile.width;
        column += GROUP_X)
      table_store (tile_table (tile), row * tile.width + column,
          fetch (tile.left + int (column), tile.top + int (row)));
}

// Returns the weighted sum of columns @left…@left + 2 radius_x of a row of the tile.
Sample sum_tile_row (Tile tile, uint left, uint row)
{
  uint at = row * tile.width + left;
  Sample sum = Sample (0);

  for (uint i = 0; i <= 2 * radius_x; i++)
    sum += weighted (table_load (tile_table (tile), at + i),
        weights_x + abs (int (i) - int (radius_x)));
  return sum;
}
