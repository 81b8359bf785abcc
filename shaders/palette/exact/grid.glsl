// SPDX-License-Identifier: LGPL-2.1-or-later
// Lattice points in two words, and a grid of cells over the lattice.
#include "palette/exact/shared.h"

// The cells of a column, which lie along L, are successive in memory.
struct GridCells
{
  uint shift;                   // log2 of a cell's side along a and b, in lattice units
  uint shift_l;                 // the same along L; no more than shift
  uint n_l, n_a, n_b;           // number of cells along each axis
  uint first_l, first_a, first_b;       // coordinates of the corner of the first cell
};

// A lattice point in two words: biased a in the low half and biased b in the high half of the
// first, L in the second.
uvec2 pack_point (ivec3 lab)
{
  return uvec2 (uint (lab.y + POINT_BIAS) | uint (lab.z + POINT_BIAS) << 16, uint (lab.x));
}

ivec3 unpack_point (uvec2 point)
{
  return ivec3 (int (point.y), int (point.x & 0xffff) - POINT_BIAS,
      int (point.x >> 16) - POINT_BIAS);
}

// Coordinates are L and the biased a and b. These functions convert from a point of two
// words, and to one.
uvec3 coordinates_of (uvec2 point)
{
  return uvec3 (point.y, point.x & 0xffff, point.x >> 16);
}

uvec2 point_at (uvec3 coordinates)
{
  return uvec2 (coordinates.y | coordinates.z << 16, coordinates.x);
}

uvec3 corner_of (GridCells grid)
{
  return uvec3 (grid.first_l, grid.first_a, grid.first_b);
}

uvec3 cell_of (uvec2 point, GridCells grid)
{
  return (coordinates_of (point) - corner_of (grid))
      >> uvec3 (grid.shift_l, grid.shift, grid.shift);
}

// Returns the coordinates of the centre of a cell.
uvec3 centre_of (uvec3 cell, GridCells grid)
{
  uvec3 shift = uvec3 (grid.shift_l, grid.shift, grid.shift);

  return (cell << shift) + corner_of (grid) + (uvec3 (1) << shift >> 1);
}

uint cell_index (uvec3 cell, GridCells grid)
{
  return (cell.y * grid.n_b + cell.z) * grid.n_l + cell.x;
}

uvec3 cell_from_index (uint index, GridCells grid)
{
  uint column = index / grid.n_l;

  return uvec3 (index % grid.n_l, column / grid.n_b, column % grid.n_b);
}
