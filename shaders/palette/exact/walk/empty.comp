// SPDX-License-Identifier: LGPL-2.1-or-later
// Clears the counts of the cells with walkers of the round, and the words of their
// blocks, for the next round.
#include "palette/exact/shared.h"
#include "palette/exact/walk/walk.h"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Control { uint control[]; };
layout (std430, binding = 1) readonly buffer WalkerPlaces { uvec2 walker_places[]; };
layout (std430, binding = 2) writeonly buffer CellWalkers { uint cell_walkers[]; };
layout (std430, binding = 3) writeonly buffer Firsts { uint firsts[]; };

void main ()
{
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256
      + gl_LocalInvocationID.x;

  if (i >= control[CONTROL_ROUND_WALKERS])
    return;
  uint place = walker_places[i].x;

  cell_walkers[place] = 0;
  firsts[place / BLOCK_CELLS] = 0;
}
