// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup fills free slots with summits, one after the other: each time the
// summit with the greatest product of its weight and its squared distance to the
// nearest mode so far. A dispatch fills FARTHEST_PER_DISPATCH slots at most, as CPU
// devices leave loops after 65535 rounds in total.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/live/modes/temporal.glsl"
#define TABLES 5
#include "palette/live/modes/shown_mode.glsl"
#include "palette/live/modes/limit.glsl"
#include "palette/live/modes/limit_slots.glsl"

layout (local_size_x = 256) in;
#define MEAN 6
#include "palette/live/bin_mean.glsl"
layout (std430, binding = 8) readonly buffer List { uint list[]; };
layout (std430, binding = 9) readonly buffer Summits { uint summits[]; };
layout (std430, binding = 10) readonly buffer Weights { uint weights[]; };
// Squared distance of each candidate to the nearest mode, 0 if a mode's home is its bin.
// Each invocation accesses its own candidates only.
layout (std430, binding = 11) buffer Distances { uint distances[]; };

uint
count_candidates ()
{
  return is_flat () ? live.occupied[live_level ()] : state.limited.n_summits;
}

uint
candidate (uint number)
{
  return is_flat () ? number : summits[number];
}

// The newest mode, with which no candidate has been compared yet.
shared bool has_new;
shared ivec3 new_place;
shared uint new_home;

uint
distance_to_new (uint bin, uint level)
{
  return bin == new_home ? 0
      : squared_distance (middle_of (bin, level), new_place);
}

shared uint greatest, first_summit;

// Returns the candidate with the greatest product, the first of several; NOBODY if the
// greatest product is 0.
uint
best_summit (uint n, uint level)
{
  uint mine = 0, summit = NOBODY;

  for (uint i = gl_LocalInvocationID.x; i < n; i += 256) {
    uint at = candidate (i), distance = distances[at];

    if (has_new)
      distance = min (distance, distance_to_new (list[at], level));
    distances[at] = distance;

    uint product = leading_product (weights[at],
        distance == NO_MODE ? 1 : distance);

    if (product > mine || (product == mine && product > 0))
      summit = product > mine ? at : min (at, summit);
    mine = max (mine, product);
  }
  barrier ();
  if (gl_LocalInvocationID.x == 0) {
    greatest = 0;
    first_summit = NOBODY;
  }
  barrier ();
  atomicMax (greatest, mine);
  barrier ();
  if (mine == greatest)
    atomicMin (first_summit, summit);
  barrier ();
  return first_summit;
}

// Called by the first invocation only: others do not see what it writes to the bitmap.
uint
first_free_slot ()
{
  for (uint word = 0; word < LIMIT_WORDS; word++) {
    uint left = ~state.limited.standing[word];

    if (left != 0)
      return word * 32 + findLSB (left);
  }
  return LIMIT_MOST;
}

void
found (uint summit)
{
  uint slot = first_free_slot ();

  set_colour (slot, mean_colour (summit));
  show_mode (slot);
  modes[slot].home = list[summit];
  state.limited.standing[slot / 32] |= 1u << slot % 32;
  state.limited.newest = slot;
  // In a held frame all modes stay, even one that no summit is assigned to.
  if (frame.holds_palette != HOLDS_NO_PALETTE)
    own (slot);
}

void
look_at_new (uint slot)
{
  has_new = slot != NO_SLOT;
  if (!has_new)
    return;
  new_place = place_of (slot);
  new_home = modes[slot].home;
}

void
main ()
{
  load_grid ();
  load_frame ();
  uint n_left = live.changed == 0 ? 0
      : min (count_free_slots (), FARTHEST_PER_DISPATCH);

  if (n_left == 0)
    return;
  uint level = live_level (), n = count_candidates ();

  if (gl_LocalInvocationID.x == 0)
    look_at_new (state.limited.newest);
  barrier ();
  for (; n_left > 0; n_left--) {
    uint summit = best_summit (n, level);

    if (summit == NOBODY)
      return;
    if (gl_LocalInvocationID.x == 0) {
      found (summit);
      look_at_new (state.limited.newest);
    }
    barrier ();
  }
}
