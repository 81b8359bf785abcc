// SPDX-License-Identifier: LGPL-2.1-or-later
// Common to the shaders of modes and of motion. They have five successive bindings: the three of
// bins.glsl, the state, and the modes. Shaders of motion define OF_MOTION: their state is struct
// Motion, and they have no modes. With OF_SUMS the state is struct ModeSums.
#include "palette/live/modes/temporal.h"
#include "palette/live/bins.glsl"

// Moves x towards y by rate / 4096 of the way, rounded.
uint nearer (uint x, uint y, uint rate)
{
  return uint (int (x) + (((int (y) - int (x)) * int (rate) + 2048) >> 12));
}

#if defined (OF_MOTION)
layout (std430, binding = LIVE + 3) buffer MotionState { Motion state; };
#elif defined (OF_SUMS)
layout (std430, binding = LIVE + 3) buffer Summed { ModeSums state; };
#else
layout (std430, binding = LIVE + 3) buffer State { Temporal state; };
#endif
#ifndef OF_MOTION
layout (std430, binding = LIVE + 4) buffer Modes { TemporalMode modes[]; };

// Returns the position of a mode, as L, a, b in eighths of bins of level 0.
ivec3 place_of (uint slot)
{
  return ivec3 (modes[slot].place[0], modes[slot].place[1], modes[slot].place[2]);
}

#ifndef OF_SUMS
// Marks a mode to which a summit or a bin belongs. The plain read avoids most atomics. Bits are
// only set during the dispatch: if the read is stale, the bit is set once more.
void own (uint slot)
{
  uint word = slot / 32, bit = 1u << slot % 32;

  if ((state.owning[word] & bit) == 0)
    atomicOr (state.owning[word], bit);
}

void set_colour (uint slot, uint colour)
{
  modes[slot].red = (colour >> 16) << 8;
  modes[slot].green = colour & 0xff00;
  modes[slot].blue = (colour & 255) << 8;
}

// Moves the colour of a mode towards another by rate / 4096 of the way.
void glide_to (uint slot, uint colour, uint rate)
{
  TemporalMode mode = modes[slot];

  modes[slot].red = nearer (mode.red, colour >> 16 << 8, rate);
  modes[slot].green = nearer (mode.green, colour & 0xff00, rate);
  modes[slot].blue = nearer (mode.blue, (colour & 255) << 8, rate);
}
#endif
#endif

// A copy of state.frame. main() loads it first: before the first branch, CPU devices load a
// word once for all lanes, and later once for each lane.
TemporalFrame frame;

void load_frame ()
{
  frame = state.frame;
}

// Blocks of an invocation where one workgroup of 256 goes over all of them.
const uint BLOCKS_PER_LANE = LUMA_BLOCKS / 256;

// In place of a slot or a summit: none.
const uint NOBODY = 0xffffffffu;

// Returns floor (a / b), b > 0. Division of negative numbers is not the same on every device.
int floor_over (int a, int b)
{
  return a >= 0 ? a / b : -int (uint (b - 1 - a) / uint (b));
}

// Returns whether light changes in the whole frame.
bool changes (TemporalLight light)
{
  return light.gain != SAME_GAIN || light.shift != 0;
}

// Returns what a component becomes in another light. The unit of both is a code value divided by
// `parts`.
uint component_in (TemporalLight light, uint component, int parts)
{
  return uint (clamp (light.gain * int (component) + light.shift * parts + 2048 >> 12, 0,
          255 * parts));
}

// Returns red, green and blue of a colour of the frame before, in 4096ths of a code value,
// as they would be in the light of this frame.
ivec3 expected_of (uint colour)
{
  ivec3 before = ivec3 (colour >> 16 & 255, colour >> 8 & 255, colour & 255);
  ivec3 lit = clamp (frame.light.gain * before + frame.light.shift, 0, 255 << 12);

  return mix (before << 12, lit, equal (before, clamp (before, DARKEST, LIGHTEST)));
}

// Returns how much more red, green and blue a colour is than the one of the frame before
// would be, in 4096ths of a code value.
ivec3 difference_of_colours (uint before, uint now)
{
  return (ivec3 (now >> 16 & 255, now >> 8 & 255, now & 255) << 12) - expected_of (before);
}

// Returns the sum of their sizes, in code values.
uint change_of_colour (uint before, uint now)
{
  ivec3 d = abs (difference_of_colours (before, now));

  return uint (d.r + d.g + d.b + 2048 >> 12);
}

// Returns the hysteresis of pixels by the unrest around them.
Hysteresis hysteresis_with (uint unrest, uint age)
{
  uint margin = frame.hysteresis.margin * (UNREST_MOST - min (unrest, MARGIN_UNREST))
      / UNREST_MOST;

  return Hysteresis (margin * margin,
      age < SETTLED_MS || unrest == UNREST_MOST ? 0 : frame.hysteresis.wait_ms);
}

// Returns the middle of a bin, as L, a, b in eighths of bins of level 0.
ivec3 middle_of (uint bin, uint level)
{
  uint n_l = bin_grid.sides[0] >> level, n_b = bin_grid.sides[1] >> level;
  uint column = bin / n_l, a = column / n_b;
  ivec3 at = ivec3 (bin - column * n_l, a, column - a * n_b);

  return (8 * at << level) + 4 * ((1 << level) - 1);
}

// Returns the largest coordinate of a vector that blocks can vote for.
int farthest_common ()
{
  return min (FARTHEST (int (frame.blocks.shift)), MOST_COMMON);
}

uint squared_distance (ivec3 from, ivec3 to)
{
  ivec3 way = to - from;

  return uint (way.x * way.x + way.y * way.y + way.z * way.z);
}
