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

// Makes the mode of a cell.
void found (uint cell, uint slot)
{
  ModeShare strays = cells[cell].strays;

  set_colour (slot, mean_of_sums (sums_of_share (strays), strays.n));
  show_mode (slot);
  cells[cell].mode = slot;
  // In a held frame all modes stay, even one that no stray takes.
  if (frame.holds_palette != HOLDS_NO_PALETTE)
    keep (slot);
}

// Cells that get a mode.
shared uint founding[LEAST_STRAYS], n_founding;

// Lists them, in any order.
void list_founding (uint n)
{
  if (gl_LocalInvocationID.x == 0)
    n_founding = 0;
  barrier ();
  for (uint i = gl_LocalInvocationID.x; i < n; i += 256)
    if (cells[state.heavy[i]].mode == NO_MODE)
      founding[atomicAdd (n_founding, 1)] = state.heavy[i];
  barrier ();
}

// Returns the number of listed cells before a cell.
uint count_before (uint cell)
{
  uint n = 0;

  for (uint i = 0; i < n_founding; i++)
    n += uint (founding[i] < cell);
  return n;
}

void main ()
{
  load_grid ();
  load_frame ();
  // A held palette gets no further modes, unless it begins.
  bool may_found = frame.holds_palette == HOLDS_NO_PALETTE || state.n_slots == 0;

  if (live.rest == SETTLED_AFTER)
    return;
  list_founding (may_found ? state.n_heavy : 0);
  if (n_founding == 0)
    return;
  uint n_new = count_new ();

  for (uint i = gl_LocalInvocationID.x; i < n_founding; i += 256) {
    uint slot = free_slot (n_new + count_before (founding[i]));

    if (slot < frame.capacity)
      found (founding[i], slot);
  }
}
