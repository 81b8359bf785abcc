// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup lists the output colours with most pixels, out of those that have
// most of their groups.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common/group.glsl"
#include "palette/lattice.glsl"
#include "palette/steady.h"
#include "palette/census.h"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Tables { uint tables[]; };
layout (std430, binding = 1) readonly buffer Used { uint used[]; };
layout (std430, binding = 2) readonly buffer Before { uint used_before[]; };
layout (std430, binding = 3) readonly buffer Bests { CensusBest bests[]; };
layout (std430, binding = 4) writeonly buffer List { Census census; };
layout (push_constant) uniform Push
{
  uint n_groups;
  uint shift, pitch;            // of docs/live.md
};

uint
count_of (uint slot)
{
  return bests[slot / CENSUS_MODES].counts[slot % CENSUS_MODES];
}

#include "palette/census_most.glsl"

// The last word with no more than so many colours before it.
uint
word_with (uint number)
{
  uint word = 0;

  for (uint step = CENSUS_COLOUR_WORDS / 2; step > 0; step /= 2)
    if (used_before[word + step] <= number)
      word += step;
  return word;
}

// Of the output colours, in ascending order.
uint
colour_number (uint number)
{
  uint word = word_with (number);
  uint left = used[word];

  for (uint i = used_before[word]; i < number; i++)
    left &= left - 1;
  return word * 32 + findLSB (left);
}

// In eighths of cells, from far below 0.
uint
eighths_along (int x)
{
  return uint (x + int (pitch * CENSUS_CELLS_BELOW)) * 8 / pitch;
}

void
write_mode (uint at, uint rank)
{
  uint listed = listed_slots[at];
  uint colour =
      colour_number (bests[listed / CENSUS_MODES].slots[listed % CENSUS_MODES]);
  ivec3 point = light_to_lattice (uvec3 (tables[colour >> 16],
          tables[colour >> 8 & 255], tables[colour & 255]), shift);

  census.modes[rank].colour = colour;
  census.modes[rank].n = listed_counts[at];
  for (uint i = 0; i < 3; i++)
    census.modes[rank].place[i] = eighths_along (point[i]);
}

void
main ()
{
  uint at = gl_LocalInvocationID.x, n;

  list_most (n_groups * CENSUS_MODES, n);
  uint n_pixels = group_sum (at < n_groups ? bests[at].n_pixels : 0);

  if (at < n)
    write_mode (at, rank_of (at, n));
  if (at == 0) {
    census.n_pixels = n_pixels;
    census.n_modes = n;
  }
}
