// SPDX-License-Identifier: LGPL-2.1-or-later
// The successor of a walker and of a visited point, in one word: the slot of the next
// visited point, or this bit with
//   walker_successors[walker]: the steps that the walker may still take; it shares
//     nothing, and its place is its own,
//   successors[slot]: the number of the walker that went on from there without sharing;
//     or UNKNOWN: no successor was computed; or TAKEN: a walker is computing it.
// A fixed point is its own successor.
#include "palette/exact/walk/walk.h"

const uint ALONE = 0x80000000u;
const uint TAKEN = 0xfffffffeu;
const uint UNKNOWN = NEXT_UNKNOWN;

// follow_known: the last point whose successor is not known, or the point max_hops hops
// away, because devices end loops that are too long; the caller walks on from there.
// claim: TRUE if the successor was UNKNOWN: then the caller computes it.
//
// Both read without an atomic what other walkers write meanwhile. A word goes from UNKNOWN
// to TAKEN to the successor, and then stays. A late read sees UNKNOWN, and the
// compare-and-swap decides which walker computes the successor.
#define DEFINE_SUCCESSORS(successors) \
uint \
follow_known (uint slot, uint max_hops, out bool is_cut) \
{ \
  is_cut = false; \
  for (uint hops = 0; hops < max_hops; hops++) { \
    uint next = successors[slot]; \
    if ((next & ALONE) != 0 || next == slot) \
      return slot; \
    slot = next; \
  } \
  is_cut = true; \
  return slot; \
} \
bool \
claim (uint slot) \
{ \
  return successors[slot] == UNKNOWN \
      && atomicCompSwap (successors[slot], UNKNOWN, TAKEN) == UNKNOWN; \
}
