// SPDX-License-Identifier: LGPL-2.1-or-later
// Prefix sums of points, first of two dispatches: the total of each block.
#include "palette/exact/sums.glsl"

void store_total (uint at, Sums sums)
{
  at *= WORDS_PER_TOTAL;
  totals[at] = sums.n;
  totals[at + 1] = sums.x.x;
  totals[at + 2] = sums.x.y;
  totals[at + 3] = sums.y.x;
  totals[at + 4] = sums.y.y;
  totals[at + 5] = sums.z.x;
  totals[at + 6] = sums.z.y;
}

void main ()
{
  uint block = first / GROUP_THREADS + gl_WorkGroupID.x;
  Sums sum = NO_SUMS, total;

  for (uint i = 0; i < POINTS_PER_BLOCK; i += GROUP_THREADS) {
    uint at = block * POINTS_PER_BLOCK + i + gl_LocalInvocationID.x;

    if (at < n)
      sum = add_sums (sum, sums_of_point (sorted[at], sorted_weights[at]));
  }
  group_exclusive_scan_sums (sum, total);
  if (gl_LocalInvocationID.x == 0)
    store_total (block, total);
}
