// SPDX-License-Identifier: LGPL-2.1-or-later
// The least of two words each, over a workgroup with an invocation for each slot.

shared uint least_high, least_low, first_slot;

// Returns the first slot whose value is the least.
uint first_of_least (uint slot, uvec2 value)
{
  barrier ();
  if (slot == 0)
    least_high = least_low = first_slot = NOBODY;
  barrier ();
  atomicMin (least_high, value.y);
  barrier ();
  if (value.y == least_high)
    atomicMin (least_low, value.x);
  barrier ();
  if (value == uvec2 (least_low, least_high))
    atomicMin (first_slot, slot);
  barrier ();
  return first_slot;
}
