// SPDX-License-Identifier: LGPL-2.1-or-later
// Counts the invocations whose index in the workgroup is
// gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID. If all are, subgroups are full
// and consist of consecutive invocations, as group.glsl requires.
#extension GL_KHR_shader_subgroup_basic : require

layout (local_size_x = 256) in;

layout (std430, binding = 0) buffer Result { uint in_order; };

void main ()
{
  uint lanes = gl_SubgroupSize;

  if (lanes >= 4 && lanes <= 64 && lanes * gl_NumSubgroups == 256
      && gl_LocalInvocationIndex
      == gl_SubgroupID * lanes + gl_SubgroupInvocationID)
    atomicAdd (in_order, 1);
}
