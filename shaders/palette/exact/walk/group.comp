// SPDX-License-Identifier: LGPL-2.1-or-later
// Forms groups of walkers, each for one workgroup: of the walkers of a cell, or of all
// cells of a block, in the order of cells.
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "palette/exact/shared.h"
#include "palette/exact/walk/cubes.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) buffer Control { uint control[]; };
layout (std430, binding = 1) readonly buffer CellWalkers { uint cell_walkers[]; };
layout (std430, binding = 2) buffer Firsts { uint firsts[]; };
layout (std430, binding = 3) writeonly buffer Groups { uvec2 groups[]; };
layout (push_constant) uniform Push
{
  GridCells grid;
  uint n_blocks;
  uint cells_together;          // cells whose walkers share groups: 1 or BLOCK_CELLS
  uint few;                     // up to this many walkers in a round are a group each
  uint most_walkers;            // most walkers in a group
};

// Returns the number of walkers of cells_together cells from this place on.
uint count_walkers (uint place)
{
  uint n = 0;

  for (uint i = 0; i < cells_together; i++)
    n += cell_walkers[place + i];
  return n;
}

void put_groups (uint place, uint count, uint most, uint offset,
    inout uint group)
{
  uint cell = cell_index (cell_in_blocks (place, grid), grid);

  for (uint i = 0; i < count; i += most)
    groups[group++] = uvec2 (cell | (min (count - i, most) - 1) << 24, offset + i);
}

void main ()
{
  uint block = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256
      + gl_LocalInvocationID.x;
  uint place = block * BLOCK_CELLS;
  // Most blocks are empty; one word tells whether one is, instead of a word for each cell.
  bool is_empty = block >= n_blocks || firsts[block] == 0;
  uint end = is_empty ? place : place + BLOCK_CELLS;
  uint most = control[CONTROL_ROUND_WALKERS] <= few ? 1 : most_walkers;
  uint count = 0, n_groups = 0;

  for (uint at = place; at < end; at += cells_together) {
    uint n = count_walkers (at);

    count += n;
    n_groups += (n + most - 1) / most;
  }
  if (subgroupBallot (count != 0) == uvec4 (0))
    return;
  uint offset = subgroupExclusiveAdd (count);
  uint group = subgroupExclusiveAdd (n_groups);
  uint all = subgroupAdd (count), all_groups = subgroupAdd (n_groups);
  uint first = 0, first_group = 0;

  if (subgroupElect ()) {
    first = atomicAdd (control[CONTROL_ORDERED], all);
    first_group = atomicAdd (control[CONTROL_GROUPS], all_groups);
  }
  offset += subgroupBroadcastFirst (first);
  group += subgroupBroadcastFirst (first_group);
  if (count == 0)
    return;
  firsts[block] = offset;
  for (uint at = place; at < end; at += cells_together) {
    uint n = count_walkers (at);

    put_groups (at, n, most, offset, group);
    offset += n;
  }
}
