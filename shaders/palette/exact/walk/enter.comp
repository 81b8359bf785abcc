// SPDX-License-Identifier: LGPL-2.1-or-later
// Counts the walkers of each cell, assigns each walker an index in its cell, and marks
// the blocks of these cells.
#include "palette/exact/shared.h"
#include "palette/exact/walk/cubes.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Control { uint control[]; };
layout (std430, binding = 1) readonly buffer ActiveWalkers { uint active_walkers[]; };
layout (std430, binding = 2) readonly buffer Walkers { uvec2 walkers[]; };
layout (std430, binding = 3) buffer CellWalkers { uint cell_walkers[]; };
layout (std430, binding = 4) writeonly buffer WalkerPlaces { uvec2 walker_places[]; };
layout (std430, binding = 5) buffer Firsts { uint firsts[]; };
layout (push_constant) uniform Push { GridCells grid; };

void main ()
{
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256
      + gl_LocalInvocationID.x;

  if (i >= control[CONTROL_ROUND_WALKERS])
    return;
  uint walker = active_walkers[control[CONTROL_ROUND_FIRST] + i];
  uvec3 cell = cell_of (walkers[walker], grid);

  cell.x >>= long_shift (grid);
  uint place = place_in_blocks (cell, grid);

  uint before = atomicAdd (cell_walkers[place], 1);

  walker_places[i] = uvec2 (place, before);
  // The first walker of a cell marks the block.
  if (before == 0)
    atomicOr (firsts[place / BLOCK_CELLS], HAS_WALKERS);
}
