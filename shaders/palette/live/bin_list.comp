// SPDX-License-Identifier: LGPL-2.1-or-later
// Assigns a place to each occupied bin by a prefix sum, and lists the occupied bins.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "core/group.glsl"
#define LIVE BINS_LIVE
#include "palette/live/bins.glsl"
#include "palette/live/bin_words.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 3) readonly buffer Totals { uint totals[]; };
layout (std430, binding = 4) writeonly buffer List { uint list[]; };
layout (push_constant) uniform Push
{
  uint first, end;              // invocations, of WORDS_PER_THREAD words each
};

// Returns the number of occupied bins in the words of the workgroups before this one.
uint
count_before (uint group)
{
  uint n = 0;

  for (uint i = gl_LocalInvocationID.x; i < group; i += 256)
    n += totals[i];
  return group_sum (n);
}

void
main ()
{
  load_grid ();
  uint group = first / 256 + gl_WorkGroupID.x;

  // Most workgroups have no occupied bin.
  if (totals[group] == 0)
    return;
  uint level = live_level (), first_word = bin_grid.first_word[level];
  uint at = (first + gl_GlobalInvocationID.x) * WORDS_PER_THREAD;
  uint bits[WORDS_PER_THREAD];
  uint n = 0, all;

  for (uint i = 0; i < WORDS_PER_THREAD; i++) {
    bits[i] = at + i < bin_grid.words[level] ? occupied[first_word + at + i] : 0;
    n += bitCount (bits[i]);
  }
  uint place = count_before (group);

  place += group_exclusive_scan (n, all);
  for (uint i = 0; i < WORDS_PER_THREAD; i++) {
    if (bits[i] != 0)
      ranks[first_word + at + i] = place;
    for (uint left = bits[i]; left != 0; left &= left - 1)
      list[place++] = (at + i) * 32 + findLSB (left);
  }
}
