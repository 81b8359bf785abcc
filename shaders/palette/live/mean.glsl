// SPDX-License-Identifier: LGPL-2.1-or-later
#ifndef PALETTE_MEAN_GLSL
#define PALETTE_MEAN_GLSL
#include "core/wide.glsl"

// Returns the mean of colours of the total weight n, from their sums of red, green and blue.
uint mean_of_sums (uvec2 of[3], uint n)
{
  return wide_divide_rounded_unsigned (of[0], uvec2 (n, 0)) << 16
      | wide_divide_rounded_unsigned (of[1], uvec2 (n, 0)) << 8
      | wide_divide_rounded_unsigned (of[2], uvec2 (n, 0));
}

#endif
