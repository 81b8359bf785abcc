// SPDX-License-Identifier: LGPL-2.1-or-later
// Block luma: the mean of (R' + 2·G' + B') / 4 over the samples of a block, in 256ths
// of a code value.
#include "palette/count/luma.h"
#include "palette/shared/pixels.h"

const uint LUMA_SIDE = 1u << LUMA_SHIFT;
const uint LUMA_COUNT_SHIFT = 20;

// Position of sample i of the block that begins at `first`.
uvec2 looked_at (uint i, uvec2 first, uint block_shift)
{
  return first + (uvec2 (i % LUMA_SIDE, i / LUMA_SIDE) << block_shift - LUMA_SHIFT);
}

// Returns R' + 2·G' + B' of a pixel, with a 1 at LUMA_COUNT_SHIFT that counts it; 0 if
// the pixel is transparent.
uint luma_of (uint colour)
{
  return (colour & TRANSPARENT) != 0 ? 0
      : 1u << LUMA_COUNT_SHIFT | (colour >> 16 & 255)
      + 2 * (colour >> 8 & 255) + (colour & 255);
}

// Returns the luma of a block from the sum of luma_of() over its samples; 0 if none is counted.
uint luma_of_sum (uint sum)
{
  uint n = sum >> LUMA_COUNT_SHIFT;
  uint luma = sum & (1u << LUMA_COUNT_SHIFT) - 1;

  return n == 0 ? 0 : (2 * 64 * luma + n) / (2 * n);
}
