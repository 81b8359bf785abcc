// SPDX-License-Identifier: LGPL-2.1-or-later
// What the shaders of the modes share. The grid, its bins, the state and the
// modes are the first five of their bindings.
#include "palette/live/modes/temporal.h"
#define LIVE BINS_LIVE
#include "palette/live/bins.glsl"

layout (std430, binding = 3) buffer State { Temporal state; };
layout (std430, binding = 4) buffer Modes { TemporalMode modes[]; };

// No slot, or no summit.
const uint NOBODY = 0xffffffffu;

// A summit belongs to the mode. Bits are only set meanwhile: one that the plain read
// misses is set once more.
void
own (uint slot)
{
  uint word = slot / 32, bit = 1u << slot % 32;

  if ((state.owning[word] & bit) == 0)
    atomicOr (state.owning[word], bit);
}

// x, nearer to y by so many 4096ths of the way.
uint
nearer (uint x, uint y, uint rate)
{
  return uint (int (x) + (((int (y) - int (x)) * int (rate) + 2048) >> 12));
}

// Of a bin, in eighths of bins of level 0.
ivec3
middle_of (uint bin, uint level)
{
  uint n_l = live.sides[0] >> level, n_b = live.sides[1] >> level;
  uint column = bin / n_l, a = column / n_b;
  ivec3 at = ivec3 (bin - column * n_l, a, column - a * n_b);

  return (8 * at << level) + 4 * ((1 << level) - 1);
}

ivec3
place_of (uint slot)
{
  return ivec3 (modes[slot].place[0], modes[slot].place[1],
      modes[slot].place[2]);
}

uint
squared_distance (ivec3 from, ivec3 to)
{
  ivec3 way = to - from;

  return uint (way.x * way.x + way.y * way.y + way.z * way.z);
}
