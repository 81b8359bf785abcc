// SPDX-License-Identifier: LGPL-2.1-or-later
// Common to the shaders for a limit of modes.
#include "palette/live/modes/temporal.glsl"
#include "palette/live/modes/share.glsl"

const int LEADING_BITS = 24;

// Returns a word that compares like the product a * b, of which only the LEADING_BITS
// leading bits count.
uint leading_product (uint a, uint b)
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

uint floor_of_root (uint square)
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
uint loss_of (uint squared_distance)
{
  uvec2 cube = wide_multiply (squared_distance, floor_of_root (squared_distance));

  return cube.x >> 12 | cube.y << 20;
}

// Returns whether bins count where their summits are. With a radius of its own a frame that
// has no more summits than modes is that without a limit.
bool counts_by_summit ()
{
  return frame.limit.least_summits == 0;
}

// Returns the place of a summit by its word, which may have BIN_STRAYS.
uint place_of_summit (uint summit)
{
  return summit & ~BIN_STRAYS;
}

// Returns the squared distance from a summit to the nearest mode, as it counts for the choice of
// further modes. A bin that strays needs none beside one that is within the radius.
uint distance_of_summit (uint summit, uint distance)
{
  return (summit & BIN_STRAYS) != 0 && distance <= EIGHTHS_OF_RADIUS * EIGHTHS_OF_RADIUS
      ? 0 : distance;
}

#ifndef OF_SUMS
// --- slots of modes ---

// Returns whether there is a mode in the slot.
bool stands (uint slot)
{
  return (state.limited.standing[slot / 32] >> slot % 32 & 1) != 0;
}

// Returns the number of slots that may be filled: in a held frame 0, unless it began
// without modes.
uint count_free_slots ()
{
  uint n = 0;

  for (uint i = 0; i < LIMIT_WORDS; i++)
    n += bitCount (state.limited.standing[i]);
  return frame.holds_palette != HOLDS_NO_PALETTE && state.n_slots > 0 ? 0 : frame.capacity - n;
}

// Returns whether every occupied bin is a summit, as there are too few summits.
bool is_flat ()
{
  return state.limited.n_summits < frame.limit.least_summits;
}

// Returns whether modes settle: all of them are new, or light grows so fast that to replace one
// in a frame is not enough.
bool settles ()
{
  return (state.n_slots == 0 || frame.light.gain >= GROWING_GAIN) && !counts_by_summit ();
}

// --- the modes nearest to a bin ---

struct Nearest
{
  uint slot;
  uint least, second;           // squared distances to the nearest two modes, or NOBODY
  bool is_home;                 // the home of a mode
};

Nearest nearest_modes (uint bin, ivec3 middle)
{
  Nearest nearest = Nearest (COLOURS_STAY, NOBODY, NOBODY, false);

  for (uint word = 0; word < LIMIT_WORDS; word++)
    for (uint left = state.limited.standing[word]; left != 0; left &= left - 1) {
      uint slot = word * 32 + findLSB (left);
      uint distance = squared_distance (middle, place_of (slot));

      nearest.is_home = nearest.is_home || modes[slot].home == bin;
      nearest.second = min (nearest.second, max (nearest.least, distance));
      if (distance < nearest.least) {
        nearest.least = distance;
        nearest.slot = slot;
      }
    }
  return nearest;
}
#endif
