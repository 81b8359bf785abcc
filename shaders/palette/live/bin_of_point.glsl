// SPDX-License-Identifier: LGPL-2.1-or-later
// Bin of a lattice point. Include after bins.glsl.

// Returns x / pitch. The float estimate is off by one at most.
uint
bin_along (uint x, uint pitch)
{
  uint bin = uint (float (x) / float (pitch));

  if (bin * pitch > x)
    bin--;
  else if (x - bin * pitch >= pitch)
    bin++;
  return bin;
}

// Returns the number of a point's bin at level 0.
uint
bin_of_point (ivec3 lab)
{
  uint pitch = bin_grid.pitch;

  return (bin_along (uint (lab.y) + bin_grid.bias[1], pitch) * bin_grid.sides[1]
      + bin_along (uint (lab.z) + bin_grid.bias[2], pitch)) * bin_grid.sides[0]
      + bin_along (uint (lab.x) + bin_grid.bias[0], pitch);
}
