// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup computes the rank of each block: the number of colours in blocks before it. Lists
// the blocks with colours, and sizes the dispatches over them and over their colours.
#include "palette/count/blocks.glsl"

const uint PER_THREAD = N_BLOCKS / GROUP_THREADS;

void size_dispatches (uint slice, uint n_blocks, uint n_colours)
{
  uint of_words[3] = groups_of_slice (slice, n_blocks * BLOCK_WORDS,
      blocks.dispatches.words_per_slice);
  uint of_colours[3] = groups_of_slice (slice, n_colours, blocks.dispatches.colours_per_slice);

  blocks.dispatches.list_groups[slice] = blocks.present_groups[slice] = of_words;
  blocks.dispatches.convert_groups[slice] = blocks.colour_groups[slice] = of_colours;
}

void main ()
{
  uint me = gl_LocalInvocationID.x;
  uint first = me * PER_THREAD, end = first + PER_THREAD;
  uint n_colours = 0, n_blocks = 0;
  uint all_colours, all_blocks;

  for (uint block = first; block < end; block++) {
    uint count = blocks.counts[block];

    n_colours += count;
    n_blocks += uint (count != 0);
  }
  uint rank = group_exclusive_scan (n_colours, all_colours);
  uint at = group_exclusive_scan (n_blocks, all_blocks);

  for (uint block = first; block < end; block++) {
    uint count = blocks.counts[block];

    if (count != 0) {
      blocks.ranks[block] = rank;
      blocks.present[at++] = block;
    }
    rank += count;
  }
  if (me < MAX_SLICES)
    size_dispatches (me, all_blocks, all_colours);
  if (me == 0) {
    blocks.n_present = all_blocks;
    blocks.n_colours = all_colours;
  }
}
