// SPDX-License-Identifier: LGPL-2.1-or-later
// Sums of samples that are halves or floats can exceed the range of halves, in particular
// with alpha. Sums of bytes cannot.

const float MAX_HALF = 65504;

vec4 within_halves (vec4 value)
{
  return clamp (value, -MAX_HALF, MAX_HALF);
}
