// SPDX-License-Identifier: LGPL-2.1-or-later
// Gives every bin that strays the nearest mode: that of its summit, or one of the cells around it.
#include "palette/live/modes/temporal.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 5) readonly buffer List { uint list[]; };
layout (std430, binding = 6) buffer Owners { uint owners[]; };
#define CELLS 7
#include "palette/live/modes/leash.glsl"
layout (push_constant) uniform Push { uint first, end; };

uint nearest_of (uint slot, ivec3 middle)
{
  uint least = squared_distance (middle, place_of (slot));
  int cell = int (cell_of (middle));
  ivec2 along = ivec2 (frame.leash.along[0], frame.leash.along[1]);

  for (int i = 0; i < 27; i++) {
    uint mode = cells[cell + ((i / 9 - 1) * along.y + i / 3 % 3 - 1) * along.x + i % 3 - 1].mode;

    if (mode == NO_MODE)
      continue;
    mode &= OWNED - 1;
    uint distance = squared_distance (middle, place_of (mode));

    if (distance < least) {
      least = distance;
      slot = mode;
    }
  }
  return slot;
}

void main ()
{
  load_grid ();
  load_frame ();
  uint i = first + gl_GlobalInvocationID.x, level = live_level ();

  if (i >= min (end, live.occupied[level])
      || (owners[i] & (PIXEL_WITHOUT_MODE | BIN_STRAYS)) != BIN_STRAYS)
    return;
  uint slot = nearest_of (owners[i] & ~BIN_STRAYS, middle_of (list[i], level));

  owners[i] = slot;
  own (slot);
}
