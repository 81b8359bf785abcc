// SPDX-License-Identifier: LGPL-2.1-or-later
// How much luminance changes, over all blocks. Include after group.glsl; define
// LUMA (i) and LUMA_BEFORE (i), of block i.

uint
difference (uint a, uint b)
{
  return max (a, b) - min (a, b);
}

// All threads of the group call it.
uint
sum_of_changes (uint n_blocks)
{
  uint sum = 0;

  for (uint i = gl_LocalInvocationID.x; i < n_blocks; i += GROUP_THREADS)
    sum += difference (LUMA (i), LUMA_BEFORE (i));
  return group_sum (sum);
}
