// SPDX-License-Identifier: LGPL-2.1-or-later
// Finds the candidate of each mode: of its summits the one with the greatest product, the
// first of several.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/live/modes/temporal.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 5) readonly buffer Uphill { uint uphill[]; };
layout (std430, binding = 6) readonly buffer Owners { uint owners[]; };
layout (std430, binding = 7) readonly buffer Products { uint products[]; };
layout (push_constant) uniform Push
{
  uint first, end;
};

void
look_at_summit (uint i)
{
  uint greatest = state.limited.trials[owners[i]].greatest;

  if (greatest != 0 && products[i] == greatest)
    atomicMin (state.limited.trials[owners[i]].candidate, i);
}

void
main ()
{
  load_grid ();
  uint i = first + gl_GlobalInvocationID.x;

  if (i < min (end, live.occupied[live_level ()]) && uphill[i] == i
      && owners[i] != COLOURS_STAY)
    look_at_summit (i);
}
