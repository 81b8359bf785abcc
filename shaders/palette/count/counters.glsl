// SPDX-License-Identifier: LGPL-2.1-or-later
// Updates of colour counters. Include after the buffers counts, touched and blocks.

void touch (uint number)
{
  uint block = number / BLOCK_COLOURS;

  // The first invocation to touch a word marks its block.
  if (atomicOr (touched[number >> 5], 1u << (number & 31)) == 0)
    atomicOr (blocks.touched_bits[block / 32], 1u << (block & 31));
}

// Adds n to the counter of colour `number`; n = 0xffffffff subtracts 1. Touches the colour if its
// count was 0 or touches_known is set. All invocations of the subgroup call it. In flat areas
// many lanes have the same colour, so the first counting lane adds for all lanes with its colour.
void add (uint number, uint n, bool touches_known)
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
