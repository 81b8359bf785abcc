// SPDX-License-Identifier: LGPL-2.1-or-later
// Computes the luma of every block of the frame, and how much its samples changed since
// the frame before; one workgroup for each block.
// Workgroups are small, as on a CPU device every invocation that waits at a barrier
// costs time.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/live/modes/temporal.glsl"
#include "palette/count/luma.glsl"

layout (local_size_x = 64) in;
#define GROUP_THREADS gl_WorkGroupSize.x
#include "core/group.glsl"
#include "palette/live/colour_change.glsl"
layout (std430, binding = 5) readonly buffer Colours { uint colours[]; };
// Colours of the samples of the frame before, by block.
layout (std430, binding = 6) buffer Samples { uint samples[]; };
layout (push_constant) uniform Push
{
  uint first, end;              // samples, 256 in each block
  uint first_row;               // first bound row of pixels
};

// A sum of changes of samples, with a 1 at CHANGE_COUNT_SHIFT for each of them.
const uint CHANGE_COUNT_SHIFT = 20;

// Takes the place of a sample of the frame before. Returns its change as above, or 0 if
// either is not counted.
uint
replace (uint number, uint colour)
{
  uint before = samples[number];

  samples[number] = colour;
  return ((before | colour) & TRANSPARENT) != 0 ? 0
      : 1u << CHANGE_COUNT_SHIFT | change_of_colour (before, colour);
}

uint
change_of_sum (uint sum)
{
  uint n = sum >> CHANGE_COUNT_SHIFT;
  uint change = sum & (1u << CHANGE_COUNT_SHIFT) - 1;

  return n == 0 ? NO_CHANGE : min (8 * change / n, MOST_CHANGE);
}

void
main ()
{
  uint block = first / 256 + gl_WorkGroupID.x, sum = 0, changes = 0;
  uvec2 begin = uvec2 (block % state.frame.blocks.columns, block / state.frame.blocks.columns)
      << state.frame.blocks.shift;

  for (uint i = gl_LocalInvocationID.x; i < LUMA_SIDE * LUMA_SIDE;
      i += GROUP_THREADS) {
    uvec2 at = looked_at (i, begin, state.frame.blocks.shift);

    if (at.x < state.frame.width && at.y < state.frame.height) {
      uint colour = colours[(at.y - first_row) * state.frame.width + at.x];

      sum += luma_of (colour);
      changes += replace (256 * block + i, colour);
    }
  }
  sum = group_sum (sum);
  changes = group_sum (changes);
  if (gl_LocalInvocationID.x == 0) {
    state.blocks[block].luma = luma_of_sum (sum);
    state.blocks[block].change = change_of_sum (changes);
  }
}
