// SPDX-License-Identifier: LGPL-2.1-or-later
// Counts the output colours in each word of their bitmap.

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Used { uint used[]; };
layout (std430, binding = 1) writeonly buffer UsedBefore { uint used_before[]; };
layout (push_constant) uniform Push { uint first, end; };   // words

void main ()
{
  uint i = first + gl_GlobalInvocationID.x;

  if (i < end)
    used_before[i] = bitCount (used[i]);
}
