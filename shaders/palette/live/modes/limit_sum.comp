// SPDX-License-Identifier: LGPL-2.1-or-later
// Sums what every candidate saves, and the bins that are near their modes.
#define OF_SUMS
#include "palette/live/modes/limit.glsl"

layout (local_size_x = LIMIT_MOST) in;
#define MEAN 5
#include "palette/live/bin_mean.glsl"
#define SUMMED state
#include "palette/live/modes/limit_share.glsl"
layout (std430, binding = 7) readonly buffer List { uint list[]; };
layout (std430, binding = 8) readonly buffer Owners { uint owners[]; };
layout (std430, binding = 9) readonly buffer Uphill { uint uphill[]; };    // the summits
layout (push_constant) uniform Push { uint first, end; };

// By slot: whether the mode has a candidate, and its place.
shared bool has_candidate[LIMIT_MOST];
shared ivec3 place[LIMIT_MOST];
// Of the bins of a workgroup, as there are few candidates.
shared uint saved[LIMIT_MOST][2];

void look_at_candidate (uint slot, uint level)
{
  uint candidate = state.trials[slot].candidate;

  saved[slot][0] = saved[slot][1] = 0;
  has_candidate[slot] = candidate != NO_CANDIDATE;
  if (has_candidate[slot])
    place[slot] = middle_of (list[candidate], level);
}

void save (uint n, ivec3 middle, uint before)
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

void look_at_bin (uint i, uint level)
{
  uint slot = owners[i];
  ivec3 middle = middle_of (list[i], level), at = middle;

  if (slot == COLOURS_STAY)
    return;
  if (counts_by_summit ())
    at = middle_of (list[place_of_summit (uphill[i])], level);
  else
    add_bin (i, slot, middle);
  save (sums[i].n, at, squared_distance (at, place_of (slot)));
}

void main ()
{
  load_grid ();
  load_frame ();
  uint i = first + gl_GlobalInvocationID.x, level = live_level ();
  uint slot = gl_LocalInvocationID.x;

  look_at_candidate (slot, level);
  shares[slot] = NO_SHARE;
  barrier ();
  if (i < min (end, live.occupied[level]))
    look_at_bin (i, level);
  barrier ();
  add_share (slot);

  uvec2 more = uvec2 (saved[slot][0], saved[slot][1]);

  if (more != uvec2 (0))
    WIDE_ATOMIC_ADD (state.trials[slot].saved[0], state.trials[slot].saved[1], more);
}
