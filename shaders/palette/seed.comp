// SPDX-License-Identifier: LGPL-2.1-or-later
// A walker on every point. One of those on the same point is listed.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "palette/shared.h"
#include "palette/visited.glsl"
#include "palette/ways.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) buffer Control { uint control[]; };
layout (std430, binding = 1) readonly buffer Sorted { uvec2 sorted[]; };
layout (std430, binding = 2) writeonly buffer Walkers { uvec2 walkers[]; };
layout (std430, binding = 3) writeonly buffer Ways { uint ways[]; };
layout (std430, binding = 4) writeonly buffer List { uint list[]; };
layout (std430, binding = 5) buffer Visited { uint visited[]; };
layout (push_constant) uniform Push
{
  uint first, end;
  uint table_bits;
  uint is_sharing;
  uint limit;                   // steps of a walker that shares nothing
};

DEFINE_VISIT (visited)

void
main ()
{
  uint i = first + gl_GlobalInvocationID.x;
  bool is_listed = i < end;

  if (is_listed) {
    uint way = ALONE | limit;

    if (is_sharing != 0) {
      uint slot = visit (sorted[i], table_bits, is_listed);

      if (slot != NO_SLOT)
        way = slot;
      else
        atomicAdd (control[CONTROL_LOST], 1);
    }
    walkers[i] = sorted[i];
    ways[i] = way;
  }

  uvec4 listed = subgroupBallot (is_listed);
  uint at = 0;

  if (subgroupElect ())
    at = atomicAdd (control[CONTROL_ACTIVE], subgroupBallotBitCount (listed));
  at = subgroupBroadcastFirst (at) + subgroupBallotExclusiveBitCount (listed);
  if (is_listed)
    list[at] = i;
}
