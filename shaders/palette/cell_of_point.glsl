// SPDX-License-Identifier: LGPL-2.1-or-later
// From a colour to its cell. Include after lattice.glsl, cells.glsl and a buffer
// of words, tables.

ivec3
point_of_colour (uint colour)
{
  return light_to_lattice (uvec3 (tables[colour >> 16 & 255],
          tables[colour >> 8 & 255], tables[colour & 255]), grid.shift);
}

// x / pitch. The estimate is one off at most.
uint
cell_along (uint x, uint pitch)
{
  uint cell = uint (float (x) / float (pitch));

  if (cell * pitch > x)
    cell--;
  else if (x - cell * pitch >= pitch)
    cell++;
  return cell;
}

// At level 0.
uint
cell_of_point (ivec3 lab)
{
  uint pitch = grid.pitch;

  return (cell_along (uint (lab.y) + grid.bias[1], pitch) * grid.sides[1]
      + cell_along (uint (lab.z) + grid.bias[2], pitch)) * grid.sides[0]
      + cell_along (uint (lab.x) + grid.bias[0], pitch);
}
