// SPDX-License-Identifier: LGPL-2.1-or-later
// Computes the luma of every block of the frame; one workgroup for each block.
// Workgroups are small, as on a CPU device every invocation that waits at a barrier
// costs time.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/live/modes/temporal.glsl"
#include "palette/count/luma.glsl"

layout (local_size_x = 64) in;
#define GROUP_THREADS gl_WorkGroupSize.x
#include "core/group.glsl"
layout (std430, binding = 5) readonly buffer Colours { uint colours[]; };
layout (push_constant) uniform Push
{
  uint first, end;              // samples, 256 in each block
  uint first_row;               // first bound row of pixels
};

void
main ()
{
  uint block = first / 256 + gl_WorkGroupID.x, sum = 0;
  uvec2 begin = uvec2 (block % state.frame.blocks.columns, block / state.frame.blocks.columns)
      << state.frame.blocks.shift;

  for (uint i = gl_LocalInvocationID.x; i < LUMA_SIDE * LUMA_SIDE;
      i += GROUP_THREADS) {
    uvec2 at = looked_at (i, begin, state.frame.blocks.shift);

    if (at.x < state.frame.width && at.y < state.frame.height)
      sum += luma_of (colours[(at.y - first_row) * state.frame.width + at.x]);
  }
  sum = group_sum (sum);
  if (gl_LocalInvocationID.x == 0)
    state.blocks[block].luma = luma_of_sum (sum);
}
