// SPDX-License-Identifier: LGPL-2.1-or-later
// Adds every bin that is near its mode to the mode's share; with FIRST defined only if all
// modes are new.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/live/modes/temporal.glsl"
#include "palette/live/modes/limit.glsl"

layout (local_size_x = 256) in;
#define MEAN 5
#include "palette/live/bin_mean.glsl"
layout (std430, binding = 7) readonly buffer List { uint list[]; };
layout (std430, binding = 8) readonly buffer Owners { uint owners[]; };
layout (push_constant) uniform Push
{
  uint first, end;
};

#ifdef FIRST
const bool IS_FIRST = true;
#else
const bool IS_FIRST = false;
#endif

// Shares of a workgroup, added up in shared memory first, as there are few modes.
shared ModeShare shares[LIMIT_MOST];

#define DEFINE_ADD(add, share) \
void \
add (uint slot, uint n, uvec2 of[3]) \
{ \
  atomicAdd (share.n, n); \
  for (uint i = 0; i < 3; i++) \
    WIDE_ATOMIC_ADD (share.low[i], share.high[i], of[i]) \
}

DEFINE_ADD (add_to_group, shares[slot])
DEFINE_ADD (add_to_frame, state.limited.shares[slot])

void
gather (uint i, ivec3 middle)
{
  uint slot = owners[i];

  if (slot == COLOURS_STAY)
    return;
  if (squared_distance (middle, place_of (slot)) <= frame.limit.ball)
    add_to_group (slot, sums[i].n, wide_sums (i));
}

void
main ()
{
  load_grid ();
  load_frame ();
  uint i = first + gl_GlobalInvocationID.x, level = live_level ();
  uint slot = gl_LocalInvocationID.x;
  const uint[3] none = uint[3] (0, 0, 0);

  shares[slot] = ModeShare (0, none, none);
  barrier ();
  if (i < min (end, live.occupied[level]) && !(IS_FIRST && !begins_with_means ()))
    gather (i, middle_of (list[i], level));
  barrier ();

  ModeShare share = shares[slot];

  if (share.n != 0)
    add_to_frame (slot, share.n, uvec2[3] (
            uvec2 (share.low[0], share.high[0]),
            uvec2 (share.low[1], share.high[1]),
            uvec2 (share.low[2], share.high[2])));
}
