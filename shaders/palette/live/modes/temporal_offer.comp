// SPDX-License-Identifier: LGPL-2.1-or-later
// Gives every occupied bin the owner of its summit. With a limit of modes, limit_assign.comp
// gives bins their owners.
#version 450
#extension GL_GOOGLE_include_directive : require
#define LIVE BINS_LIVE
#include "palette/live/bins.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 3) readonly buffer Uphill { uint uphill[]; };
layout (std430, binding = 4) buffer Owners { uint owners[]; };
layout (push_constant) uniform Push
{
  uint first, end;
};

DEFINE_SUMMIT_OF (uphill)

void
main ()
{
  load_grid ();
  uint i = first + gl_GlobalInvocationID.x;

  if (i >= min (end, live.occupied[live_level ()]))
    return;
  uint summit = summit_of (i);

  if (summit != i)
    owners[i] = owners[summit];
}
