// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup gives cells without a mode one of their own, if the strays in them weigh enough.
#include "core/group.glsl"
#include "palette/live/modes/temporal.glsl"
#include "palette/live/modes/shown_mode.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 6) readonly buffer Totals { uint totals[]; };
#define CELLS 7
#include "palette/live/modes/leash.glsl"
#include "palette/live/modes/free_slots.glsl"

// Returns the number of summits that became modes.
uint count_new ()
{
  uint n_groups = (live.occupied[live_level ()] + 255) / 256, n = 0;

  for (uint i = gl_LocalInvocationID.x; i < n_groups; i += 256)
    n += totals[i];
  return group_sum (n);
}

// Returns 1 if a cell gets a mode, else 0. Loads both words at once: a GPU waits for memory once.
uint founds (uint cell, uint least)
{
  return uint (cells[cell].mode == NO_MODE) & uint (cells[cell].strays.n >= least);
}

// Makes the mode of a cell.
void found (uint cell, uint slot)
{
  ModeShare strays = cells[cell].strays;

  set_colour (slot, mean_of_sums (sums_of_share (strays), strays.n));
  show_mode (slot);
  cells[cell].mode = slot;
  // In a held frame all modes stay, even one that no stray takes.
  if (frame.holds_palette != HOLDS_NO_PALETTE)
    own (slot);
}

void main ()
{
  load_grid ();
  load_frame ();
  uint per_lane = (frame.leash.cells + 255) / 256, n = 0, all;
  uint begin = min (gl_LocalInvocationID.x * per_lane, frame.leash.cells);
  uint end = min (begin + per_lane, frame.leash.cells);
  // A held palette gets no further modes, unless it begins.
  bool may_found = frame.holds_palette == HOLDS_NO_PALETTE || state.n_slots == 0;
  uint least = may_found ? (state.weight - 1) / LEAST_STRAYS + 1 : NO_MODE;

  if (live.rest == SETTLED_AFTER)
    return;
  for (uint word = gl_LocalInvocationID.x; word < SLOT_WORDS; word += 256)
    state.with_summit[word] = state.owning[word];
  for (uint cell = begin; cell < end; cell++)
    n += founds (cell, least);
  uint number = group_exclusive_scan (n, all);

  if (all == 0)
    return;
  // All invocations have copied the bitmap that own() changes.
  barrier ();
  number += count_new ();
  for (uint cell = begin; cell < end; cell++) {
    uint slot = founds (cell, least) != 0 ? free_slot (number++) : MODE_CAPACITY;

    if (slot < frame.capacity)
      found (cell, slot);
  }
}
