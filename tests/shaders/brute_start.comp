// SPDX-License-Identifier: LGPL-2.1-or-later
// Puts a walker on every point and lists all of them.
#version 450

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Points { uvec2 points[]; };
layout (std430, binding = 1) writeonly buffer Walkers { uvec2 walkers[]; };
layout (std430, binding = 2) writeonly buffer Active { uint active_list[]; };
layout (push_constant) uniform Push
{
  uint first, end;
};

void
main ()
{
  uint i = first + gl_GlobalInvocationID.x;

  if (i >= end)
    return;
  walkers[i] = points[i];
  active_list[i] = i;
}
