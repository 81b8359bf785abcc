// SPDX-License-Identifier: LGPL-2.1-or-later
// Adds every pixel with PIXEL_WEIGHS to the sums of its bin. PAIRS: sums fit into words, and the
// device adds 64-bit numbers.
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "palette/live/bins.glsl"
#include "core/pixels/format.h"

layout (local_size_x = 256) in;
// Whether to add up in shared memory first. FALSE on CPU devices: barriers are expensive
// there, and atomic additions to one word are not.
layout (constant_id = 0) const bool GATHERS = true;
#ifndef PAIRS
layout (constant_id = 1) const bool IS_WIDE = false;
#endif

layout (std430, binding = 3) readonly buffer Colours { uvec4 colours[]; };
layout (std430, binding = 4) readonly buffer PixelBins { uvec4 pixel_bins[]; };
#define SUMS 5
#include "palette/live/bin_add.glsl"
layout (push_constant) uniform Push
{
  uint first, end;              // invocations
  uint first_row;               // first bound row of pixels
};

const uint NOWHERE = 0xffffffffu;

// A sum of up to TILE_SIDE * TILE_SIDE pixels in three words, as each addition counts:
// red, and above it their number, which begins anew after the largest one; green; blue.
const uint NUMBER_SHIFT = 20, NUMBER_MOST = TILE_SIDE * TILE_SIDE;

uvec3 packed_pixel (uint colour)
{
  return uvec3 (colour >> 16 | 1 << NUMBER_SHIFT, colour >> 8 & 255, colour & 255);
}

// packed: of one pixel or more.
uvec4 unpacked (uvec3 packed)
{
  uint number = (packed.x >> NUMBER_SHIFT) - 1 & NUMBER_MOST - 1;

  return uvec4 (number + 1, packed.x & (1u << NUMBER_SHIFT) - 1, packed.yz);
}

// The quad of an invocation in a row of a tile.
struct Quad
{
  uint at;                      // index of its vector
  bool exists;
};

Quad quad_of_row (uint number, uint row)
{
  uint tile = first / 256 + gl_WorkGroupID.x;
  uint tiles_along = (live.width + TILE_SIDE - 1) / TILE_SIDE;
  uint x = tile % tiles_along * TILE_SIDE + 4 * number;
  uint y = tile / tiles_along * TILE_SIDE + row;
  bool exists = x < live.width && y < live.height;

  return Quad (((y - first_row) * PIXELS_ROW_WORDS (live.width) + x) / 4, exists);
}

uint place_of_pixel (uint word, uint level, uint first_word)
{
  return (word & PIXEL_WEIGHS) == 0 ? NOWHERE
      : place_of_bin (number_of_bin (bin_of_word (word), level), first_word);
}

// Sums of a workgroup in a hash table by place, as in flat areas many atomic additions would
// wait for the same bin. If other places have the PROBES slots from that of a place on, a
// sum is added to the bin directly. 1024 slots of 16 bytes are the 16 KiB of shared memory that
// every device has.
const uint SLOT_BITS = 10, SLOTS = 1 << SLOT_BITS, PROBES = 2;
shared uint slot_places[SLOTS];
shared uint slot_sums[SLOTS][3];

void empty_slots ()
{
  for (uint i = gl_LocalInvocationID.x; i < SLOTS; i += 256) {
    slot_places[i] = NOWHERE;
    slot_sums[i] = uint[3] (0, 0, 0);
  }
  barrier ();
}

void gather (uint place, uvec3 packed)
{
  uint slot = place * 2654435761u >> 32 - SLOT_BITS;

  for (uint probe = 0; probe < PROBES; probe++) {
    uint other = atomicCompSwap (slot_places[slot], NOWHERE, place);

    if (other == NOWHERE || other == place) {
      for (uint i = 0; i < 3; i++)
        atomicAdd (slot_sums[slot][i], packed[i]);
      return;
    }
    slot = slot + 1 & SLOTS - 1;
  }
  add (place, unpacked (packed));
}

// Like gather(), but invocations of a subgroup with the place of the first one are added
// together: in flat areas these are all.
void gather_together (uint place, uvec3 packed)
{
  bool is_shared = place == subgroupBroadcastFirst (place);
  uvec3 sum = subgroupAdd (is_shared ? packed : uvec3 (0));

  if (place == NOWHERE)
    return;
  if (!is_shared)
    gather (place, packed);
  else if (subgroupElect ())
    gather (place, sum);
}

void add_slots ()
{
  barrier ();
  for (uint i = gl_LocalInvocationID.x; i < SLOTS; i += 256)
    if (slot_places[i] != NOWHERE)
      add (slot_places[i], unpacked (uvec3 (slot_sums[i][0], slot_sums[i][1],
                  slot_sums[i][2])));
}

// Adds four successive pixels; runs of pixels in one bin are added together.
void weigh_four (Quad quad, uint level, uint first_word)
{
  uvec4 bins = quad.exists ? pixel_bins[quad.at] : uvec4 (0);
  uvec4 colour = quad.exists ? colours[quad.at] : uvec4 (0);
  uint place[4];
  uvec3 sum = uvec3 (0);

  for (uint i = 0; i < 4; i++)
    place[i] = place_of_pixel (bins[i], level, first_word);
  for (uint i = 0; i < 4; i++) {
    if (place[i] != NOWHERE)
      sum += packed_pixel (colour[i] & 0xffffff);
    if (i == 3 || place[i] == NOWHERE || place[i + 1] == place[i])
      continue;
    if (GATHERS)
      gather (place[i], sum);
    else
      add (place[i], unpacked (sum));
    sum = uvec3 (0);
  }
  if (GATHERS)
    gather_together (place[3], sum);
  else if (place[3] != NOWHERE)
    add (place[3], unpacked (sum));
}

void main ()
{
  load_grid ();
  uint level = live_level (), first_word = bin_grid.first_word[level];
  const uint quads = TILE_SIDE / 4, rows = 256 / quads;
  uint number = gl_LocalInvocationID.x % quads, row = gl_LocalInvocationID.x / quads;

  if (GATHERS)
    empty_slots ();
  for (; row < TILE_SIDE; row += rows)
    weigh_four (quad_of_row (number, row), level, first_word);
  if (GATHERS)
    add_slots ();
}
