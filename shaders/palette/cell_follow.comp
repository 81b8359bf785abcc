// SPDX-License-Identifier: LGPL-2.1-or-later
// Every occupied cell looks for its summit, so many steps at a time. Others do so
// at the same time: what they found is further up the same way.
#version 450
#extension GL_GOOGLE_include_directive : require
#define GRID 0
#define WORDS 1
#include "palette/cells.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 2) buffer Next { uint next[]; };
layout (push_constant) uniform Push
{
  uint first, end;
};

const uint STEPS = 64;

void
main ()
{
  uint i = first + gl_GlobalInvocationID.x;

  if (i >= min (end, grid.occupied[grid_level ()]))
    return;
  uint at = next[i], after = next[at];

  for (uint step = 1; step < STEPS && after != at; step++) {
    at = after;
    after = next[at];
  }
  next[i] = at;
}
