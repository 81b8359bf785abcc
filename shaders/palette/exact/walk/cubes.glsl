// SPDX-License-Identifier: LGPL-2.1-or-later
// Cells with equal sides, in blocks of 2 × 2 × 2. The cells of a block are in the order
// of a Gray code, so that successive ones are neighbours. The place of a cell is
// BLOCK_CELLS times the number of its block, plus its position in that order.
#include "palette/exact/grid.glsl"
#include "palette/exact/walk/walk.h"

uint long_shift (GridCells grid)
{
  return grid.shift - grid.shift_l;
}

uvec3 count_blocks (GridCells grid)
{
  uint n_l = (grid.n_l - 1 >> long_shift (grid)) + 1;

  return (uvec3 (n_l, grid.n_a, grid.n_b) + 1) / 2;
}

uint place_in_blocks (uvec3 cell, GridCells grid)
{
  uvec3 n = count_blocks (grid), block = cell >> 1, side = cell & 1;
  uint yz = side.y ^ side.z;

  return ((block.y * n.z + block.z) * n.x + block.x) * BLOCK_CELLS
      + (side.x << 2 | (side.x ^ side.y) << 1 | side.x ^ yz);
}

uvec3 cell_in_blocks (uint place, GridCells grid)
{
  uvec3 n = count_blocks (grid);
  uint block = place / BLOCK_CELLS, column = block / n.x;
  uint gray = place ^ (place % BLOCK_CELLS) >> 1;

  return uvec3 (block % n.x, column / n.z, column % n.z) * 2
      + (uvec3 (gray) >> uvec3 (2, 1, 0) & 1);
}
