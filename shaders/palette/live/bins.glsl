// SPDX-License-Identifier: LGPL-2.1-or-later
// Common to the shaders of bins. LIVE is the first of the bindings of three buffers: 0, unless
// it is defined before.
#include "palette/live/bins.h"
#ifndef LIVE
#define LIVE 0
#endif

layout (std430, binding = LIVE) buffer Live { LiveState live; };
// By word of 32 bins: a bitmap of the occupied ones, and the number of occupied bins in
// the words before, valid for words that are not 0. Before the bitmap: the number of
// occupied bins in every WORDS_OF_TOTAL words of a level, from first_total() on.
layout (std430, binding = LIVE + 1) buffer Occupied
{
  uint bin_totals[BIN_TOTALS];
  uint occupied[];
};
layout (std430, binding = LIVE + 2) buffer Ranks { uint ranks[]; };

// A copy of live.grid. main() loads it first (and result_at() of apply.comp): before the first
// branch, CPU devices load a word once for all lanes, and later once for each lane.
BinGrid bin_grid;

void load_grid ()
{
  bin_grid = live.grid;
}

// Returns the level in use: the first with no more occupied bins than the capacity, or
// the last level.
uint live_level ()
{
  uint level = 0;

  while (level + 1 < BIN_LEVELS && live.occupied[level] > live.capacity)
    level++;
  return level;
}

// Returns the number, at a level, of the bin that contains a bin of level 0. at: the
// coordinates of that bin, L, a and b.
uint number_of_bin (uvec3 at, uint level)
{
  at >>= level;
  return (at.y * (bin_grid.sides[1] >> level) + at.z) * (bin_grid.sides[0] >> level) + at.x;
}

// The same from the number at level 0.
uint bin_at_level (uint bin, uint level)
{
  if (level == 0)
    return bin;
  uint column = bin / bin_grid.sides[0];

  return number_of_bin (uvec3 (bin % bin_grid.sides[0], column / bin_grid.sides[1],
          column % bin_grid.sides[1]), level);
}

// Returns the coordinates of a bin of level 0 as bits of the word of a pixel.
uint word_of_bin (uvec3 at)
{
  return (at.y << BIN_AXIS_BITS | at.z) << BIN_AXIS_BITS | at.x;
}

// Returns the coordinates of the bin of a pixel at level 0, by its word.
uvec3 bin_of_word (uint word)
{
  return uvec3 (word, word >> 2 * BIN_AXIS_BITS, word >> BIN_AXIS_BITS)
      & (1 << BIN_AXIS_BITS) - 1;
}

// Returns the place of an occupied bin: its index among the occupied bins.
uint place_of_bin (uint bin, uint first_word)
{
  uint word = first_word + bin / 32;

  return ranks[word] + bitCount (occupied[word] & ((1u << bin % 32) - 1));
}

uint first_total (uint level)
{
  return bin_grid.first_word[level] / WORDS_OF_TOTAL + level;
}

// Marks a bin of a level as occupied. Returns whether it was not marked before. The plain
// read avoids most atomics. Bits are only set during a dispatch: if the read is stale, the
// atomic decides.
bool occupy (uint bin, uint level)
{
  uint word = bin / 32, bit = 1u << bin % 32, at = bin_grid.first_word[level] + word;

  if ((occupied[at] & bit) != 0 || (atomicOr (occupied[at], bit) & bit) != 0)
    return false;
  atomicAdd (bin_totals[first_total (level) + word / WORDS_OF_TOTAL], 1);
  return true;
}

// Successive bins along L.
struct Run
{
  uint bits;                    // bitmap of the occupied ones, first bin lowest
  uint place;                   // place of the first occupied bin
};

Run run_of_bins (uint bin, uint length, uint first_word)
{
  uint word = first_word + bin / 32, bit = bin % 32;
  uint bits = occupied[word];
  Run run = Run (bits >> bit, ranks[word] + bitCount (bits & ((1u << bit) - 1)));

  if (bit + length > 32) {
    if (run.bits == 0)
      run.place = ranks[word + 1];
    run.bits |= occupied[word + 1] << (32 - bit);
  }
  run.bits &= (1u << length) - 1;
  return run;
}

// The columns of a bin and of its neighbours in a and b: three bins along L each, in order.
// All are loaded at once, so that a GPU waits for memory once.
const uint COLUMNS_AROUND = 9;

Run[COLUMNS_AROUND]
columns_around (uint bin, uint level)
{
  int n_l = int (bin_grid.sides[0] >> level), n_b = int (bin_grid.sides[1] >> level);
  Run columns[COLUMNS_AROUND];

  for (int i = 0; i < int (COLUMNS_AROUND); i++)
    columns[i] = run_of_bins (uint (int (bin) + ((i / 3 - 1) * n_b + i % 3 - 1) * n_l - 1),
        3, bin_grid.first_word[level]);
  return columns;
}

// Returns the place of bin l of a run, counted from 0, or NOT_OCCUPIED.
uint place_in_run (Run run, uint l)
{
  return (run.bits >> l & 1) == 0 ? NOT_OCCUPIED
      : run.place + bitCount (run.bits & (1u << l) - 1);
}

// Defines the function that follows the way uphill from a bin, and returns the summit. At
// each step the bin gets the place where its way has come to, so that the ways of all
// invocations grow shorter. Others may read any of these words: all lead to the same summit.
#define DEFINE_SUMMIT_OF(uphill) \
uint \
summit_of (uint bin) \
{ \
  uint at = uphill[bin], after = uphill[at]; \
  for (uint step = 1; step < MOST_STEPS && after != at; step++) { \
    uphill[bin] = after; \
    at = after; \
    after = uphill[at]; \
  } \
  return after; \
}

// --- bins of lattice points ---

// Returns x / pitch. The float estimate is off by one at most.
uint bin_along (uint x, uint pitch)
{
  uint bin = uint (float (x) / float (pitch));

  if (bin * pitch > x)
    bin--;
  else if (x - bin * pitch >= pitch)
    bin++;
  return bin;
}

// Returns the coordinates of a point's bin at level 0.
uvec3 bin_of_point (ivec3 lab)
{
  uvec3 at;

  for (uint axis = 0; axis < 3; axis++)
    at[axis] = bin_along (uint (lab[axis]) + bin_grid.bias[axis], bin_grid.pitch);
  return at;
}
