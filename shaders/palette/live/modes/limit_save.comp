// SPDX-License-Identifier: LGPL-2.1-or-later
// Sums what every candidate saves.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/live/modes/temporal.glsl"
#include "palette/live/modes/limit.glsl"

layout (local_size_x = LIMIT_MOST) in;
layout (std430, binding = 5) readonly buffer List { uint list[]; };
layout (std430, binding = 6) readonly buffer Sums { BinSums sums[]; };
layout (std430, binding = 7) readonly buffer Owners { uint owners[]; };
layout (std430, binding = 8) readonly buffer Uphill { uint uphill[]; };
layout (push_constant) uniform Push
{
  uint first, end;
};

DEFINE_SUMMIT_OF (uphill)

// By slot: whether the mode has a candidate, and its place.
shared bool has_candidate[LIMIT_MOST];
shared ivec3 place[LIMIT_MOST];
// Of the bins of a workgroup, as there are few candidates.
shared uint saved[LIMIT_MOST][2];

void
look_at_candidate (uint slot, uint level)
{
  uint candidate = state.limited.trials[slot].candidate;

  saved[slot][0] = saved[slot][1] = 0;
  has_candidate[slot] = candidate != NO_CANDIDATE;
  if (has_candidate[slot])
    place[slot] = middle_of (list[candidate], level);
}

void
save (uint n, ivec3 middle, uint before)
{
  for (uint slot = 0; slot < frame.capacity; slot++) {
    if (!has_candidate[slot])
      continue;
    uint after = squared_distance (middle, place[slot]);

    if (after < before) {
      uvec2 more = wide_multiply (n, loss_of (before) - loss_of (after));

      WIDE_ATOMIC_ADD (saved[slot][0], saved[slot][1], more);
    }
  }
}

void
main ()
{
  load_grid ();
  load_frame ();
  uint i = first + gl_GlobalInvocationID.x, level = live_level ();
  uint slot = gl_LocalInvocationID.x;

  look_at_candidate (slot, level);
  barrier ();
  if (i < min (end, live.occupied[level]) && owners[i] != COLOURS_STAY) {
    ivec3 middle = middle_of (list[counts_by_summit () ? summit_of (i) : i], level);

    save (sums[i].n, middle, squared_distance (middle, place_of (owners[i])));
  }
  barrier ();

  uvec2 more = uvec2 (saved[slot][0], saved[slot][1]);

  if (more != uvec2 (0))
    WIDE_ATOMIC_ADD (state.limited.trials[slot].saved[0],
        state.limited.trials[slot].saved[1], more);
}
