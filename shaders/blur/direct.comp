// SPDX-License-Identifier: LGPL-2.1-or-later
// N × N taps for each pixel, read from memory, or from a tile in shared memory.
#include "plane.glsl"
#include "tile.glsl"

void main ()
{
  uvec2 lane = gl_LocalInvocationID.xy;
  uint unit = first_unit + gl_GlobalInvocationID.x;
  uint y = first_row + gl_GlobalInvocationID.y;
  Tile tile = Tile (int ((unit - lane.x) * PIXELS) - int (radius_x),
      int (y - lane.y) - int (radius_y), GROUP_X * PIXELS + 2 * radius_x,
      GROUP_Y + 2 * radius_y, 0);
  int radius = int (radius_y);
  Sample samples[PIXELS];

  if (ROW_SUMS == BLUR_ROW_SUMS_OF_TILE) {
    fetch_tile (tile);
    barrier ();
  }
  if (gl_GlobalInvocationID.x >= units || gl_GlobalInvocationID.y >= rows)
    return;
  for (uint p = 0; p < PIXELS; p++) {
    Total total = empty_total ();

    for (int i = -radius; i <= radius; i++)
      if (ROW_SUMS == BLUR_ROW_SUMS_OF_TILE)
        add_row (total, sum_tile_row (tile, lane.x * PIXELS + p,
                uint (int (lane.y) + radius + i)), weights_y + abs (i));
      else
        add_row (total, sum_row (int (unit * PIXELS + p), int (y) + i),
            weights_y + abs (i));
    samples[p] = finish (total);
  }
  store_unit (unit, y, samples);
}
