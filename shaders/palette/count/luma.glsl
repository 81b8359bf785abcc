// SPDX-License-Identifier: LGPL-2.1-or-later
// The mean colour of a block (BlockColour) from sums over its samples.
#include "palette/count/luma.h"
#include "palette/shared/pixels.h"

const uint LUMA_SIDE = 1u << LUMA_SHIFT;
const uint LUMA_COUNT_SHIFT = 20;

// Position of sample i of the block that begins at `first`.
uvec2 looked_at (uint i, uvec2 first, uint block_shift)
{
  return first + (uvec2 (i % LUMA_SIDE, i / LUMA_SIDE) << block_shift - LUMA_SHIFT);
}

// Returns what a sample adds to the sums of its block: R' + 2·G' + B', with a 1 at
// LUMA_COUNT_SHIFT that counts it, R' and B'; 0 if it is transparent.
uvec3 sums_of (uint colour)
{
  uvec3 components = uvec3 (colour >> 16 & 255, colour >> 8 & 255, colour & 255);

  return (colour & TRANSPARENT) != 0 ? uvec3 (0)
      : uvec3 (1u << LUMA_COUNT_SHIFT | components.r + 2 * components.g + components.b,
          components.r, components.b);
}

// Returns 64 times the mean of n > 0 samples, rounded.
uint mean_of (uint sum, uint n)
{
  return (2 * 64 * sum + n) / (2 * n);
}

// Returns the colour of a block from the sums of sums_of() over its samples; 0 if none is counted.
BlockColour colour_of_sums (uvec3 sums)
{
  uint n = sums.x >> LUMA_COUNT_SHIFT;
  uint luma = sums.x & (1u << LUMA_COUNT_SHIFT) - 1;

  if (n == 0)
    return BlockColour (0, int[2] (0, 0));
  int green = int (mean_of ((luma - sums.y - sums.z) / 2, n));

  return BlockColour (mean_of (luma, n),
      int[2] (int (mean_of (sums.y, n)) - green, int (mean_of (sums.z, n)) - green));
}
