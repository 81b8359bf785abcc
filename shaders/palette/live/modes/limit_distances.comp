// SPDX-License-Identifier: LGPL-2.1-or-later
// Computes the squared distance of every summit to the nearest mode of the frame before,
// if there are free slots.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/live/modes/temporal.glsl"
#include "palette/live/modes/limit.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 5) readonly buffer List { uint list[]; };
layout (std430, binding = 6) readonly buffer Uphill { uint uphill[]; };
layout (std430, binding = 7) writeonly buffer Distances { uint distances[]; };
layout (push_constant) uniform Push
{
  uint first, end;
};

// Returns the squared distance to the nearest mode, 0 if a mode's home is this bin, or
// NO_MODE if there are no modes.
uint
distance_to_modes (uint bin, ivec3 middle)
{
  uint least = NO_MODE;

  for (uint word = 0; word < LIMIT_WORDS; word++)
    for (uint left = state.limited.standing[word]; left != 0; left &= left - 1) {
      uint slot = word * 32 + findLSB (left);

      least = min (least, modes[slot].home == bin ? 0
          : squared_distance (middle, place_of (slot)));
    }
  return least;
}

void
main ()
{
  load_grid ();
  load_frame ();
  uint i = first + gl_GlobalInvocationID.x, level = live_level ();

  if (i < min (end, live.occupied[level]) && uphill[i] == i
      && count_free_slots () > 0)
    distances[i] = distance_to_modes (list[i], middle_of (list[i], level));
}
