// SPDX-License-Identifier: LGPL-2.1-or-later
// Adds the weight of every bin to its summit. If there are too few summits, makes every
// bin a summit.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/live/modes/temporal.glsl"
#include "palette/live/modes/limit.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 5) readonly buffer Sums { BinSums sums[]; };
layout (std430, binding = 6) buffer Uphill { uint uphill[]; };
layout (std430, binding = 7) buffer Weights { uint weights[]; };
layout (push_constant) uniform Push
{
  uint first, end;
};

DEFINE_SUMMIT_OF (uphill)

void
main ()
{
  load_grid ();
  load_frame ();
  uint i = first + gl_GlobalInvocationID.x;

  if (i >= min (end, live.occupied[live_level ()]))
    return;
  if (is_flat ()) {
    uphill[i] = i;
    weights[i] = sums[i].n;
    return;
  }
  uint summit = summit_of (i);

  // Kernels after this one find the summit at once. Others in this dispatch may read either
  // word: both lead to this summit.
  uphill[i] = summit;
  atomicAdd (weights[summit], sums[i].n);
}
