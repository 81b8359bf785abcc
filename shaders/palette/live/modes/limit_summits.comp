// SPDX-License-Identifier: LGPL-2.1-or-later
// Lists the summits, in any order.
#include "palette/live/modes/temporal.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 5) readonly buffer Uphill { uint uphill[]; };
layout (std430, binding = 6) writeonly buffer Summits { uint summits[]; };
layout (push_constant) uniform Push { uint first, end; };

void main ()
{
  load_grid ();
  uint i = first + gl_GlobalInvocationID.x;

  if (i < min (end, live.occupied[live_level ()]) && uphill[i] == i)
    summits[atomicAdd (state.limited.n_summits, 1)] = i;
}
