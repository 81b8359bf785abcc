// SPDX-License-Identifier: LGPL-2.1-or-later
// Where a walker's way leads, in one word: the slot of a visited point, or
// this bit with
//   walker_successors[walker]: the steps the walker may still take; it goes alone, and its
//     place is its own,
//   successors[slot]: the number of the walker that went on alone from there, or
//     that nobody knows yet, nor is about to find out, or that a walker is.
// The way from a fixed point leads to itself.
#include "palette/exact/walk/walk.h"

const uint ALONE = 0x80000000u;
const uint TAKEN = 0xfffffffeu;
const uint UNKNOWN = NEXT_UNKNOWN;

// follow_known: the end of the part of a way that is known; or what is so many hops
// away, whence the caller is to walk as if nobody knew, for devices end loops that
// are too long.
// claim: whether nobody knew what follows, and the caller is to find out.
//
// Both read plainly what other walkers write meanwhile. A word goes from UNKNOWN to
// TAKEN to what follows, and then stays. Where a read is late, nobody knows yet, and
// the swap decides who finds out.
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
