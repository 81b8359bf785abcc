// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup updates the modes for the next frame, one invocation for each mode.
// Modes glide to the mean of their bins. The mode with the least worth is dropped if a
// summit is worth more than TIMES_WORTH times as much.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/live/modes/temporal.glsl"
#include "palette/live/modes/limit.glsl"

layout (local_size_x = LIMIT_MOST) in;
#define MEAN 5
#include "palette/live/bin_mean.glsl"

const uint TIMES_WORTH = 2;

// Like nearer(), for any words.
uint
nearer_weight (uint x, uint y, uint rate)
{
  uvec2 way = wide_add (wide_multiply (max (x, y) - min (x, y), rate),
      uvec2 (y > x ? 2048 : 2047, 0));
  uint step = way.x >> 12 | way.y << 20;

  return y > x ? x + step : x - step;
}

void
take_weight (uint slot)
{
  uint weight = state.limited.shares[slot].weight, mean = state.limited.mean_weights[slot];

  state.limited.mean_weights[slot] = mean == NO_WEIGHT ? weight
      : nearer_weight (mean, weight, state.frame.rates.weight);
}

// Modes glide faster if light changes in the whole frame.
uint
glide_rate ()
{
  uint glide = state.frame.rates.glide;

  return glide + ((4096 - glide) * state.limited.restlessness >> 6);
}

void
glide (uint slot)
{
  TemporalMode mode = modes[slot];
  ModeShare share = state.limited.shares[slot];
  uint rate = glide_rate ();

  if (share.n == 0)
    return;
  uint mean = mean_of_sums (uvec2[3] (uvec2 (share.low[0], share.high[0]),
          uvec2 (share.low[1], share.high[1]),
          uvec2 (share.low[2], share.high[2])), share.n);

  modes[slot].red = nearer (mode.red, mean >> 16 << 8, rate);
  modes[slot].green = nearer (mode.green, mean & 0xff00, rate);
  modes[slot].blue = nearer (mode.blue, (mean & 255) << 8, rate);
}

// Returns the worth of a mode, times TIMES_WORTH: its mean weight times its squared
// distance to the nearest other mode. NOBODY if it is the only mode.
uint
worth_of (uint slot)
{
  ivec3 place = place_of (slot);
  uint capacity = state.frame.capacity, least = NOBODY;

  for (uint i = 0; i < capacity; i++)
    if (i != slot && stands (i))
      least = min (least, squared_distance (place, place_of (i)));
  return least == NOBODY ? NOBODY
      : leading_product (state.limited.mean_weights[slot], TIMES_WORTH * least);
}

void
drop (uint slot)
{
  state.owning[slot / 32] &= ~(1u << slot % 32);
  state.in_use[slot / 32] &= ~(1u << slot % 32);
}

shared uint least_worth, first_slot;

void
main ()
{
  uint slot = gl_LocalInvocationID.x, worth = NOBODY;

  if (live.changed == 0 || state.frame.holds_palette != HOLDS_NO_PALETTE)
    return;
  if (slot == 0)
    least_worth = first_slot = NOBODY;
  barrier ();
  if (stands (slot)) {
    take_weight (slot);
    glide (slot);
    worth = worth_of (slot);
  }
  atomicMin (least_worth, worth);
  barrier ();
  if (worth == least_worth)
    atomicMin (first_slot, slot);
  barrier ();
  if (slot == 0 && least_worth < state.limited.greatest)
    drop (first_slot);
}
