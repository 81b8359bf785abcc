// SPDX-License-Identifier: LGPL-2.1-or-later
// Prefix sums of moments over a workgroup, and of points in blocks: sum_blocks.comp computes the
// total of each block, sum_points.comp the sums.
#include "core/group.glsl"
#include "palette/exact/moments.glsl"
#include "palette/exact/shared.h"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Sorted { uvec2 sorted[]; };
layout (std430, binding = 1) readonly buffer SortedWeights { uint sorted_weights[]; };
layout (std430, binding = 2) buffer Totals { uint totals[]; };
layout (push_constant) uniform Push
{
  uint first, end;              // invocations
  uint n;
};

// Points of a block that an invocation adds up.
const uint POINTS_PER_THREAD = 4;

const uint POINTS_PER_BLOCK = POINTS_PER_THREAD * GROUP_THREADS;

// Scans in two parts, of 22 low bits and of the rest, neither of which overflows when
// 256 values are added.
uvec2 group_exclusive_scan_wide (uvec2 value, out uvec2 total)
{
  uint low_total, high_total;
  uint low = group_exclusive_scan (value.x & 0x3fffff, low_total);
  uint high = group_exclusive_scan (value.y << 10 | value.x >> 22, high_total);

  total = wide_add (uvec2 (low_total, 0), uvec2 (high_total << 22, high_total >> 10));
  return wide_add (uvec2 (low, 0), uvec2 (high << 22, high >> 10));
}

Sums group_exclusive_scan_sums (Sums value, out Sums total)
{
  Sums before;

  before.n = group_exclusive_scan (value.n, total.n);
  before.x = group_exclusive_scan_wide (value.x, total.x);
  before.y = group_exclusive_scan_wide (value.y, total.y);
  before.z = group_exclusive_scan_wide (value.z, total.z);
  return before;
}
