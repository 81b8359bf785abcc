// SPDX-License-Identifier: LGPL-2.1-or-later
// Makes a walker for every point. If walks share points, it begins at the first point of its way
// whose successor is not known, and only one walker is listed for each such point.
#extension GL_KHR_shader_subgroup_ballot : require
#include "palette/exact/shared.h"
#include "palette/exact/walk/walk.h"
#include "palette/exact/walk/visited.glsl"
#include "palette/exact/walk/successors.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) buffer Control { uint control[]; };
layout (std430, binding = 1) readonly buffer Sorted { uvec2 sorted[]; };
layout (std430, binding = 2) writeonly buffer Walkers { uvec2 walkers[]; };
layout (std430, binding = 3) writeonly buffer WalkerSuccessors { uint walker_successors[]; };
layout (std430, binding = 4) writeonly buffer ActiveWalkers { uint active_walkers[]; };
layout (std430, binding = 5) buffer Visited { uint visited[]; };
layout (std430, binding = 6) buffer Successors { uint successors[]; };
layout (push_constant) uniform Push
{
  uint first, end;
  uint table_bits;
  uint sharing;                 // SHARES_…
  uint limit;                   // most steps of a walker that shares nothing
  uint max_hops;                // most hops along a known way
};

DEFINE_VISIT (visited)
DEFINE_SUCCESSORS (successors)

struct Seed
{
  uvec2 point;
  uint successor;
  bool is_solved;               // its way is not known to its end
  bool is_listed;
};

Seed share_way (uvec2 point)
{
  uint own = visit (point, table_bits);

  if (own == NO_SLOT) {
    atomicAdd (control[CONTROL_LOST], 1);
    return Seed (point, ALONE | limit, true, true);
  }
  bool is_cut;
  uint way = follow_known (own, max_hops, is_cut);

  // Known successors, and their points, were written by earlier dispatches.
  if (way != own)
    point = point_in_slot (way, visited[way], table_bits);
  return Seed (point, way, successors[way] != way, is_cut || claim (way));
}

void main ()
{
  uint i = first + gl_GlobalInvocationID.x;
  Seed walker = Seed (uvec2 (0), 0, false, false);

  if (i < end) {
    walker = sharing != SHARES_NOTHING ? share_way (sorted[i])
        : Seed (sorted[i], ALONE | limit, true, true);
    walkers[i] = walker.point;
    walker_successors[i] = walker.successor;
  }

  uvec4 solved = subgroupBallot (walker.is_solved);
  uvec4 listed = subgroupBallot (walker.is_listed);
  uint at = 0;

  if (subgroupElect ()) {
    atomicAdd (control[CONTROL_SOLVED], subgroupBallotBitCount (solved));
    at = atomicAdd (control[CONTROL_ACTIVE], subgroupBallotBitCount (listed));
  }
  at = subgroupBroadcastFirst (at) + subgroupBallotExclusiveBitCount (listed);
  if (walker.is_listed)
    active_walkers[at] = i;
}
