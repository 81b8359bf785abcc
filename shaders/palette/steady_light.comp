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

// The first of @size pixels that is in part @i of @n.
uint
start_of (uint i, uint n, uint size)
{
  return (i * size + n - 1) / n;
}

void
main ()
{
  uint block = first / 256 + gl_WorkGroupID.x;
  uint column = block % state.columns, row = block / state.columns;
  uint x = start_of (column, state.columns, state.width);
  uint y = start_of (row, state.rows, state.height);
  uint side = start_of (column + 1, state.columns, state.width) - x;
  uint n_pixels = side
      * (start_of (row + 1, state.rows, state.height) - y);
  uint sum = 0, n = 0;

  for (uint i = gl_LocalInvocationID.x; i < n_pixels; i += 256) {
    uint colour = colours[(y + i / side) * state.width + x + i % side];

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
