// SPDX-License-Identifier: LGPL-2.1-or-later
// Prefix sums of points, last of three dispatches: the sums up to each point, itself included.
#define TOTALS 2
#include "palette/exact/sums.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Sorted { uvec2 sorted[]; };
layout (std430, binding = 1) readonly buffer SortedWeights { uint sorted_weights[]; };
layout (std430, binding = 3) writeonly buffer SumsN { uint sums_n[]; };
layout (std430, binding = 4) writeonly buffer SumsX { uvec2 sums_x[]; };
layout (std430, binding = 5) writeonly buffer SumsY { uvec2 sums_y[]; };
layout (std430, binding = 6) writeonly buffer SumsZ { uvec2 sums_z[]; };
layout (push_constant) uniform Push
{
  uint first, end;              // invocations
  uint n;
};

void main ()
{
  uint block = first / GROUP_THREADS + gl_WorkGroupID.x;
  uint at = block * POINTS_PER_BLOCK + gl_LocalInvocationID.x * POINTS_PER_THREAD;
  uint end_at = min (at + POINTS_PER_THREAD, n);
  Sums mine = NO_SUMS, total;

  for (uint i = at; i < end_at; i++)
    mine = add_sums (mine, sums_of_point (sorted[i], sorted_weights[i]));
  mine = add_sums (load_total (block), group_exclusive_scan_sums (mine, total));
  for (uint i = at; i < end_at; i++) {
    mine = add_sums (mine, sums_of_point (sorted[i], sorted_weights[i]));
    sums_n[i] = mine.n;
    sums_x[i] = mine.x;
    sums_y[i] = mine.y;
    sums_z[i] = mine.z;
  }
}
