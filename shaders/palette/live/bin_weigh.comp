// SPDX-License-Identifier: LGPL-2.1-or-later
// Adds every pixel with PIXEL_WEIGHS to the sums of its bin.
#version 450
#extension GL_GOOGLE_include_directive : require
#define LIVE BINS_LIVE
#include "palette/shared/pixels.h"
#include "palette/live/bins.glsl"

layout (local_size_x = 256) in;
// Whether to add up in shared memory first. FALSE on CPU devices: barriers are expensive
// there, and atomic additions to one word are not.
layout (constant_id = 0) const bool GATHERS = true;
layout (constant_id = 1) const bool IS_WIDE = false;

layout (std430, binding = 3) readonly buffer Colours { uint colours[]; };
layout (std430, binding = 4) readonly buffer PixelBins { uint pixel_bins[]; };
#define SUMS 5
#include "palette/live/bin_add.glsl"
layout (push_constant) uniform Push
{
  uint first, end;              // invocations
  uint first_row;               // first bound row, of PIXELS_PER_THREAD pixels
};

const uint NOWHERE = 0xffffffffu;

uint
place_of_pixel (uint at, uint level, uint first_word)
{
  uint bin = at < live.n_pixels - first_row * PIXELS_PER_THREAD
      ? pixel_bins[at] : 0;

  if ((bin & PIXEL_WEIGHS) == 0)
    return NOWHERE;
  bin &= BIN_NUMBER;
  return place_of_bin (bin_at_level (bin, level), first_word);
}

uvec4
sums_of_pixel (uint at)
{
  uint colour = colours[at];

  return uvec4 (1, colour >> 16, colour >> 8 & 255, colour & 255);
}

// Sums of a workgroup in a hash table by place, without probing, as in flat areas many
// atomic additions would wait for the same bin. If another place has the slot, a sum is
// added to the bin directly. 768 slots of 20 bytes fit into the 16 KiB of shared memory
// that every device has.
const uint SLOTS = 768;
shared uint slot_places[SLOTS];
shared uvec4 slot_sums[SLOTS];

void
empty_slots ()
{
  for (uint i = gl_LocalInvocationID.x; i < SLOTS; i += 256) {
    slot_places[i] = NOWHERE;
    slot_sums[i] = uvec4 (0);
  }
  barrier ();
}

void
gather (uint place, uvec4 sum)
{
  uint slot = (place * 2654435761u >> 16) * SLOTS >> 16;
  uint other = atomicCompSwap (slot_places[slot], NOWHERE, place);

  if (other != NOWHERE && other != place) {
    add (place, sum, uvec3 (0));
    return;
  }
  for (uint i = 0; i < 4; i++)
    atomicAdd (slot_sums[slot][i], sum[i]);
}

void
add_slots ()
{
  barrier ();
  for (uint i = gl_LocalInvocationID.x; i < SLOTS; i += 256)
    if (slot_places[i] != NOWHERE)
      add (slot_places[i], slot_sums[i], uvec3 (0));
}

// Adds four successive pixels; runs of pixels in one bin are added together.
void
weigh_four (uint at, uint level, uint first_word)
{
  uint place[4];
  uvec4 sum = uvec4 (0);

  for (uint i = 0; i < 4; i++)
    place[i] = place_of_pixel (at + i, level, first_word);
  for (uint i = 0; i < 4; i++) {
    if (place[i] == NOWHERE)
      continue;
    sum += sums_of_pixel (at + i);
    if (i < 3 && place[min (i + 1, 3)] == place[i])
      continue;
    if (GATHERS)
      gather (place[i], sum);
    else
      add (place[i], sum, uvec3 (0));
    sum = uvec4 (0);
  }
}

void
main ()
{
  load_grid ();
  uint group = (first - first_row + gl_WorkGroupID.x * 256)
      * PIXELS_PER_THREAD;
  uint level = live_level (), first_word = bin_grid.first_word[level];

  if (GATHERS)
    empty_slots ();
  for (uint i = 0; i < PIXELS_PER_THREAD / 4; i++)
    weigh_four (group + (i * 256 + gl_LocalInvocationID.x) * 4, level,
        first_word);
  if (GATHERS)
    add_slots ();
}
