// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup lists the modes with the most pixels.
#include "core/group.glsl"
#include "palette/live/bins.h"
#include "palette/live/modes/temporal.h"
#include "palette/shared/topcolours.h"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Live { LiveState live; };
layout (std430, binding = 1) readonly buffer Modes { TemporalMode modes[]; };
layout (std430, binding = 2) readonly buffer Counters { uint counters[]; };
layout (std430, binding = 3) writeonly buffer Top { TopColours top; };
layout (push_constant) uniform Push { uint recount; };

uint count_of (uint slot)
{
  return counters[slot];
}

#include "palette/shared/top_list.glsl"

void write_mode (uint at, uint rank)
{
  uint slot = listed_slots[at];

  top.modes[rank].colour = modes[slot].shown;
  top.modes[rank].n = listed_counts[at];
  for (uint i = 0; i < 3; i++)
    top.modes[rank].place[i] = modes[slot].place[i];
}

void main ()
{
  uint at = gl_LocalInvocationID.x, n;

  if (live.rest == SETTLED_AFTER && recount == 0)
    return;
  uint n_pixels = list_most (MODE_CAPACITY, n);

  if (at < n)
    write_mode (at, rank_of (at, n));
  if (at == 0) {
    top.n_pixels = n_pixels + counters[TOP_WITHOUT_MODE];
    top.n_modes = n;
  }
}
