// SPDX-License-Identifier: LGPL-2.1-or-later
// The luminance of every block of the frame, a workgroup each.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common/group.glsl"
#include "common/wide.glsl"
#include "palette/shared.h"
#include "palette/steady.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 5) readonly buffer Colours { uint colours[]; };
layout (push_constant) uniform Push
{
  uint first, end;              // threads
};

void
main ()
{
  uint block = first / 256 + gl_WorkGroupID.x;
  uint shift = state.block_shift, side = 1u << shift;
  uint x = block % state.columns << shift, y = block / state.columns << shift;
  uint sum = 0, n = 0;

  for (uint i = gl_LocalInvocationID.x; i < side << shift; i += 256) {
    uvec2 at = uvec2 (x + (i & (side - 1)), y + (i >> shift));

    if (at.x >= state.width || at.y >= state.height)
      continue;
    uint colour = colours[at.y * state.width + at.x];

    if ((colour & TRANSPARENT) == 0) {
      sum += (colour >> 16) + 2 * (colour >> 8 & 255) + (colour & 255);
      n++;
    }
  }
  sum = group_sum (sum);
  n = group_sum (n);
  if (gl_LocalInvocationID.x == 0)
    state.blocks[block].light =
        wide_divide_rounded_unsigned (wide_multiply (sum, 64), uvec2 (n, 0));
}
