// SPDX-License-Identifier: LGPL-2.1-or-later
// Counts the occupied bins in the words of each workgroup of bin_list.comp.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "core/group.glsl"
#define LIVE BINS_LIVE
#include "palette/live/bins.glsl"
#include "palette/live/bin_words.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 3) writeonly buffer Totals { uint totals[]; };
layout (push_constant) uniform Push
{
  uint first, end;              // invocations, of WORDS_PER_THREAD words each
};

void
main ()
{
  load_grid ();
  uint level = live_level (), first_word = bin_grid.first_word[level];
  uint at = (first + gl_GlobalInvocationID.x) * WORDS_PER_THREAD;
  uint end_word = min (at + WORDS_PER_THREAD, bin_grid.words[level]);
  uint n = 0;

  for (uint i = at; i < end_word; i++)
    n += bitCount (occupied[first_word + i]);
  n = group_sum (n);
  if (gl_LocalInvocationID.x == 0)
    totals[first / 256 + gl_WorkGroupID.x] = n;
}
