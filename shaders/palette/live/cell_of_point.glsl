// SPDX-License-Identifier: LGPL-2.1-or-later
// From a point of the lattice to its cell. Include after cells.glsl.

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
