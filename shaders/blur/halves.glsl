// SPDX-License-Identifier: LGPL-2.1-or-later
// Sums of values, unlike those of bytes, may be more than halves hold, above all
// with alpha.

const float MAX_HALF = 65504;

vec4
within_halves (vec4 value)
{
  return clamp (value, -MAX_HALF, MAX_HALF);
}
