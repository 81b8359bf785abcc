// SPDX-License-Identifier: LGPL-2.1-or-later
// The luminance of blocks of a frame.
#include "palette/count/light.h"
#include "palette/shared/pixels.h"

const uint LIGHT_SIDE = 1u << LIGHT_SHIFT;
const uint LIGHT_COUNT_SHIFT = 20;

// Pixel i of those that are looked at, in the block that begins there.
uvec2
looked_at (uint i, uvec2 first, uint block_shift)
{
  return first + (uvec2 (i % LIGHT_SIDE, i / LIGHT_SIDE)
      << block_shift - LIGHT_SHIFT);
}

// Of a pixel, above a one that counts it; 0 if it is not counted.
uint
light_of (uint colour)
{
  return (colour & TRANSPARENT) != 0 ? 0
      : 1u << LIGHT_COUNT_SHIFT | (colour >> 16 & 255)
      + 2 * (colour >> 8 & 255) + (colour & 255);
}

// Of a block, from the sum of those of its pixels.
uint
light_of_sum (uint sum)
{
  uint n = sum >> LIGHT_COUNT_SHIFT;
  uint light = sum & (1u << LIGHT_COUNT_SHIFT) - 1;

  return n == 0 ? 0 : (2 * 64 * light + n) / (2 * n);
}
