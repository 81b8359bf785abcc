// SPDX-License-Identifier: LGPL-2.1-or-later
// Slots of modes, with a limit of them. Include after temporal.glsl.

// Squared distance of a summit to the nearest mode if there is no mode.
const uint NO_MODE = 0xffffffffu;

// Returns whether there is a mode in the slot.
bool
stands (uint slot)
{
  return (state.limited.standing[slot / 32] >> slot % 32 & 1) != 0;
}

// Returns the number of slots that may be filled: in a held frame 0, unless it began
// without modes.
uint
count_free_slots ()
{
  uint n = 0;

  for (uint i = 0; i < LIMIT_WORDS; i++)
    n += bitCount (state.limited.standing[i]);
  return frame.holds_palette != HOLDS_NO_PALETTE && state.n_slots > 0 ? 0
      : frame.capacity - n;
}

// Returns whether modes move to the mean of their bins at once: if all are new.
bool
begins_with_means ()
{
  return state.n_slots == 0 && frame.limit.least_summits > 0;
}

// Returns whether every occupied bin is a summit, as there are too few summits.
bool
is_flat ()
{
  return state.limited.n_summits < frame.limit.least_summits;
}
