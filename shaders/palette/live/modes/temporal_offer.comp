// SPDX-License-Identifier: LGPL-2.1-or-later
// Gives every occupied bin the owner of its summit, or the one that it had. Makes modes of the
// summits without one, in free slots. With a leash, enters modes in their cells, and adds the
// bins that stray to theirs. With a limit of modes, limit_assign.comp gives bins their owners.
#include "core/group.glsl"
#include "palette/live/modes/temporal.glsl"
#include "palette/live/modes/shown_mode.glsl"

layout (local_size_x = 256) in;
#define MEAN 6
#include "palette/live/bin_mean.glsl"
layout (std430, binding = 8) buffer Uphill { uint uphill[]; };
layout (std430, binding = 9) readonly buffer Claims { uint claims[]; };
layout (std430, binding = 10) readonly buffer Totals { uint totals[]; };
layout (std430, binding = 11) writeonly buffer Owners { uint owners[]; };
layout (std430, binding = 12) readonly buffer List { uint list[]; };
layout (std430, binding = 13) readonly buffer Homes { uint homes[]; };
#define CELLS 14
#include "palette/live/modes/leash.glsl"
layout (std430, binding = 15) buffer OwnedBins { OwnedBin owned_bins[]; };
#include "palette/live/modes/free_slots.glsl"
layout (push_constant) uniform Push { uint first, end; };

DEFINE_SUMMIT_OF (uphill)

// Of each workgroup that assigned summits: the number of new modes in those before it.
shared uint new_before[BIN_CAPACITY / 256];

void count_new (uint n_groups)
{
  uint per_lane = (n_groups + 255) / 256, n = 0, all;
  uint begin = min (gl_LocalInvocationID.x * per_lane, n_groups);
  uint end = min (begin + per_lane, n_groups);

  for (uint i = begin; i < end; i++)
    n += totals[i];
  uint before = group_exclusive_scan (n, all);

  for (uint i = begin; i < end; i++) {
    new_before[i] = before;
    before += totals[i];
  }
  barrier ();
}

// Enters a mode in its cell. Of several one without a summit comes first, then that in the first
// slot.
void enter (uint slot, bool has_summit)
{
  atomicMin (cells[cell_of (place_of (slot))].mode, slot | (has_summit ? OWNED : 0));
}

// Returns whether a mode of the frame before stays: it did not meet another and go.
bool stays (uint slot)
{
  uint home = modes[slot].home;

  return home == NOT_OCCUPIED || homes[home] == slot;
}

// Enters the modes of the frame before: each of n invocations enters some of them.
void enter_before (uint i, uint n)
{
  for (uint slot = i; slot < state.n_slots; slot += n) {
    uint bit = 1u << slot % 32;
    bool has_summit = (state.owning[slot / 32] & bit) != 0;

    if ((state.taken[slot / 32] & bit) != 0 && (has_summit || stays (slot)))
      enter (slot, has_summit);
  }
}

// Returns the owner of a bin whose summit is to become a mode, and makes that mode if the bin
// is the summit.
uint new_owner (uint bin, uint summit, uint claim)
{
  uint slot = free_slot (new_before[summit / 256] + (claim & 255));
  bool is_free = slot < frame.capacity;

  if (bin == summit && is_free) {
    set_colour (slot, mean_colour (summit));
    show_mode (slot);
    own (slot);
    if (frame.leash.squared != 0)
      enter (slot, true);
  }
  if (bin == summit && !is_free)
    atomicAdd (live.output_colours, 1);
  return is_free ? slot : PIXEL_WITHOUT_MODE | mean_colour (summit);
}

// --- bins that keep their modes ---

// Returns the slot of the mode that a bin belonged to in the frame before; NO_MODE: to none.
uint slot_before (uint bin)
{
  uint first = (state.turn ^ 1) * BIN_CAPACITY, n = state.n_owned_before, end = first + n;

  while (n > 0) {
    uint middle = first + n / 2;
    bool is_less = owned_bins[middle].bin < bin;

    first = is_less ? middle + 1 : first;
    n = is_less ? n - n / 2 - 1 : n / 2;
  }
  return first < end && owned_bins[first].bin == bin ? owned_bins[first].slot : NO_MODE;
}

// Returns the slot of the mode that a bin keeps, or this one, whose mode is at a place.
uint kept_or (uint slot, ivec3 place, uint bin)
{
  uint kept = slot_before (bin);

  if (kept == NO_MODE)
    return slot;
  ivec3 middle = middle_of (bin, live_level ());
  uint home = modes[kept].home;

  // The mode may have met another, and have gone.
  kept = home == NOT_OCCUPIED ? kept : homes[home];
  return squared_distance (middle, place) + KEEPING_MARGIN
      < squared_distance (middle, place_of (kept)) ? slot : kept;
}

// --- bins that stray ---

DEFINE_ADD (add_to_cell, cells[i].strays)

// Adds a bin to the strays of a cell. One of the bins finds that they weigh enough.
void stray (uint bin, uint cell)
{
  uint n = sums[bin].n, least = (state.weight - 1) / LEAST_STRAYS + 1;
  uint before = n == 0 ? least : add_to_cell (cell, n, wide_sums (bin));

  if (before < least && before + n >= least)
    state.heavy[atomicAdd (state.n_heavy, 1)] = cell;
}

// Returns the owner of a bin by the slot of its mode, which has this place. Adds a bin that
// strays to its cell.
uint owner_on_leash (uint bin, uint slot, ivec3 place)
{
  ivec3 middle = middle_of (list[bin], live_level ());

  if (squared_distance (middle, place) <= frame.leash.squared)
    return slot;
  stray (bin, cell_of (middle));
  return slot | BIN_STRAYS;
}

// Notes the mode that bin i belongs to, for the next frame.
void remember (uint i, uint slot)
{
  owned_bins[state.turn * BIN_CAPACITY + i] = OwnedBin (list[i], slot);
}

// Returns the owner of bin i by the slot of its summit's mode, which has this place.
uint owner_of (uint i, uint slot, ivec3 place)
{
  uint kept = kept_or (slot, place, list[i]), owner = kept;

  remember (i, kept);
  if (frame.leash.squared != 0)
    owner = owner_on_leash (i, kept, kept == slot ? place : place_of (kept));
  if (kept != slot && owner == kept)
    keep (kept);
  return owner;
}

void main ()
{
  load_grid ();
  load_frame ();
  uint i = first + gl_GlobalInvocationID.x, n = live.occupied[live_level ()];

  count_new ((n + 255) / 256);
  // Whole workgroups, as there may be few bins.
  if (frame.leash.squared != 0)
    enter_before (i, (n + 255) / 256 * 256);
  if (i >= min (end, n))
    return;
  uint summit = summit_of (i), claim = claims[summit];
  bool is_new = (claim & ~255) == SUMMIT_IS_NEW;
  uint owner = is_new ? new_owner (i, summit, claim) : claim;

  if (owner >= MODE_CAPACITY)
    remember (i, NO_MODE);
  else
    // The invocation of the summit may not have placed the mode yet.
    owner = owner_of (i, owner, is_new
        ? place_of_point (point_of_colour (mean_colour (summit), bin_grid.shift))
        : place_of (owner));
  owners[i] = owner;
}
