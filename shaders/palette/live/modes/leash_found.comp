// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup gives cells of strays their modes: those that there are, and where strays weigh
// enough, further ones.
#include "core/group.glsl"
#include "palette/live/modes/temporal.glsl"
#include "palette/live/modes/shown_mode.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 6) readonly buffer Totals { uint totals[]; };
layout (std430, binding = 7) readonly buffer Homes { uint homes[]; };
#define CELLS 8
#include "palette/live/modes/leash.glsl"
#include "palette/live/modes/free_slots.glsl"

// Returns whether a mode of the frame before is not one that met another and went.
bool stays (uint slot)
{
  uint home = modes[slot].home;

  return home == NOT_OCCUPIED || homes[home] == slot;
}

// Enters every mode in its cell. Of several one without a summit comes first, then that in the
// first slot.
void enter_modes ()
{
  for (uint word = gl_LocalInvocationID.x; word < SLOT_WORDS; word += 256) {
    uint owned = state.owning[word];

    state.with_summit[word] = owned;
    for (uint left = state.taken[word] | owned; left != 0; left &= left - 1) {
      uint bit = left & -left, slot = word * 32 + findLSB (left);
      bool is_owned = (owned & bit) != 0;

      if (is_owned || stays (slot))
        atomicMin (cells[cell_of (place_of (slot))].mode, slot | (is_owned ? OWNED : 0));
    }
  }
}

// Returns the number of summits that became modes.
uint count_new ()
{
  uint n_groups = (live.occupied[live_level ()] + 255) / 256, n = 0;

  for (uint i = gl_LocalInvocationID.x; i < n_groups; i += 256)
    n += totals[i];
  return group_sum (n);
}

// Returns whether a cell gets a further mode.
bool founds (uint cell, uint least)
{
  return cells[cell].mode == NO_MODE && cells[cell].strays.n >= least;
}

// Gives cells from the first to the end further modes, in free slots from this number on.
void found (uint begin, uint end, uint least, uint number)
{
  for (uint cell = begin; cell < end; cell++) {
    uint slot = founds (cell, least) ? free_slot (number++) : MODE_CAPACITY;

    if (slot >= frame.capacity)
      continue;
    ModeShare strays = cells[cell].strays;

    set_colour (slot, mean_of_sums (sums_of_share (strays), strays.n));
    show_mode (slot);
    cells[cell].mode = slot;
    // In a held frame all modes stay, even one that no stray takes.
    if (frame.holds_palette != HOLDS_NO_PALETTE)
      own (slot);
  }
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
  enter_modes ();
  memoryBarrierBuffer ();
  barrier ();
  for (uint cell = begin; cell < end; cell++)
    n += uint (founds (cell, least));
  uint number = count_new () + group_exclusive_scan (n, all);

  found (begin, end, least, number);
}
