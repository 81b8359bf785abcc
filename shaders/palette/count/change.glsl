// SPDX-License-Identifier: LGPL-2.1-or-later
// Sum of the changes in luma of all blocks. Include after group.glsl, and after macros
// LUMA (i) and LUMA_BEFORE (i), the luma of block i now and before.

uint difference (uint a, uint b)
{
  return max (a, b) - min (a, b);
}

// All invocations of the workgroup call it.
uint sum_of_changes (uint n_blocks)
{
  uint sum = 0;

  for (uint first = 0; first < n_blocks; first += GROUP_THREADS) {
    uint i = first + gl_LocalInvocationID.x;

    sum += i < n_blocks ? difference (LUMA (i), LUMA_BEFORE (i)) : 0;
  }
  return group_sum (sum);
}
