// SPDX-License-Identifier: LGPL-2.1-or-later
// Whether a scene ends. Include after group.glsl, luma.h, and macros COLOUR (i) and
// COLOUR_BEFORE (i), the BlockColour of block i now and before.

// The changes in luma and in chroma.
uvec2 change_of (BlockColour before, BlockColour now)
{
  return uvec2 (abs (int (now.luma) - int (before.luma)),
      abs (now.chroma[0] - before.chroma[0]) + abs (now.chroma[1] - before.chroma[1]));
}

// Returns whether the sum of one of the changes over all blocks exceeds `most`. All invocations
// of the workgroup call it.
bool scene_ends (uint n_blocks, uint most)
{
  uvec2 sum = uvec2 (0);

  for (uint first = 0; first < n_blocks; first += GROUP_THREADS) {
    uint i = first + gl_LocalInvocationID.x;

    if (i < n_blocks)
      sum += change_of (COLOUR_BEFORE (i), COLOUR (i));
  }
  return any (greaterThan (group_sums (uvec3 (sum, 0)).xy, uvec2 (most)));
}
