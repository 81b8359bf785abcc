// SPDX-License-Identifier: LGPL-2.1-or-later
// The luminance of blocks of a frame.
#include "palette/count/luma.h"
#include "palette/shared/pixels.h"

const uint LUMA_SIDE = 1u << LUMA_SHIFT;
const uint LUMA_COUNT_SHIFT = 20;

// Pixel i of those that are looked at, in the block that begins there.
uvec2
looked_at (uint i, uvec2 first, uint block_shift)
{
  return first + (uvec2 (i % LUMA_SIDE, i / LUMA_SIDE)
      << block_shift - LUMA_SHIFT);
}

// Of a pixel, above a one that counts it; 0 if it is not counted.
uint
luma_of (uint colour)
{
  return (colour & TRANSPARENT) != 0 ? 0
      : 1u << LUMA_COUNT_SHIFT | (colour >> 16 & 255)
      + 2 * (colour >> 8 & 255) + (colour & 255);
}

// Of a block, from the sum of those of its pixels.
uint
luma_of_sum (uint sum)
{
  uint n = sum >> LUMA_COUNT_SHIFT;
  uint luma = sum & (1u << LUMA_COUNT_SHIFT) - 1;

  return n == 0 ? 0 : (2 * 64 * luma + n) / (2 * n);
}
