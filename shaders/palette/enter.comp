// SPDX-License-Identifier: LGPL-2.1-or-later
// Walkers into cells: a hash table of the cells that hold any, with counts.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/shared.h"
#include "palette/grid.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) buffer Control { uint control[]; };
layout (std430, binding = 1) readonly buffer List { uint list[]; };
layout (std430, binding = 2) readonly buffer Walkers { uvec2 walkers[]; };
layout (std430, binding = 3) buffer Keys { uint keys[]; };
layout (std430, binding = 4) buffer Counts { uint counts[]; };
layout (std430, binding = 5) writeonly buffer Places { uvec2 places[]; };
layout (push_constant) uniform Push
{
  Grid grid;
};

void
main ()
{
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256
      + gl_LocalInvocationID.x;

  if (i >= control[CONTROL_ROUND_WALKERS])
    return;
  uint mask = control[CONTROL_ROUND_MASK];
  uint walker = list[control[CONTROL_ROUND_FIRST] + i];
  uvec3 cell = cell_of (walkers[walker], grid);
  // As long as it is wide.
  uint long_cell = cell.x >> (grid.shift - grid.shift_l);
  uint key = cell_index (uvec3 (long_cell, cell.yz), grid) + 1;
  uint slot = (key * 0x9e3779b1u) >> 7 & mask;

  // The table has half as many slots again as there are walkers, or more.
  for (;;) {
    uint there = atomicCompSwap (keys[slot], 0, key);

    if (there == 0 || there == key)
      break;
    slot = (slot + 1) & mask;
  }
  places[i] = uvec2 (slot, atomicAdd (counts[slot], 1));
}
