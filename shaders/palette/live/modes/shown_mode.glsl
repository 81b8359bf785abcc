// SPDX-License-Identifier: LGPL-2.1-or-later
// Shown colour of a mode, and its position. Include after temporal.glsl.
layout (std430, binding = 5) readonly buffer Tables { uint tables[]; };
#include "palette/oklab.glsl"

// Converts a lattice coordinate to eighths of bins, from the origin of the grid.
uint eighths_along (int x, uint axis)
{
  return (uint (x) + bin_grid.bias[axis] - bin_grid.pitch / 2) * 8 / bin_grid.pitch;
}

// Returns the position of a lattice point, as that of a mode.
ivec3 place_of_point (ivec3 point)
{
  return ivec3 (eighths_along (point.x, 0), eighths_along (point.y, 1),
      eighths_along (point.z, 2));
}

// Sets the shown colour of a mode, which is its colour rounded, and its position.
// Returns the number of its bin at level 0.
uint show_mode (uint slot)
{
  TemporalMode mode = modes[slot];
  uint shown = (mode.red + 128 >> 8) << 16 | (mode.green + 128 >> 8) << 8
      | mode.blue + 128 >> 8;
  ivec3 point = point_of_colour (shown, bin_grid.shift), place = place_of_point (point);

  modes[slot].shown = shown;
  for (uint axis = 0; axis < 3; axis++)
    modes[slot].place[axis] = uint (place[axis]);
  return number_of_bin (bin_of_point (point), 0);
}
