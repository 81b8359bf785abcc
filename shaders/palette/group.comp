// SPDX-License-Identifier: LGPL-2.1-or-later
// Cells into groups of walkers, each a workgroup's work; leaves the table of
// cells empty.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "palette/shared.h"

layout (local_size_x = 256) in;
layout (std430, binding = 0) buffer Control { uint control[]; };
layout (std430, binding = 1) buffer Keys { uint keys[]; };
layout (std430, binding = 2) buffer Counts { uint counts[]; };
layout (std430, binding = 3) writeonly buffer Offsets { uint offsets[]; };
// Cell and number of walkers, place of the first one in order.
layout (std430, binding = 4) writeonly buffer Groups { uvec2 groups[]; };
layout (push_constant) uniform Push
{
  uint few;                     // so few walkers get a group each
  uint most_walkers;            // of a group
};

void
main ()
{
  uint slot = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256
      + gl_LocalInvocationID.x;
  bool exists = slot <= control[CONTROL_ROUND_MASK];
  uint most = control[CONTROL_ROUND_WALKERS] <= few ? 1
      : most_walkers;
  uint count = exists ? counts[slot] : 0;
  uint n_groups = (count + most - 1) / most;
  uint offset = subgroupExclusiveAdd (count);
  uint group = subgroupExclusiveAdd (n_groups);
  uint all = subgroupAdd (count), all_groups = subgroupAdd (n_groups);
  uint first = 0, first_group = 0;

  if (all == 0)
    return;
  if (subgroupElect ()) {
    first = atomicAdd (control[CONTROL_ORDERED], all);
    first_group = atomicAdd (control[CONTROL_GROUPS], all_groups);
  }
  offset += subgroupBroadcastFirst (first);
  group += subgroupBroadcastFirst (first_group);
  if (count == 0)
    return;
  offsets[slot] = offset;
  for (uint i = 0; i < n_groups; i++)
    groups[group + i] = uvec2 (keys[slot] - 1
        | (min (count - i * most, most) - 1) << 24, offset + i * most);
  keys[slot] = 0;
  counts[slot] = 0;
}
