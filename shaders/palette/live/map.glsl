// SPDX-License-Identifier: LGPL-2.1-or-later
// The map from colours to colours, by the cell of a colour. Include after
// pixels.glsl.
#define GRID 2
#include "palette/live/cells.glsl"

layout (std430, binding = 5) readonly buffer Colours { uint colours[]; };
layout (std430, binding = 6) readonly buffer Cells { uint cells[]; };
layout (std430, binding = 7) readonly buffer Results { uint results[]; };

// What becomes of the pixel; those that are not counted stay as they are.
uint
result_at (uint x, uint y)
{
  uint at = index_of_pixel (x, y), cell = cells[at], level = grid_level ();

  if ((cell & PIXEL_STAYS) != 0)
    return colours[at] & 0xffffff;
  cell &= CELL_NUMBER;
  uint result = results[place_of_cell (cell_at_level (cell, level),
          grid.first_word[level])];

  return result == COLOURS_STAY ? colours[at] & 0xffffff : result;
}
