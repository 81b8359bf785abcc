// SPDX-License-Identifier: LGPL-2.1-or-later
// What shaders of a limited number of modes share. Include after temporal.glsl.
#include "core/wide.glsl"

const int LEADING_BITS = 24;

// Compares as the product does, of which all but its leading bits are dropped.
uint
leading_product (uint a, uint b)
{
  uvec2 product = wide_multiply (a, b);
  int top = product.y != 0 ? 32 + findMSB (product.y) : findMSB (product.x);

  if (top < LEADING_BITS)
    return product.x;
  int drop = top + 1 - LEADING_BITS;
  uint kept = drop >= 32 ? product.y >> (drop - 32)
      : product.x >> drop | product.y << (32 - drop);

  return uint (drop) << LEADING_BITS | kept;
}

// Of modes, by slot.
bool
stands (uint slot)
{
  return (state.limited.standing[slot / 32] >> slot % 32 & 1) != 0;
}

// Of summits, where there is no mode.
const uint NO_MODE = 0xffffffffu;

// In a held frame there are none, unless it began without modes.
uint
count_free_slots ()
{
  uint n = 0;

  for (uint i = 0; i < LIMIT_WORDS; i++)
    n += bitCount (state.limited.standing[i]);
  return state.frame.holds_palette != HOLDS_NO_PALETTE && state.n_slots > 0 ? 0
      : state.frame.capacity - n;
}

// Where there are too few summits, every bin is one.
bool
is_flat ()
{
  return state.limited.n_summits < state.frame.limit.least_summits;
}
