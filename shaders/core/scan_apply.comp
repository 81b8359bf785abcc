// SPDX-License-Identifier: LGPL-2.1-or-later
// Computes the prefix sums of one block per workgroup.
#include "core/scan.glsl"

// Input and output may be the same buffer.
layout (std430, binding = 0) buffer Input { uint values[]; };
layout (std430, binding = 1) buffer Output { uint prefixes[]; };
layout (std430, binding = 2) readonly buffer Totals { uint totals[]; };

void main ()
{
  uint block = first + gl_WorkGroupID.x;
  uint carry = totals[block];

  for (uint row = 0; row < ROWS; row++) {
    uint at = block * SCAN_BLOCK + row * ROW
        + gl_LocalInvocationID.x * PER_THREAD;
    uint mine[PER_THREAD];
    uint sum = 0, total;

    for (uint i = 0; i < PER_THREAD; i++) {
      uint value = at + i < n ? values[at + i] : 0;

      mine[i] = sum;
      sum += value;
    }
    uint before = carry + group_exclusive_scan (sum, total);

    for (uint i = 0; i < PER_THREAD; i++)
      if (at + i < n)
        prefixes[at + i] = before + mine[i];
    carry += total;
  }
}
