// SPDX-License-Identifier: LGPL-2.1-or-later
// What the shaders of the bins share. Define LIVE as the first of the bindings
// of three buffers before.
#include "palette/live/bins.h"

layout (std430, binding = LIVE) buffer Live { LiveState live; };
// By word of 32 bins: which are occupied, and how many before them are, where
// any of them is.
layout (std430, binding = LIVE + 1) buffer Occupied { uint occupied[]; };
layout (std430, binding = LIVE + 2) buffer Ranks { uint ranks[]; };

// The level at which there are not too many.
uint
live_level ()
{
  uint level = 0;

  while (level + 1 < BIN_LEVELS && live.occupied[level] > live.capacity)
    level++;
  return level;
}

// The number of what a bin of level 0 is merged into.
uint
bin_at_level (uint bin, uint level)
{
  if (level == 0)
    return bin;
  uint l = bin % live.sides[0], column = bin / live.sides[0];
  uint b = column % live.sides[1], a = column / live.sides[1];

  return ((a >> level) * (live.sides[1] >> level) + (b >> level))
      * (live.sides[0] >> level) + (l >> level);
}

// Its place among the occupied ones.
uint
place_of_bin (uint bin, uint first_word)
{
  uint word = first_word + bin / 32;

  return ranks[word] + bitCount (occupied[word] & ((1u << bin % 32) - 1));
}

// 1 where nobody did before. Bits are only set meanwhile: where the plain read misses
// one, the atomic decides.
uint
occupy (uint bin)
{
  uint word = bin / 32, bit = 1u << bin % 32;

  if ((occupied[word] & bit) != 0)
    return 0;
  return (atomicOr (occupied[word], bit) & bit) == 0 ? 1 : 0;
}

// Some bins in a row along L.
struct Run
{
  uint bits;                    // which are occupied, the first lowest
  uint place;                   // of the first one that is
};

Run
run_of_bins (uint bin, uint length, uint first_word)
{
  uint word = first_word + bin / 32, bit = bin % 32;
  uint bits = occupied[word];
  Run run = Run (bits >> bit,
      ranks[word] + bitCount (bits & ((1u << bit) - 1)));

  if (bit + length > 32) {
    if (run.bits == 0)
      run.place = ranks[word + 1];
    run.bits |= occupied[word + 1] << (32 - bit);
  }
  run.bits &= (1u << length) - 1;
  return run;
}

// Steps uphill that a thread takes at most: those of the two kernels that
// go uphill, multiplied, are more than there are bins.
const uint STEPS = 1024;

#define DEFINE_SUMMIT_OF(next) \
uint \
summit_of (uint at) \
{ \
  uint after = next[at]; \
  for (uint step = 1; step < STEPS && after != at; step++) { \
    at = after; \
    after = next[at]; \
  } \
  return after; \
}
