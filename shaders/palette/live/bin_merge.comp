// SPDX-License-Identifier: LGPL-2.1-or-later
// Merges the bins of a level if too many are occupied: marks the occupied bins of the
// next level.
#version 450
#extension GL_GOOGLE_include_directive : require
#define LIVE BINS_LIVE
#include "palette/live/bins.glsl"
#include "palette/live/bin_words.glsl"

layout (local_size_x = 256) in;
layout (push_constant) uniform Push
{
  uint first, end;              // invocations, of WORDS_PER_THREAD words each
  uint level;
};

void
mark (uint bin)
{
  uint word = bin_grid.first_word[level + 1] + bin / 32, bit = 1u << bin % 32;

  if ((atomicOr (occupied[word], bit) & bit) == 0)
    atomicAdd (live.occupied[level + 1], 1);
}

// Returns the number, at the next level, of the bin into which `bin` is merged.
uint
merged (uint bin)
{
  uint n_l = bin_grid.sides[0] >> level, n_b = bin_grid.sides[1] >> level;
  uint l = bin % n_l, column = bin / n_l;

  return ((column / n_b >> 1) * (n_b >> 1) + (column % n_b >> 1))
      * (n_l >> 1) + (l >> 1);
}

void
main ()
{
  load_grid ();
  uint at = (first + gl_GlobalInvocationID.x) * WORDS_PER_THREAD;
  uint first_word = bin_grid.first_word[level];
  uint end_word = min (at + WORDS_PER_THREAD, bin_grid.words[level]);

  if (live.occupied[level] <= live.capacity)
    return;
  for (uint i = at; i < end_word; i++)
    for (uint left = occupied[first_word + i]; left != 0;
        left &= left - 1)
      mark (merged (i * 32 + findLSB (left)));
}
