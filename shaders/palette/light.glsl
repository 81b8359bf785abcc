// SPDX-License-Identifier: LGPL-2.1-or-later
// The luminance of a block of a frame, by one workgroup. Include after the local
// size, and define GROUP_THREADS; colours is a buffer of words.
#include "palette/shared.h"
#include "palette/light.h"
#include "common/group.glsl"

const uint SIDE = 1u << LIGHT_SHIFT;
const uint COUNT_SHIFT = 20;

// How a frame is cut into blocks.
struct Blocks
{
  uint width, height;
  uint shift, columns;
};

// Of pixel i of those looked at in the block whose first one this is, above a one
// that counts it; 0 where none is counted.
uint
light_of_pixel (uint i, uvec2 at, Blocks blocks)
{
  at += uvec2 (i % SIDE, i / SIDE) << blocks.shift - LIGHT_SHIFT;
  if (at.x >= blocks.width || at.y >= blocks.height)
    return 0;
  uint colour = colours[at.y * blocks.width + at.x];

  return (colour & TRANSPARENT) != 0 ? 0
      : 1u << COUNT_SHIFT | (colour >> 16) + 2 * (colour >> 8 & 255)
      + (colour & 255);
}

// All threads come here.
uint
light_of_block (uint block, Blocks blocks)
{
  uvec2 at = uvec2 (block % blocks.columns, block / blocks.columns)
      << blocks.shift;
  uint sum = 0;

  for (uint i = gl_LocalInvocationID.x; i < SIDE * SIDE; i += GROUP_THREADS)
    sum += light_of_pixel (i, at, blocks);
  sum = group_sum (sum);
  uint n = sum >> COUNT_SHIFT, light = sum & (1u << COUNT_SHIFT) - 1;

  return n == 0 ? 0 : (2 * 64 * light + n) / (2 * n);
}
