// SPDX-License-Identifier: LGPL-2.1-or-later
// The density at every occupied cell.
#version 450
#extension GL_GOOGLE_include_directive : require
#define GRID 0
#include "palette/cells.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 3) readonly buffer List { uint list[]; };
layout (std430, binding = 4) readonly buffer Sums { CellSums sums[]; };
layout (std430, binding = 5) writeonly buffer Densities { uint densities[]; };
layout (push_constant) uniform Push
{
  uint first, end;
};

// 5 less the squared distance, in cells, is what a colour adds to a density.
const int KERNEL = 5;

// Of a column along L, this far away: how far it reaches on either side.
int
half_of_column (int squared)
{
  return squared == 0 ? 2 : squared < 4 ? 1 : squared == 4 ? 0 : -1;
}

uint
density_of_run (Run run, int reach, int squared)
{
  uint density = 0;

  for (int i = -reach; i <= reach; i++) {
    if ((run.bits & 1) != 0)
      density += uint (KERNEL - squared - i * i) * sums[run.place++].n;
    run.bits >>= 1;
  }
  return density;
}

void
main ()
{
  uint i = first + gl_GlobalInvocationID.x, level = grid_level ();
  uint first_word = grid.first_word[level];
  int n_l = int (grid.sides[0] >> level), n_b = int (grid.sides[1] >> level);
  uint density = 0;

  if (i >= min (end, grid.occupied[level]))
    return;
  int cell = int (list[i]);

  for (int a = -2; a <= 2; a++)
    for (int b = -2; b <= 2; b++) {
      int squared = a * a + b * b, reach = half_of_column (squared);

      if (reach >= 0)
        density += density_of_run (run_of_cells (
                uint (cell + (a * n_b + b) * n_l - reach),
                uint (2 * reach + 1), first_word), reach, squared);
    }
  densities[i] = density;
}
