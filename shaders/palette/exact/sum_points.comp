// SPDX-License-Identifier: LGPL-2.1-or-later
// Prefix sums of points, second of two dispatches: the sums up to each point, itself included.
#include "palette/exact/sums.glsl"

layout (std430, binding = 3) writeonly buffer SumsN { uint sums_n[]; };
layout (std430, binding = 4) writeonly buffer SumsX { uvec2 sums_x[]; };
layout (std430, binding = 5) writeonly buffer SumsY { uvec2 sums_y[]; };
layout (std430, binding = 6) writeonly buffer SumsZ { uvec2 sums_z[]; };

Sums load_total (uint at)
{
  at *= WORDS_PER_TOTAL;
  return Sums (totals[at], uvec2 (totals[at + 1], totals[at + 2]),
      uvec2 (totals[at + 3], totals[at + 4]), uvec2 (totals[at + 5], totals[at + 6]));
}

// Returns the sums of the points of all earlier blocks.
Sums sums_before (uint block)
{
  Sums sum = NO_SUMS, total;

  for (uint some = 0; some < block; some += GROUP_THREADS) {
    uint i = some + gl_LocalInvocationID.x;

    if (i < block)
      sum = add_sums (sum, load_total (i));
  }
  group_exclusive_scan_sums (sum, total);
  return total;
}

void main ()
{
  uint block = first / GROUP_THREADS + gl_WorkGroupID.x;
  uint at = block * POINTS_PER_BLOCK + gl_LocalInvocationID.x * POINTS_PER_THREAD;
  uint end_at = min (at + POINTS_PER_THREAD, n);
  Sums mine = NO_SUMS, total;

  for (uint i = at; i < end_at; i++)
    mine = add_sums (mine, sums_of_point (sorted[i], sorted_weights[i]));
  mine = add_sums (sums_before (block), group_exclusive_scan_sums (mine, total));
  for (uint i = at; i < end_at; i++) {
    mine = add_sums (mine, sums_of_point (sorted[i], sorted_weights[i]));
    sums_n[i] = mine.n;
    sums_x[i] = mine.x;
    sums_y[i] = mine.y;
    sums_z[i] = mine.z;
  }
}
