// SPDX-License-Identifier: LGPL-2.1-or-later
// What the shaders of the modes share. The grid, its cells, the state and the
// modes are the first five of their bindings.
#include "palette/steady.h"
#define GRID 0
#include "palette/cells.glsl"

layout (std430, binding = 3) buffer State { Steady state; };
layout (std430, binding = 4) buffer Modes { SteadyMode modes[]; };

bool
is_slot_in (uint word, uint slot)
{
  return (word >> (slot & 31) & 1) != 0;
}

// x, nearer to y by so many 4096ths of the way.
uint
nearer (uint x, uint y, uint rate)
{
  return uint (int (x) + (((int (y) - int (x)) * int (rate) + 2048) >> 12));
}
