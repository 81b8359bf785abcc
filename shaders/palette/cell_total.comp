// SPDX-License-Identifier: LGPL-2.1-or-later
// How many cells are occupied in the words of each workgroup of cell_list.comp.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common/group.glsl"
#define GRID 0
#include "palette/cells.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 3) writeonly buffer Totals { uint totals[]; };
layout (push_constant) uniform Push
{
  uint first, end;              // fours of words
};

void
main ()
{
  uint level = grid_level ();
  uint at = (first + gl_GlobalInvocationID.x) * WORDS_PER_THREAD;
  uint n = 0;

  for (uint i = at; i < min (at + WORDS_PER_THREAD, grid.words[level]); i++)
    n += bitCount (occupied[grid.first_word[level] + i]);
  n = group_sum (n);
  if (gl_LocalInvocationID.x == 0)
    totals[first / 256 + gl_WorkGroupID.x] = n;
}
