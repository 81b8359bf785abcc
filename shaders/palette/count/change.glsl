// SPDX-License-Identifier: LGPL-2.1-or-later
// Sum of the changes in luma of all blocks. Include after group.glsl, and after macros
// LUMA (i) and LUMA_BEFORE (i), the luma of block i now and before.

uint
difference (uint a, uint b)
{
  return max (a, b) - min (a, b);
}

// All invocations of the workgroup call it.
uint
sum_of_changes (uint n_blocks)
{
  uint sum = 0;

  for (uint i = gl_LocalInvocationID.x; i < n_blocks; i += GROUP_THREADS)
    sum += difference (LUMA (i), LUMA_BEFORE (i));
  return group_sum (sum);
}
