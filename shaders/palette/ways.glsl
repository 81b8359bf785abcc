// SPDX-License-Identifier: LGPL-2.1-or-later
// Where a walker's way leads, in one word: the slot of a visited point, or
// this bit with
//   ways[walker]: the steps the walker may still take; it goes alone, and its
//     place is its own,
//   follow[slot]: the number of the walker that went on alone from there, or
//     that nobody knows yet, nor is about to find out, or that a walker is.
// The way from a fixed point leads to itself.
#include "palette/shared.h"

const uint ALONE = 0x80000000u;
const uint TAKEN = 0xfffffffeu;
const uint UNKNOWN = NEXT_UNKNOWN;

// follow_known: the end of the part of a way that is known.
// claim: whether nobody knew what follows, and the caller is to find out.
#define DEFINE_FOLLOW(follow) \
uint \
follow_known (uint slot) \
{ \
  uint next = follow[slot]; \
  while ((next & ALONE) == 0 && next != slot) { \
    slot = next; \
    next = follow[slot]; \
  } \
  return slot; \
} \
bool \
claim (uint slot) \
{ \
  return follow[slot] == UNKNOWN \
      && atomicCompSwap (follow[slot], UNKNOWN, TAKEN) == UNKNOWN; \
}
