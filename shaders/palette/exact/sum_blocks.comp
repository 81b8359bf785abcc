// SPDX-License-Identifier: LGPL-2.1-or-later
// Prefix sums of points, first of three dispatches: the total of each block.
#define TOTALS 2
#include "palette/exact/sums.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Sorted { uvec2 sorted[]; };
layout (std430, binding = 1) readonly buffer SortedWeights { uint sorted_weights[]; };
layout (push_constant) uniform Push
{
  uint first, end;              // invocations
  uint n;
};

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
