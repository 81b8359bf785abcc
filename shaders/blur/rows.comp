// SPDX-License-Identifier: LGPL-2.1-or-later
// First pass of the separable blur: sums along rows, which are stored in middle[]. They are
// read from memory, or from a tile in shared memory.
#include "plane.glsl"
#include "tile.glsl"

void main ()
{
  uvec2 lane = gl_LocalInvocationID.xy;
  uint x = strip + gl_GlobalInvocationID.x;
  uint y = first_row + gl_GlobalInvocationID.y;
  Tile tile = Tile (int (x - lane.x) - int (radius_x), int (y - lane.y),
      GROUP_X + 2 * radius_x, GROUP_Y, 0);

  if (ROW_SUMS == BLUR_ROW_SUMS_OF_TILE) {
    fetch_tile (tile);
    barrier ();
  }
  if (gl_GlobalInvocationID.x >= strip_width || gl_GlobalInvocationID.y >= rows)
    return;
  if (ROW_SUMS == BLUR_ROW_SUMS_OF_TILE)
    store_middle (x, y, sum_tile_row (tile, lane.x, lane.y));
  else
    store_middle (x, y, sum_row (int (x), int (y)));
}
