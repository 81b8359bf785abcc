// SPDX-License-Identifier: LGPL-2.1-or-later
// Assigns each summit to the nearest mode, or to none if there are no modes.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/live/modes/temporal.glsl"
#include "palette/live/modes/limit.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 5) readonly buffer List { uint list[]; };
layout (std430, binding = 6) readonly buffer Ahead { uint ahead[]; };
layout (std430, binding = 7) readonly buffer Weights { uint weights[]; };
layout (std430, binding = 8) writeonly buffer Owners { uint owners[]; };
layout (push_constant) uniform Push
{
  uint first, end;
};

// The plain read avoids most atomics. The value only grows during the dispatch: if the
// read is stale, the atomic decides.
void
note_product (uint product)
{
  if (product > state.limited.greatest)
    atomicMax (state.limited.greatest, product);
}

void
assign (uint i, uint bin, ivec3 middle)
{
  uint nearest = NOBODY, least = NOBODY;
  bool is_home = false;

  for (uint word = 0; word < LIMIT_WORDS; word++)
    for (uint left = state.limited.standing[word]; left != 0; left &= left - 1) {
      uint slot = word * 32 + findLSB (left);
      uint distance = squared_distance (middle, place_of (slot));

      is_home = is_home || modes[slot].home == bin;
      if (distance < least) {
        least = distance;
        nearest = slot;
      }
    }
  owners[i] = nearest == NOBODY ? COLOURS_STAY : nearest;
  if (nearest == NOBODY)
    return;
  own (nearest);
  if (!is_home)
    note_product (leading_product (weights[i], least));
}

void
main ()
{
  uint i = first + gl_GlobalInvocationID.x, level = live_level ();

  if (i < min (end, live.occupied[level]) && ahead[i] == i)
    assign (i, list[i], middle_of (list[i], level));
}
