// SPDX-License-Identifier: LGPL-2.1-or-later
// Puts walkers in the order of their cells, and sizes the dispatch that moves them.
#include "palette/exact/walk/cubes.glsl"
#include "palette/exact/walk/control.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 1) readonly buffer ActiveWalkers { uint active_walkers[]; };
layout (std430, binding = 2) readonly buffer WalkerPlaces { uvec2 walker_places[]; };
layout (std430, binding = 3) readonly buffer CellWalkers { uint cell_walkers[]; };
layout (std430, binding = 4) readonly buffer Firsts { uint firsts[]; };
layout (std430, binding = 5) writeonly buffer InOrder { uint in_order[]; };

layout (push_constant) uniform Push { uint max_groups; };   // most groups in a dispatch

// Returns the index of a walker in the order: after the walkers of earlier cells of its block.
uint place_in_order (uvec2 place)
{
  uint block = place.x / BLOCK_CELLS;
  uint at = firsts[block] + place.y;

  for (uint i = block * BLOCK_CELLS; i < place.x; i++)
    at += cell_walkers[i];
  return at;
}

void main ()
{
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256
      + gl_LocalInvocationID.x;

  if (i == 0)
    take_groups (max_groups);
  if (i < control[CONTROL_ROUND_WALKERS])
    in_order[place_in_order (walker_places[i])] =
        active_walkers[control[CONTROL_ROUND_FIRST] + i];
}
