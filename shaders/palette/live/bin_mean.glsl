// SPDX-License-Identifier: LGPL-2.1-or-later
// Mean colour of a bin. Include after bins.glsl; define MEAN as the first of the
// bindings of two buffers before.
#include "palette/live/mean.glsl"

layout (std430, binding = MEAN) readonly buffer Sums { BinSums sums[]; };
// High parts of the sums of components, 8 bits each, if sums may exceed a word.
layout (std430, binding = MEAN + 1) readonly buffer Carries { uint carries[]; };

// Returns the sums of red, green and blue at a place.
uvec2[3]
wide_sums (uint place)
{
  BinSums sum = sums[place];
  uint carry = place < carries.length () ? carries[place] : 0;

  return uvec2[3] (uvec2 (sum.red, carry & 255),
      uvec2 (sum.green, carry >> 8 & 255), uvec2 (sum.blue, carry >> 16));
}

uint mean_colour (uint place)
{
  return mean_of_sums (wide_sums (place), sums[place].n);
}
