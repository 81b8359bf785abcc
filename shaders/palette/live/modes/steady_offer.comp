// SPDX-License-Identifier: LGPL-2.1-or-later
// Every occupied cell offers what its summit does.
#version 450
#extension GL_GOOGLE_include_directive : require
#define GRID 0
#include "palette/live/cells.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 3) readonly buffer Ahead { uint ahead[]; };
layout (std430, binding = 4) buffer Owners { uint owners[]; };
layout (push_constant) uniform Push
{
  uint first, end;
};

DEFINE_FOLLOW (ahead)

void
main ()
{
  uint i = first + gl_GlobalInvocationID.x;

  if (i >= min (end, grid.occupied[grid_level ()]))
    return;
  uint summit = follow (i);

  if (summit != i)
    owners[i] = owners[summit];
}
