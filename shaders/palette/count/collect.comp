// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup lists the touched blocks, and sizes the dispatches over them. Marks
// the newest frame as counted in the current scene.
#include "palette/count/blocks.glsl"

const uint PER_THREAD = N_BLOCKS / 32 / GROUP_THREADS;

void main ()
{
  uint me = gl_LocalInvocationID.x;
  uint bits[PER_THREAD];
  uint n = 0, all;

  for (uint i = 0; i < PER_THREAD; i++) {
    bits[i] = blocks.touched_bits[me * PER_THREAD + i];
    n += bitCount (bits[i]);
  }
  uint at = group_exclusive_scan (n, all);

  for (uint i = 0; i < PER_THREAD; i++) {
    uint word = me * PER_THREAD + i;

    for (uint left = bits[i]; left != 0; left &= left - 1)
      blocks.touched[at++] = word * 32 + findLSB (left);
    blocks.touched_bits[word] = 0;
  }
  if (me < MAX_SLICES)
    blocks.dispatches.touched_groups[me] = groups_of_slice (me, all * BLOCK_WORDS,
        blocks.dispatches.words_per_slice);
  if (me == 0) {
    blocks.n_touched = all;
    blocks.scenes[blocks.dispatches.newest] = blocks.scene;
    blocks.dispatches.rank_groups[0] = min (all, 1);
  }
}
