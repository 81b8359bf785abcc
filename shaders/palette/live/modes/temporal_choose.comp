// SPDX-License-Identifier: LGPL-2.1-or-later
// Chooses the mode of every pixel: the mode that its bin offers, or the one that the
// surface held where it was in the frame before.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/shared/pixels.h"
#include "palette/live/modes/temporal.glsl"
#include "palette/live/modes/colour_change.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 5) readonly buffer Colours { uint colours[]; };
layout (std430, binding = 6) readonly buffer ColoursBefore { uint colours_before[]; };
layout (std430, binding = 7) readonly buffer PixelBins { uint pixel_bins[]; };
layout (std430, binding = 8) readonly buffer Owners { uint owners[]; };
layout (std430, binding = 9) readonly buffer Homes { uint homes[]; };
layout (std430, binding = 10) readonly buffer HeldBefore { uint held_before[]; };
layout (std430, binding = 11) writeonly buffer PixelModes { uint pixel_modes[]; };
layout (std430, binding = 12) readonly buffer MotionState { Motion motion; };
layout (push_constant) uniform Push
{
  uint first, end;              // invocations
  uint first_row;               // first bound row, of PIXELS_PER_THREAD pixels
};

uint
offer_of (uint bin, uint level)
{
  return owners[place_of_bin (bin_at_level (bin, level),
          bin_grid.first_word[level])];
}

// Returns the mode that stayed of those that met the mode in this slot.
uint
left_of (uint slot)
{
  uint home = modes[slot].home;

  return frame.limit.most != 0 || home == NOT_OCCUPIED ? slot : homes[home];
}

// Where a pixel comes from.
struct Source
{
  uint block;                   // of the pixel
  uint at;                      // index in the frame before, or NOBODY: not in view
};

Source
source_of (uint at)
{
  uint width = frame.width, shift = frame.blocks.shift;
  uint number = at + first_row * PIXELS_PER_THREAD;
  uint y = number / width, x = number - y * width;
  uint block = (y >> shift) * frame.blocks.columns + (x >> shift);
  int by_x = motion.blocks[block].vector[0], by_y = motion.blocks[block].vector[1];
  // As unsigned numbers, negative ones are beyond the edges, too.
  bool is_in_view = x + uint (by_x) < width && y + uint (by_y) < frame.height;

  return Source (block, is_in_view ? at + uint (by_y) * width + uint (by_x) : NOBODY);
}

// Returns the word of the pixel of the frame before.
uint
held_by (Source source)
{
  return source.at == NOBODY || state.begins_anew != 0 ? PIXEL_WITHOUT_MODE
      : held_before[source.at];
}

Hysteresis
hysteresis_of (uint at, Source source)
{
  uint change = change_of_colour (colours_before[source.at], colours[at]);

  if (change == 0)
    return state.hysteresis;
  if (change > motion.moved_above)
    return Hysteresis (0, 0);
  return motion.blocks[source.block].hysteresis;
}

// Returns whether pixels held the mode in the slot when the frame began.
bool
was_held (uint slot)
{
  return (state.held[slot / 32] >> slot % 32 & 1) != 0;
}

// With a limit of modes, pixels do not wait for a mode that was not there: they would show
// what it is to replace.
bool
is_new (uint slot)
{
  return frame.limit.most != 0 && !was_held (slot);
}

// Returns the new word of a pixel that holds another mode than the one it is offered.
uint
compare (Hysteresis hysteresis, uint bin, uint offered, uint held, uint waits)
{
  ivec3 middle = middle_of (bin, 0);

  if (squared_distance (middle, place_of (offered)) + hysteresis.margin
      >= squared_distance (middle, place_of (held)))
    return held;
  waits = min (waits + frame.rates.ms, WAITS_MOST);
  return waits > hysteresis.wait_ms || is_new (offered) ? offered
      : held | waits << WAITS_SHIFT;
}

// Marks a mode as held by a pixel. The plain read avoids most atomics. Bits are only set
// during the dispatch: if the read is stale, the atomic decides.
void
note (uint slot)
{
  uint word = slot / 32, bit = 1u << slot % 32;

  if ((state.in_use[word] & bit) == 0
      && (atomicOr (state.in_use[word], bit) & bit) == 0)
    atomicAdd (live.output_colours, 1);
}

void
take (uint at, uint chosen)
{
  pixel_modes[at] = chosen;
  if ((chosen & PIXEL_WITHOUT_MODE) == 0)
    note (chosen & 0xffff);
}

// If there is no other mode to compare with, takes the mode that is offered and returns
// true.
bool
takes_at_once (uint at, uint level)
{
  uint bin = pixel_bins[at], held = held_by (source_of (at));
  bool is_counted = (bin & PIXEL_STAYS) == 0;
  uint offered = is_counted ? offer_of (bin & BIN_NUMBER, level)
      : COLOURS_STAY;

  if (offered == COLOURS_STAY)
    offered = PIXEL_WITHOUT_MODE | colours[at] & 0xffffff;
  if (((offered | held) & PIXEL_WITHOUT_MODE) == 0
      && (held & 0xffff) != offered && was_held (held & 0xffff))
    return false;
  take (at, offered);
  return true;
}

void
take_nearer (uint at, uint level)
{
  uint bin = pixel_bins[at] & BIN_NUMBER, offered = offer_of (bin, level);
  Source source = source_of (at);
  uint held_word = held_by (source), held = left_of (held_word & 0xffff);

  take (at, held == offered ? offered
      : compare (hysteresis_of (at, source), bin, offered, held,
          held_word >> WAITS_SHIFT));
}

// The frame is as the one before.
void
keep (uint first_at, uint n_bound)
{
  for (uint i = 0; i < PIXELS_PER_THREAD; i++) {
    uint at = first_at + i * 256;

    if (at < n_bound)
      pixel_modes[at] = held_before[at];
  }
}

void
choose (uint first_at, uint n_bound)
{
  uint level = live_level (), undecided = 0;

  for (uint i = 0; i < PIXELS_PER_THREAD; i++) {
    uint at = first_at + i * 256;

    if (at < n_bound && !takes_at_once (at, level))
      undecided |= 1u << i;
  }
  // Few pixels are undecided. In a loop of its own, the expensive comparison runs only as
  // often as the lane with the most undecided pixels needs it.
  for (; undecided != 0; undecided &= undecided - 1)
    take_nearer (first_at + findLSB (undecided) * 256, level);
}

void
main ()
{
  load_grid ();
  load_frame ();
  uint n_bound = live.n_pixels - first_row * PIXELS_PER_THREAD;
  uint first_at = (first - first_row + gl_WorkGroupID.x * 256)
      * PIXELS_PER_THREAD
      + gl_LocalInvocationID.x;

  if (live.changed == 0)
    keep (first_at, n_bound);
  else
    choose (first_at, n_bound);
}
