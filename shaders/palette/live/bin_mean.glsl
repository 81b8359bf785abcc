// SPDX-License-Identifier: LGPL-2.1-or-later
// Mean colour of a bin. Include after bins.glsl; define MEAN as the first of the
// bindings of two buffers before.
#include "core/wide.glsl"

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

uint mean_of_sums (uvec2 of[3], uint n)
{
  return wide_divide_rounded_unsigned (of[0], uvec2 (n, 0)) << 16
      | wide_divide_rounded_unsigned (of[1], uvec2 (n, 0)) << 8
      | wide_divide_rounded_unsigned (of[2], uvec2 (n, 0));
}

uint mean_colour (uint place)
{
  return mean_of_sums (wide_sums (place), sums[place].n);
}
