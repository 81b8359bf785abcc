// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup lists the modes with most pixels.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common/group.glsl"
#include "palette/cells.h"
#include "palette/steady.h"
#include "palette/census.h"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Grid { PaletteGrid grid; };
layout (std430, binding = 1) readonly buffer Modes { SteadyMode modes[]; };
layout (std430, binding = 2) readonly buffer Counters { uint counters[]; };
layout (std430, binding = 3) writeonly buffer List { Census census; };
layout (push_constant) uniform Push
{
  uint recount;
};

uint
count_of (uint slot)
{
  return counters[slot];
}

#include "palette/census_most.glsl"

void
write_mode (uint at, uint rank)
{
  uint slot = listed_slots[at];

  census.modes[rank].colour = modes[slot].shown;
  census.modes[rank].n = listed_counts[at];
  for (uint i = 0; i < 3; i++)
    census.modes[rank].place[i] = modes[slot].place[i];
}

void
main ()
{
  uint at = gl_LocalInvocationID.x, n;

  if (grid.changed == 0 && recount == 0)
    return;
  uint n_pixels = list_most (MODE_CAPACITY, n);

  if (at < n)
    write_mode (at, rank_of (at, n));
  if (at == 0) {
    census.n_pixels = n_pixels + counters[CENSUS_WITHOUT_MODE];
    census.n_modes = n;
  }
}
