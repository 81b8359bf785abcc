// SPDX-License-Identifier: LGPL-2.1-or-later
// Where a walker's way leads, in one word: the slot of a visited point, or
// this bit with
//   ways[walker]: the steps the walker may still take; it goes alone, and its
//     place is its own,
//   follow[slot]: the number of the walker that went on alone from there.
// The way from a fixed point leads to itself.
#include "palette/shared.h"

const uint ALONE = 0x80000000u;
