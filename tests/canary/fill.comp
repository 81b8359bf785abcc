// SPDX-License-Identifier: LGPL-2.1-or-later
#version 450

layout (local_size_x = 64) in;

layout (std430, set = 0, binding = 0) buffer Words { uint words[]; };

// The number of invocations decides how far the stores reach: the host sees to
// it that they stay inside the descriptor, or that they do not.
void main ()
{
  words[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x;
}
