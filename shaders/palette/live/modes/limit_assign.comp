// SPDX-License-Identifier: LGPL-2.1-or-later
// Assigns each bin to the nearest mode, or to none if there are no modes. Sums what modes
// are worth, and finds the greatest product among the summits of each; with FIRST defined
// only assigns, if all modes are new.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/live/modes/temporal.glsl"
#include "palette/live/modes/limit.glsl"

layout (local_size_x = LIMIT_MOST) in;
layout (std430, binding = 5) readonly buffer List { uint list[]; };
layout (std430, binding = 6) readonly buffer Uphill { uint uphill[]; };
layout (std430, binding = 7) readonly buffer Sums { BinSums sums[]; };
layout (std430, binding = 8) readonly buffer Weights { uint weights[]; };
layout (std430, binding = 9) writeonly buffer Owners { uint owners[]; };
// Of a summit.
layout (std430, binding = 10) writeonly buffer Products { uint products[]; };
layout (push_constant) uniform Push
{
  uint first, end;
};

DEFINE_SUMMIT_OF (uphill)

#ifdef FIRST
const bool IS_FIRST = true;
#else
const bool IS_FIRST = false;
#endif

// Of the bins of a workgroup, as there are few modes.
shared uint worth[LIMIT_MOST][2], greatest[LIMIT_MOST];

struct Nearest
{
  uint slot;
  uint least, second;           // squared distances to the nearest two modes, or NOBODY
  bool is_home;                 // the home of a mode
};

Nearest
nearest_modes (uint bin, ivec3 middle)
{
  Nearest nearest = Nearest (COLOURS_STAY, NOBODY, NOBODY, false);

  for (uint word = 0; word < LIMIT_WORDS; word++)
    for (uint left = state.limited.standing[word]; left != 0; left &= left - 1) {
      uint slot = word * 32 + findLSB (left);
      uint distance = squared_distance (middle, place_of (slot));

      nearest.is_home = nearest.is_home || modes[slot].home == bin;
      nearest.second = min (nearest.second, max (nearest.least, distance));
      if (distance < nearest.least) {
        nearest.least = distance;
        nearest.slot = slot;
      }
    }
  return nearest;
}

void
weigh_mode (uint i, Nearest nearest)
{
  uvec2 more = wide_multiply (sums[i].n, loss_of (nearest.second) - loss_of (nearest.least));

  WIDE_ATOMIC_ADD (worth[nearest.slot][0], worth[nearest.slot][1], more);
}

void
look_at_summit (uint i, Nearest nearest)
{
  uint product = nearest.is_home ? 0 : leading_product (weights[i], nearest.least);

  products[i] = product;
  atomicMax (greatest[nearest.slot], product);
}

void
assign (uint i, uint bin, ivec3 middle)
{
  Nearest nearest = nearest_modes (bin, middle);

  owners[i] = nearest.slot;
  if (IS_FIRST || nearest.slot == COLOURS_STAY)
    return;
  own (nearest.slot);
  // Of a single mode nothing is compared.
  if (nearest.second == NOBODY)
    return;
  weigh_mode (i, nearest);
  if (uphill[i] == i)
    look_at_summit (i, nearest);
}

void
add_to_frame (uint slot)
{
  uvec2 more = uvec2 (worth[slot][0], worth[slot][1]);

  if (more != uvec2 (0))
    WIDE_ATOMIC_ADD (state.limited.trials[slot].worth[0],
        state.limited.trials[slot].worth[1], more);
  if (greatest[slot] != 0)
    atomicMax (state.limited.trials[slot].greatest, greatest[slot]);
}

void
main ()
{
  load_grid ();
  load_frame ();
  uint i = first + gl_GlobalInvocationID.x, level = live_level ();
  uint slot = gl_LocalInvocationID.x;

  worth[slot][0] = worth[slot][1] = greatest[slot] = 0;
  barrier ();
  if (i < min (end, live.occupied[level]) && !(IS_FIRST && !begins_with_means ())) {
    uint bin = list[counts_by_summit () ? summit_of (i) : i];

    assign (i, bin, middle_of (bin, level));
  }
  barrier ();
  add_to_frame (slot);
}
