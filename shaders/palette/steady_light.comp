// SPDX-License-Identifier: LGPL-2.1-or-later
// The luminance of every block of the frame: a workgroup each, a pixel for every
// thread.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common/group.glsl"
#include "palette/shared.h"
#include "palette/steady.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 5) readonly buffer Colours { uint colours[]; };
layout (push_constant) uniform Push
{
  uint first, end;              // threads
};

const uint SIDE = 1u << LIGHT_SHIFT;

void
main ()
{
  uint block = first / 256 + gl_WorkGroupID.x, i = gl_LocalInvocationID.x;
  uint step = state.block_shift - LIGHT_SHIFT;
  uint x = block % state.columns * SIDE + i % SIDE << step;
  uint y = block / state.columns * SIDE + i / SIDE << step;
  bool is_there = x < state.width && y < state.height;
  uint colour = is_there ? colours[y * state.width + x] : TRANSPARENT;
  bool is_counted = (colour & TRANSPARENT) == 0;
  uint light = (colour >> 16 & 255) + 2 * (colour >> 8 & 255) + (colour & 255);
  uint sum = group_sum (is_counted ? light : 0);
  uint n = group_sum (uint (is_counted));

  if (i == 0)
    state.blocks[block].light = n == 0 ? 0 : (2 * 64 * sum + n) / (2 * n);
}
