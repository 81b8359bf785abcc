// SPDX-License-Identifier: LGPL-2.1-or-later
// Prefix sums of moments over a workgroup, and totals of blocks of points. Define TOTALS as the
// binding of the buffer of totals before.
#include "core/group.glsl"
#include "palette/exact/moments.glsl"
#include "palette/exact/shared.h"

layout (std430, binding = TOTALS) buffer Totals { uint totals[]; };

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

Sums load_total (uint at)
{
  at *= WORDS_PER_TOTAL;
  return Sums (totals[at], uvec2 (totals[at + 1], totals[at + 2]),
      uvec2 (totals[at + 3], totals[at + 4]), uvec2 (totals[at + 5], totals[at + 6]));
}

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
