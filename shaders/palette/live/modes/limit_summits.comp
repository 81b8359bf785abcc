// SPDX-License-Identifier: LGPL-2.1-or-later
// Finds the summit of every bin, and lists the summits, in any order. With a leash, a bin that
// strays is a summit itself; its way stays as it is, as bins farther down may still follow it.
#include "palette/live/modes/limit.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 5) buffer Uphill { uint uphill[]; };
layout (std430, binding = 6) writeonly buffer Summits { uint summits[]; };
layout (std430, binding = 7) readonly buffer List { uint list[]; };
layout (std430, binding = 8) writeonly buffer Ends { uint ends[]; };
layout (push_constant) uniform Push { uint first, end; };

DEFINE_SUMMIT_OF (uphill)

// Returns whether a bin is farther from its summit than the leash.
bool strays (uint i, uint summit, uint level)
{
  return frame.leash.squared != 0 && squared_distance (middle_of (list[i], level),
      middle_of (list[summit], level)) > frame.leash.squared;
}

void main ()
{
  load_grid ();
  load_frame ();
  uint i = first + gl_GlobalInvocationID.x, level = live_level ();

  if (i >= min (end, live.occupied[level]))
    return;
  uint summit = summit_of (i);

  if (strays (i, summit, level))
    summit = i | BIN_STRAYS;
  ends[i] = summit;
  if (place_of_summit (summit) == i)
    summits[atomicAdd (state.limited.n_summits, 1)] = summit;
}
