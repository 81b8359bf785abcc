// SPDX-License-Identifier: LGPL-2.1-or-later
// Computes totals[g] = sum of block g, one block per workgroup.
#include "core/scan.glsl"

layout (std430, binding = 0) readonly buffer Input { uint values[]; };
layout (std430, binding = 1) writeonly buffer Totals { uint totals[]; };

void main ()
{
  uint block = first + gl_WorkGroupID.x;
  uint sum = 0;

  for (uint i = 0; i < SCAN_BLOCK; i += GROUP_THREADS) {
    uint at = block * SCAN_BLOCK + i + gl_LocalInvocationID.x;

    if (at < n)
      sum += values[at];
  }
  sum = group_sum (sum);
  if (gl_LocalInvocationID.x == 0)
    totals[block] = sum;
}
