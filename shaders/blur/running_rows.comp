// SPDX-License-Identifier: LGPL-2.1-or-later
// First pass of the running sums: a subgroup moves along a section of a row, with one thread for
// each of the next pixels. An exclusive prefix sum over the subgroup, of the sample that enters
// minus the sample that leaves, is the difference between a thread's window and that of the first
// thread. Each thread reads two pixels, next to those of its neighbours, and only one sum is
// kept. If each thread had a row of its own, reads would be far apart.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "plane.glsl"
#include "running_sums.glsl"

// Returns the sum of the 2 radius_x samples from @x on.
uvec4 first_window (int x, int y)
{
  uvec4 sum = uvec4 (0);

  for (uint i = gl_SubgroupInvocationID; i < 2 * radius_x;
      i += gl_SubgroupSize)
    sum += fetch (x + int (i), y);
  for (uint i = 0; i < COMPONENTS; i++)
    sum[i] = subgroupAdd (sum[i]);
  return sum;
}

void sum_section (uint begin, uint end, int y)
{
  int radius = int (radius_x);
  uvec4 window = first_window (int (strip + begin) - radius, y);

  for (uint base = begin; base < end; base += gl_SubgroupSize) {
    // Threads past the end also compute a sum, which is not stored.
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

// A group has GROUP_Y rows, which are distributed among its subgroups.
void main ()
{
  uint begin = gl_WorkGroupID.x * section_columns;
  uint end = min (begin + section_columns, strip_width);
  uint top = gl_WorkGroupID.y * GROUP_Y;
  uint bottom = min (top + GROUP_Y, rows);

  for (uint row = top + gl_SubgroupID; row < bottom; row += gl_NumSubgroups)
    sum_section (begin, end, int (first_row + row));
}
