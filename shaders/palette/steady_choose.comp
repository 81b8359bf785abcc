// SPDX-License-Identifier: LGPL-2.1-or-later
// Every pixel takes the mode that its cell offers, or keeps the one that it
// holds.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/shared.h"
#include "palette/steady.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 5) readonly buffer Colours { uint colours[]; };
layout (std430, binding = 6) readonly buffer Cells { uint cells[]; };
layout (std430, binding = 7) readonly buffer Owners { uint owners[]; };
layout (std430, binding = 8) readonly buffer Homes { uint homes[]; };
layout (std430, binding = 9) buffer Holds { uint holds[]; };
layout (push_constant) uniform Push
{
  uint first, end;              // threads
};

uint
offer_of (uint cell, uint level)
{
  return owners[place_of_cell (level == 0 ? cell
          : cell_at_level (cell, level), grid.first_word[level])];
}

// The mode that is left of those that met.
uint
left_of (uint slot)
{
  uint home = modes[slot].home;

  return home == NOT_OCCUPIED ? slot : homes[home];
}

uint
block_of (uint at)
{
  uint y = at / state.width, x = at - y * state.width;

  return (y >> state.block_shift) * state.columns + (x >> state.block_shift);
}

// What becomes of a pixel that holds another mode than the one it is offered.
uint
compare (SteadyHold firmness, uint cell, uint offered, uint held, uint waits)
{
  ivec3 middle = middle_of (cell, 0);

  if (squared_distance (middle, offered) + firmness.margin
      >= squared_distance (middle, held))
    return held;
  waits = min (waits + state.ms, WAITS_MOST);
  return waits > firmness.patience ? offered : held | waits << WAITS_SHIFT;
}

// All but the first would queue up.
void
note (uint slot)
{
  uint word = slot / 32, bit = 1u << slot % 32;

  if ((state.held[word] & bit) == 0
      && (atomicOr (state.held[word], bit) & bit) == 0)
    atomicAdd (grid.output_colours, 1);
}

void
take (uint at, uint hold, uint chosen)
{
  if (chosen != hold)
    holds[at] = chosen;
  if ((chosen & HOLDS_NONE) == 0)
    note (chosen & 0xffff);
}

// What a pixel is offered, and takes where it is not counted.
uint
offered_to (uint at, uint cell, uint level)
{
  return (cell & PIXEL_STAYS) != 0 ? HOLDS_NONE | colours[at] & 0xffffff
      : offer_of (cell & CELL_NUMBER, level);
}

bool
has_to_compare (uint hold, uint offered)
{
  return state.begins_anew == 0 && ((offered | hold) & HOLDS_NONE) == 0
      && (hold & 0xffff) != offered;
}

// Four pixels take what they are offered, but for those that have to compare:
// these are returned as bits. All is read before anything is written, so that
// the device waits once.
uint
take_four (uint first_at, uint level)
{
  uint hold[4], offered[4], undecided = 0;

  for (uint i = 0; i < 4; i++) {
    uint at = min (first_at + i * 256, grid.n_pixels - 1);

    hold[i] = holds[at];
    offered[i] = offered_to (at, cells[at], level);
  }
  for (uint i = 0; i < 4; i++) {
    uint at = first_at + i * 256;

    if (at < grid.n_pixels && has_to_compare (hold[i], offered[i]))
      undecided |= 1u << i;
    else if (at < grid.n_pixels)
      take (at, hold[i], offered[i]);
  }
  return undecided;
}

void
take_nearer (uint at, uint level)
{
  uint cell = cells[at], hold = holds[at];
  uint offered = offer_of (cell & CELL_NUMBER, level);
  uint held = left_of (hold & 0xffff);
  SteadyHold firmness = state.hold;

  if ((cell & PIXEL_CHANGED) != 0)
    firmness = state.blocks[block_of (at)].hold;
  take (at, hold, held == offered ? offered
      : compare (firmness, cell & CELL_NUMBER, offered, held,
          hold >> WAITS_SHIFT));
}

void
main ()
{
  uint first_at = (first + gl_WorkGroupID.x * 256) * PIXELS_PER_THREAD
      + gl_LocalInvocationID.x;
  uint level = grid_level (), undecided = 0;

  for (uint i = 0; i < PIXELS_PER_THREAD; i += 4)
    undecided |= take_four (first_at + i * 256, level) << i;
  // Few are: all that is dear comes as often as it does for any lane.
  for (; undecided != 0; undecided &= undecided - 1)
    take_nearer (first_at + findLSB (undecided) * 256, level);
}
