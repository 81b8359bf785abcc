// SPDX-License-Identifier: LGPL-2.1-or-later
// Common to the shaders for a limit of modes. Include after temporal.glsl.
#include "core/wide.glsl"

const int LEADING_BITS = 24;

// Returns a word that compares like the product a * b, of which only the LEADING_BITS
// leading bits count.
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

uint
floor_of_root (uint square)
{
  uint root = uint (sqrt (float (square)));

  while (root * root > square)
    root--;
  while ((root + 1) * (root + 1) <= square)
    root++;
  return root;
}

// Returns the loss of a bin, for each unit of its weight: the cube of the distance to its
// mode, in pairs of bins of level 0.
uint
loss_of (uint squared_distance)
{
  uvec2 cube = wide_multiply (squared_distance, floor_of_root (squared_distance));

  return cube.x >> 12 | cube.y << 20;
}

// Adds to a sum of two words, to which others add as well.
#define WIDE_ATOMIC_ADD(low, high, more) \
{ \
  uint low_before = atomicAdd (low, more.x); \
  uint carried = more.y + uint (low_before + more.x < low_before); \
 \
  if (carried != 0) \
    atomicAdd (high, carried); \
}

// Returns whether bins count where their summits are. With a radius of its own a frame that
// has no more summits than modes is that without a limit.
bool
counts_by_summit ()
{
  return frame.limit.least_summits == 0;
}
