// SPDX-License-Identifier: LGPL-2.1-or-later
// Shown colour of a mode, and its position. Include after temporal.glsl.
layout (std430, binding = 5) readonly buffer Tables { uint tables[]; };
#include "palette/oklab.glsl"

// Converts a lattice coordinate to eighths of bins, from the origin of the grid.
uint eighths_along (int x, uint axis)
{
  return (uint (x) + bin_grid.bias[axis] - bin_grid.pitch / 2) * 8 / bin_grid.pitch;
}

// Sets the shown colour of a mode, which is its colour rounded, and its position.
// Returns the number of its bin at level 0.
uint show_mode (uint slot)
{
  TemporalMode mode = modes[slot];
  uint shown = (mode.red + 128 >> 8) << 16 | (mode.green + 128 >> 8) << 8
      | mode.blue + 128 >> 8;
  ivec3 point = point_of_colour (shown, bin_grid.shift);

  modes[slot].shown = shown;
  for (uint axis = 0; axis < 3; axis++)
    modes[slot].place[axis] = eighths_along (point[axis], axis);
  return number_of_bin (bin_of_point (point), 0);
}
