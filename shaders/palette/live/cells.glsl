// SPDX-License-Identifier: LGPL-2.1-or-later
// What the shaders of the cells share. Define GRID as the first of the bindings
// of three buffers before.
#include "palette/live/cells.h"

layout (std430, binding = GRID) buffer Grid { PaletteGrid grid; };
// By word of 32 cells: which are occupied, and how many before them are, where
// any of them is.
layout (std430, binding = GRID + 1) buffer Occupied { uint occupied[]; };
layout (std430, binding = GRID + 2) buffer Ranks { uint ranks[]; };

// The level at which there are not too many.
uint
grid_level ()
{
  uint level = 0;

  while (level + 1 < CELL_LEVELS && grid.occupied[level] > grid.capacity)
    level++;
  return level;
}

// The number of what a cell of level 0 is merged into.
uint
cell_at_level (uint cell, uint level)
{
  if (level == 0)
    return cell;
  uint l = cell % grid.sides[0], column = cell / grid.sides[0];
  uint b = column % grid.sides[1], a = column / grid.sides[1];

  return ((a >> level) * (grid.sides[1] >> level) + (b >> level))
      * (grid.sides[0] >> level) + (l >> level);
}

// Its place among the occupied ones.
uint
place_of_cell (uint cell, uint first_word)
{
  uint word = first_word + cell / 32;

  return ranks[word] + bitCount (occupied[word] & ((1u << cell % 32) - 1));
}

// 1 where nobody did before. Bits are only set meanwhile: where the plain read misses
// one, the atomic decides.
uint
occupy (uint cell)
{
  uint word = cell / 32, bit = 1u << cell % 32;

  if ((occupied[word] & bit) != 0)
    return 0;
  return (atomicOr (occupied[word], bit) & bit) == 0 ? 1 : 0;
}

// Some cells in a row along L.
struct Run
{
  uint bits;                    // which are occupied, the first lowest
  uint place;                   // of the first one that is
};

Run
run_of_cells (uint cell, uint length, uint first_word)
{
  uint word = first_word + cell / 32, bit = cell % 32;
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
// follow ways, multiplied, are more than there are cells.
const uint STEPS = 1024;

#define DEFINE_FOLLOW(next) \
uint \
follow (uint at) \
{ \
  uint after = next[at]; \
  for (uint step = 1; step < STEPS && after != at; step++) { \
    at = after; \
    after = next[at]; \
  } \
  return after; \
}
