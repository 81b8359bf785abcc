// SPDX-License-Identifier: LGPL-2.1-or-later
// Sums of weights and of weighted points, and their prefix sums over a
// workgroup. Weights add up to less than 2^32, coordinates have at most 17
// bits, so no sum exceeds 49 bits.
#include "common/group.glsl"
#include "palette/wide.glsl"

const uint BLOCK = 4 * GROUP_THREADS;   // points of a workgroup

struct Sums
{
  uint n;
  uvec2 x, y, z;
};

Sums
add_sums (Sums a, Sums b)
{
  return Sums (a.n + b.n, wide_add (a.x, b.x), wide_add (a.y, b.y),
      wide_add (a.z, b.z));
}

// x is L, y and z are the biased a and b.
Sums
sums_of_point (uvec2 point, uint weight)
{
  return Sums (weight, wide_multiply (point.y, weight),
      wide_multiply (point.x & 0xffff, weight),
      wide_multiply (point.x >> 16, weight));
}

// In two parts that neither overflows when 256 of them are added.
uvec2
group_exclusive_scan_wide (uvec2 value, out uvec2 total)
{
  uint low_total, high_total;
  uint low = group_exclusive_scan (value.x & 0x3fffff, low_total);
  uint high = group_exclusive_scan (value.y << 10 | value.x >> 22,
      high_total);

  total = wide_add (uvec2 (low_total, 0),
      uvec2 (high_total << 22, high_total >> 10));
  return wide_add (uvec2 (low, 0), uvec2 (high << 22, high >> 10));
}

Sums
group_exclusive_scan_sums (Sums value, out Sums total)
{
  Sums before;

  before.n = group_exclusive_scan (value.n, total.n);
  before.x = group_exclusive_scan_wide (value.x, total.x);
  before.y = group_exclusive_scan_wide (value.y, total.y);
  before.z = group_exclusive_scan_wide (value.z, total.z);
  return before;
}

#define DEFINE_TOTALS(words) \
Sums \
load_total (uint at) \
{ \
  at *= 7; \
  return Sums (words[at], uvec2 (words[at + 1], words[at + 2]), \
      uvec2 (words[at + 3], words[at + 4]), \
      uvec2 (words[at + 5], words[at + 6])); \
} \
void \
store_total (uint at, Sums sums) \
{ \
  at *= 7; \
  words[at] = sums.n; \
  words[at + 1] = sums.x.x; \
  words[at + 2] = sums.x.y; \
  words[at + 3] = sums.y.x; \
  words[at + 4] = sums.y.y; \
  words[at + 5] = sums.z.x; \
  words[at + 6] = sums.z.y; \
}

const Sums NO_SUMS = Sums (0, uvec2 (0), uvec2 (0), uvec2 (0));
