// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup replaces the totals of all blocks with their prefix sums.
#include "core/scan.glsl"

layout (std430, binding = 0) buffer Totals { uint totals[]; };

void main ()
{
  uint blocks = (n + SCAN_BLOCK - 1) / SCAN_BLOCK;
  uint carry = 0;

  for (uint i = 0; i < blocks; i += GROUP_THREADS) {
    uint at = i + gl_LocalInvocationID.x;
    uint sum;
    uint before = group_exclusive_scan (at < blocks ? totals[at] : 0, sum);

    if (at < blocks)
      totals[at] = carry + before;
    carry += sum;
  }
}
