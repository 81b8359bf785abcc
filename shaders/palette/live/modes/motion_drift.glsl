// SPDX-License-Identifier: LGPL-2.1-or-later
// How the light of blocks changed along their vectors. Include after temporal.glsl.

// Returns the mean change of samples in eighths of a code value, or NO_CHANGE.
uint
change_of (uint changes)
{
  uint n = changes >> CHANGE_COUNT_SHIFT;
  uint change = changes & (1u << CHANGE_COUNT_SHIFT) - 1;

  return n == 0 ? NO_CHANGE : min (8 * change / n, MOST_CHANGE);
}

// Returns the mean change of luma, in 256ths of a code value, rounded.
int
light_of (uint block)
{
  int n = int (state.blocks[block].changes >> CHANGE_COUNT_SHIFT);

  return n == 0 ? 0 : floor_over (state.blocks[block].light + 32 * n, 64 * n);
}

// Returns the block in which the middle of a block was along its vector.
uint
source_of (uint block)
{
  ivec2 vector = ivec2 (state.blocks[block].vector[0], state.blocks[block].vector[1]);
  ivec2 n = ivec2 (frame.blocks.columns, frame.blocks.rows);
  int shift = int (frame.blocks.shift);
  ivec2 middle = (ivec2 (block % n.x, block / n.x) << shift) + (1 << shift - 1);
  ivec2 source = clamp (middle + vector >> shift, ivec2 (0), n - 1);

  return uint (source.y * n.x + source.x);
}

// Returns the drift of the light of a block, on from where it was. begins_anew: the frame before
// does not count.
int
drift_of (uint block, bool begins_anew)
{
  return begins_anew ? 0 : clamp (state.blocks[source_of (block)].drift + light_of (block),
      -MOST_DRIFT, MOST_DRIFT);
}
