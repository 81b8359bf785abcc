// SPDX-License-Identifier: LGPL-2.1-or-later
// Brings the histogram from the previous frame's colours to this frame's,
// or counts anew into cleared counters, and keeps this frame's colours.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "palette/pixels.glsl"
#ifdef YUV
#include "palette/yuv.glsl"
#else
#include "palette/packed.glsl"
#endif
#include "palette/shared.h"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Frame { uint words[]; };
layout (std430, binding = 1) buffer Colours { uint colours[]; };
layout (std430, binding = 2) buffer Counts { uint counts[]; };
layout (std430, binding = 3) buffer Touched { uint touched[]; };
layout (std430, binding = 4) buffer Control { uint control[]; };

#ifdef YUV
DEFINE_LOAD_YUV (words)
#else
DEFINE_LOAD_PIXELS (words)

void
load_colours (Quad quad, out uint loaded[4])
{
  load_pixels (quad, loaded);
  for (uint i = 0; i < 4; i++)
    loaded[i] = counted_colour (loaded[i]);
}
#endif

void
add (uint colour, uint n)
{
  uint before = atomicAdd (counts[colour], n);

  if (recount == 0 || before == 0)
    atomicOr (touched[colour >> 5], 1u << (colour & 31));
}

// All threads come here. Flat areas would queue up at one counter, so the
// lanes that agree with the first counting one are counted together.
void
add_together (uint colour, uint n)
{
  bool counts_here = n != 0;
  uvec4 counting = subgroupBallot (counts_here);

  if (counting == uvec4 (0))
    return;
  uint first = subgroupShuffle (colour, subgroupBallotFindLSB (counting));
  bool same = counts_here && colour == first;
  uint sum = subgroupAdd (same ? n : 0);

  if (subgroupElect () && sum != 0)
    add (first, sum);
  if (counts_here && !same)
    add (colour, n);
}

void
main ()
{
  Quad quad = quad_of_thread ();
  uint loaded[4];
  uint changed = 0;

  load_colours (quad, loaded);
  for (uint i = 0; i < 4; i++) {
    bool exists = i < quad.n;
    uint at = quad.y * width + quad.x + i;
    uint now = loaded[i];
    uint before = exists ? colours[at] : now;
    bool differs = before != now;
    bool adds = exists && (recount != 0 || differs)
        && (now & TRANSPARENT) == 0;
    bool takes = recount == 0 && differs && (before & TRANSPARENT) == 0;

    if (differs)
      colours[at] = now;
    changed += differs ? 1 : 0;
    add_together (now, adds ? 1 : 0);
    if (recount == 0)
      add_together (before, takes ? 0xffffffff : 0);
  }
  changed = subgroupAdd (changed);
  if (subgroupElect () && changed != 0)
    atomicAdd (control[CONTROL_CHANGED_PIXELS], changed);
}
