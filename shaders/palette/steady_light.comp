// SPDX-License-Identifier: LGPL-2.1-or-later
// The luminance of every block of the frame, a workgroup each: a small one, as a
// CPU device pays for every thread that waits for others.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/steady.glsl"

layout (local_size_x = 64) in;
#define GROUP_THREADS gl_WorkGroupSize.x
layout (std430, binding = 5) readonly buffer Colours { uint colours[]; };
#include "palette/light.glsl"
layout (push_constant) uniform Push
{
  uint first, end;              // pixels, 256 of every block
};

void
main ()
{
  uint block = first / 256 + gl_WorkGroupID.x;
  uint light = light_of_block (block, Blocks (state.width, state.height,
          state.block_shift, state.columns));

  if (gl_LocalInvocationID.x == 0)
    state.blocks[block].light = light;
}
