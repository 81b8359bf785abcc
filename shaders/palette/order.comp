// SPDX-License-Identifier: LGPL-2.1-or-later
// Walkers in the order of their cells; sizes the dispatch that moves them.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/control.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) buffer Control { uint control[]; };
layout (std430, binding = 1) readonly buffer List { uint list[]; };
layout (std430, binding = 2) readonly buffer Places { uvec2 places[]; };
layout (std430, binding = 3) readonly buffer Offsets { uint offsets[]; };
layout (std430, binding = 4) writeonly buffer Order { uint order[]; };

layout (push_constant) uniform Push
{
  uint max_groups;              // of a dispatch
};

DEFINE_SET_GROUPS

void
main ()
{
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256
      + gl_LocalInvocationID.x;

  if (i == 0)
    take_groups (max_groups);
  if (i < control[CONTROL_ROUND_WALKERS])
    order[offsets[places[i].x] + places[i].y] =
        list[control[CONTROL_ROUND_FIRST] + i];
}
