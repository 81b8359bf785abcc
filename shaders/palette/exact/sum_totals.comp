// SPDX-License-Identifier: LGPL-2.1-or-later
// Prefix sums of points, second of three dispatches: one workgroup scans the totals of
// all blocks.
#define TOTALS 0
#include "palette/exact/sums.glsl"

layout (local_size_x = 256) in;
layout (push_constant) uniform Push { uint n; };

void main ()
{
  uint blocks = (n + POINTS_PER_BLOCK - 1) / POINTS_PER_BLOCK;
  Sums carry = NO_SUMS;

  for (uint i = 0; i < blocks; i += GROUP_THREADS) {
    uint at = i + gl_LocalInvocationID.x;
    Sums mine = NO_SUMS, total;

    if (at < blocks)
      mine = load_total (at);
    mine = group_exclusive_scan_sums (mine, total);
    if (at < blocks)
      store_total (at, add_sums (carry, mine));
    carry = add_sums (carry, total);
  }
}
