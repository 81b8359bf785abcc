// SPDX-License-Identifier: LGPL-2.1-or-later
// Of the shaders that count: buffers counts, touched and blocks are theirs.

void
touch (uint number)
{
  uint block = number / BLOCK_COLOURS;

  // Whoever was first in the word told of the block.
  if (atomicOr (touched[number >> 5], 1u << (number & 31)) == 0)
    atomicOr (blocks.touched_bits[block / 32], 1u << (block & 31));
}

// Touches what was counted before only where that is wanted. All threads come
// here. Flat areas would queue up at one counter, so the lanes that agree with the
// first counting one are counted by it.
void
add (uint number, uint n, bool touches_known)
{
  bool counts_here = n != 0;
  uvec4 counting = subgroupBallot (counts_here);

  if (counting == uvec4 (0))
    return;
  uint first = subgroupBallotFindLSB (counting);
  bool same = counts_here && number == subgroupShuffle (number, first);
  uint sum = subgroupAdd (same ? n : 0);

  if (same)
    n = gl_SubgroupInvocationID == first ? sum : 0;
  if (n == 0)
    return;
  uint before = atomicAdd (counts[number], n);

  if (touches_known || before == 0)
    touch (number);
}
