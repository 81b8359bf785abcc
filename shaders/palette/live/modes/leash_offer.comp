// SPDX-License-Identifier: LGPL-2.1-or-later
// Gives every bin that strays the nearest mode: its own, or one of the cells around it.
#include "palette/live/modes/temporal.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 5) readonly buffer List { uint list[]; };
layout (std430, binding = 6) buffer Owners { uint owners[]; };
#define CELLS 7
#include "palette/live/modes/leash.glsl"
layout (std430, binding = 8) writeonly buffer OwnedBins { OwnedBin owned_bins[]; };
layout (push_constant) uniform Push { uint first, end; };

const uint CELLS_AROUND = 27;

// Returns the modes of a cell and of those around it, in order. All are loaded at once, so that a
// GPU waits for memory once; so are their places below.
uint[CELLS_AROUND]
modes_around (int cell)
{
  ivec2 along = ivec2 (frame.leash.along[0], frame.leash.along[1]);
  uint around[CELLS_AROUND];

  for (int i = 0; i < int (CELLS_AROUND); i++)
    around[i] =
        cells[cell + ((i / 9 - 1) * along.y + i / 3 % 3 - 1) * along.x + i % 3 - 1].mode;
  return around;
}

uint nearest_of (uint slot, ivec3 middle)
{
  uint around[CELLS_AROUND] = modes_around (int (cell_of (middle)));
  uint least = squared_distance (middle, place_of (slot));

  for (uint i = 0; i < CELLS_AROUND; i++) {
    uint mode = around[i] == NO_MODE ? slot : around[i] & OWNED - 1;
    uint distance = squared_distance (middle, place_of (mode));

    slot = distance < least ? mode : slot;
    least = min (least, distance);
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

  owners[i] = owned_bins[state.turn * BIN_CAPACITY + i].slot = slot;
  keep (slot);
}
