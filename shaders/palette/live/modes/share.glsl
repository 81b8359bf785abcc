// SPDX-License-Identifier: LGPL-2.1-or-later
// Sums over bins to which several workgroups add. Include after temporal.glsl.
#include "palette/live/mean.glsl"

const ModeShare NO_SHARE = ModeShare (0, uint[3] (0, 0, 0), uint[3] (0, 0, 0));

// Adds to a sum of two words, to which others add as well.
#define WIDE_ATOMIC_ADD(low, high, more) \
{ \
  uint low_before = atomicAdd (low, more.x); \
  uint carried = more.y + uint (low_before + more.x < low_before); \
 \
  if (carried != 0) \
    atomicAdd (high, carried); \
}

// Returns the sums of red, green and blue of a share.
uvec2[3]
sums_of_share (ModeShare share)
{
  return uvec2[3] (uvec2 (share.low[0], share.high[0]), uvec2 (share.low[1], share.high[1]),
      uvec2 (share.low[2], share.high[2]));
}

// Defines the function that adds weight and sums to a share, which the macro names by the index i.
// It returns the weight before.
#define DEFINE_ADD(add, share) \
uint \
add (uint i, uint n, uvec2 of[3]) \
{ \
  for (uint k = 0; k < 3; k++) \
    WIDE_ATOMIC_ADD (share.low[k], share.high[k], of[k]) \
  return atomicAdd (share.n, n); \
}
