// SPDX-License-Identifier: LGPL-2.1-or-later
// Counts the pixels of every output colour, by its index among the output colours.
#include "palette/shared/pixels.h"
#include "palette/shared/topcolours.h"
#include "palette/exact/results.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Used { uint used[]; };
layout (std430, binding = 1) readonly buffer UsedBefore { uint used_before[]; };
layout (std430, binding = 2) readonly buffer Numbers { uint numbers[]; };
layout (std430, binding = 6) buffer Pixels { uint counters[]; };
layout (push_constant) uniform Push
{
  uint first, end;              // invocations
  uint first_row;               // first bound row, of PIXELS_PER_THREAD pixels
  uint n_words;
};

uint counter_of (uint at)
{
  uint number = at < n_words - first_row * PIXELS_PER_THREAD ? numbers[at] : TRANSPARENT;

  if ((number & TRANSPARENT) != 0)
    return TOP_NOWHERE;
  uint colour = result_of (number);
  uint word = colour >> 5, bit = 1u << (colour & 31);

  return used_before[word] + bitCount (used[word] & (bit - 1));
}

#include "palette/shared/top_count.glsl"

void main ()
{
  count_all ();
}
