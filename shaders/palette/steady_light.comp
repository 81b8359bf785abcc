// SPDX-License-Identifier: LGPL-2.1-or-later
// The luminance of every block of the frame, a workgroup each: a small one, as a
// CPU device pays for every thread that waits for others.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/shared.h"
#include "palette/steady.glsl"

layout (local_size_x = 64) in;
#define GROUP_THREADS gl_WorkGroupSize.x
#include "common/group.glsl"
layout (std430, binding = 5) readonly buffer Colours { uint colours[]; };
layout (push_constant) uniform Push
{
  uint first, end;              // pixels, 256 of every block
};

const uint SIDE = 1u << LIGHT_SHIFT;
const uint COUNT_SHIFT = 20;

// Of pixel i of a block, above a one that counts it; 0 where none is counted.
uint
light_of (uint i, uint x, uint y, uint step)
{
  x += i % SIDE << step;
  y += i / SIDE << step;
  if (x >= state.width || y >= state.height)
    return 0;
  uint colour = colours[y * state.width + x];

  return (colour & TRANSPARENT) != 0 ? 0
      : 1u << COUNT_SHIFT | (colour >> 16) + 2 * (colour >> 8 & 255)
      + (colour & 255);
}

void
main ()
{
  uint block = first / 256 + gl_WorkGroupID.x;
  uint x = block % state.columns << state.block_shift;
  uint y = block / state.columns << state.block_shift;
  uint sum = 0;

  for (uint i = gl_LocalInvocationID.x; i < SIDE * SIDE; i += GROUP_THREADS)
    sum += light_of (i, x, y, state.block_shift - LIGHT_SHIFT);
  sum = group_sum (sum);
  uint n = sum >> COUNT_SHIFT, light = sum & (1u << COUNT_SHIFT) - 1;

  if (gl_LocalInvocationID.x == 0)
    state.blocks[block].light = n == 0 ? 0 : (2 * 64 * light + n) / (2 * n);
}
