// SPDX-License-Identifier: LGPL-2.1-or-later
// The luminance of every block of the frame, a workgroup each.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/light.h"

layout (local_size_x = 64) in;
#define GROUP_THREADS gl_WorkGroupSize.x
layout (std430, binding = 0) buffer State { Scene scene; };
layout (std430, binding = 1) readonly buffer Colours { uint colours[]; };
#include "palette/light.glsl"

void
main ()
{
  uint block = gl_WorkGroupID.x;
  uint light = light_of_block (block, Blocks (scene.width, scene.height,
          scene.block_shift, scene.columns));

  if (gl_LocalInvocationID.x == 0)
    scene.light[block] = light;
}
