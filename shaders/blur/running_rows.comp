// SPDX-License-Identifier: LGPL-2.1-or-later
// First pass of the running sums: a subgroup goes along a section of a row, a
// lane for each of the next pixels. What enters less what leaves, summed over
// the lanes before, is how far the window of a lane is from that of the first
// one. So neighbours read neighbouring pixels, two each, and nothing is kept but
// a sum; threads that went along rows of their own would read far apart.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "plane.glsl"
#include "running_sums.glsl"

// The sum of the 2 radius_x samples that begin at x.
uvec4
first_window (int x, int y)
{
  uvec4 sum = uvec4 (0);

  for (uint i = gl_SubgroupInvocationID; i < 2 * radius_x;
      i += gl_SubgroupSize)
    sum += fetch (x + int (i), y);
  for (uint i = 0; i < COMPONENTS; i++)
    sum[i] = subgroupAdd (sum[i]);
  return sum;
}

void
sum_section (uint begin, uint end, int y)
{
  int radius = int (radius_x);
  uvec4 window = first_window (int (strip + begin) - radius, y);

  for (uint base = begin; base < end; base += gl_SubgroupSize) {
    // Lanes past the end sum what lies there.
    uint at = base + gl_SubgroupInvocationID;
    int x = int (strip + at);
    uvec4 first = fetch (x - radius, y);
    uvec4 last = fetch (x + radius, y);
    uvec4 moved = uvec4 (0);

    for (uint i = 0; i < COMPONENTS; i++)
      moved[i] = subgroupExclusiveAdd (last[i] - first[i]);
    if (at < end)
      store_middle (uint (x), uint (y),
          running_row_sum (window + moved, first, last));
    for (uint i = 0; i < COMPONENTS; i++)
      window[i] += subgroupAdd (last[i] - first[i]);
  }
}

// As many rows as GROUP_Y, shared out to however many subgroups there are.
void
main ()
{
  uint begin = gl_WorkGroupID.x * section_columns;
  uint end = min (begin + section_columns, strip_width);
  uint top = gl_WorkGroupID.y * GROUP_Y;
  uint bottom = min (top + GROUP_Y, rows);

  for (uint row = top + gl_SubgroupID; row < bottom; row += gl_NumSubgroups)
    sum_section (begin, end, int (first_row + row));
}
