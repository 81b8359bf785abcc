// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup lists the output colours with the most pixels, from the lists of all groups.
#include "core/group.glsl"
#include "palette/shared/topcolours.h"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Tables { uint tables[]; };
layout (std430, binding = 1) readonly buffer Used { uint used[]; };
layout (std430, binding = 2) readonly buffer UsedBefore { uint used_before[]; };
layout (std430, binding = 3) readonly buffer Bests { TopOfGroup bests[]; };
layout (std430, binding = 4) writeonly buffer Top { TopColours top; };
#include "palette/oklab.glsl"
layout (push_constant) uniform Push
{
  uint n_groups;
  uint shift, pitch;            // s and P of docs/internals/live.md
};

uint count_of (uint slot)
{
  return bests[slot / TOP_MODES].counts[slot % TOP_MODES];
}

#include "palette/shared/top_list.glsl"

// Returns the last word with no more than `number` output colours before it.
uint word_with (uint number)
{
  uint word = 0;

  for (uint step = TOP_COLOUR_WORDS / 2; step > 0; step /= 2)
    if (used_before[word + step] <= number)
      word += step;
  return word;
}

// Returns output colour `number`, in ascending order.
uint colour_number (uint number)
{
  uint word = word_with (number);
  uint left = used[word];

  for (uint i = used_before[word]; i < number; i++)
    left &= left - 1;
  return word * 32 + findLSB (left);
}

// Converts a lattice coordinate to eighths of bins, from an origin far below 0.
uint eighths_along (int x)
{
  return uint (x + int (pitch * TOP_CELLS_BELOW)) * 8 / pitch;
}

void write_mode (uint at, uint rank)
{
  uint listed = listed_slots[at];
  uint colour = colour_number (bests[listed / TOP_MODES].slots[listed % TOP_MODES]);
  ivec3 point = point_of_colour (colour, shift);

  top.modes[rank].colour = colour;
  top.modes[rank].n = listed_counts[at];
  for (uint i = 0; i < 3; i++)
    top.modes[rank].place[i] = eighths_along (point[i]);
}

void main ()
{
  uint at = gl_LocalInvocationID.x, n;

  list_most (n_groups * TOP_MODES, n);
  uint n_pixels = group_sum (at < n_groups ? bests[at].n_pixels : 0);

  if (at < n)
    write_mode (at, rank_of (at, n));
  if (at == 0) {
    top.n_pixels = n_pixels;
    top.n_modes = n;
  }
}
