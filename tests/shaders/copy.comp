// SPDX-License-Identifier: LGPL-2.1-or-later
// The least that a shader can do with a frame: four words a thread. As many
// groups as frames need are more than devices take along one axis.
layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout (std430, binding = 1) writeonly buffer Target { uvec4 target[]; };
layout (push_constant) uniform Push { uint n; };

void main ()
{
  uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  uint i = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;

  if (i < n)
    target[i] = source[i];
}
