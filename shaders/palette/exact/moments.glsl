// SPDX-License-Identifier: LGPL-2.1-or-later
// Sums of weights, and of weighted coordinates in two words each. The sum of weights is
// below 2^32 and coordinates have at most 17 bits, so sums have at most 49 bits.
// Coordinates about a centre are signed, and so are their sums.
#include "core/wide.glsl"

struct Sums
{
  uint n;
  uvec2 x, y, z;
};

const Sums NO_SUMS = Sums (0, uvec2 (0), uvec2 (0), uvec2 (0));

Sums add_sums (Sums a, Sums b)
{
  return Sums (a.n + b.n, wide_add (a.x, b.x), wide_add (a.y, b.y), wide_add (a.z, b.z));
}

// Returns the sums of one point: x is L, y and z are the biased a and b.
Sums sums_of_point (uvec2 point, uint weight)
{
  return Sums (weight, wide_multiply (point.y, weight),
      wide_multiply (point.x & 0xffff, weight),
      wide_multiply (point.x >> 16, weight));
}

Sums sums_of_place (ivec3 place, uint weight)
{
  return Sums (weight, wide_multiply_signed (weight, place.x),
      wide_multiply_signed (weight, place.y),
      wide_multiply_signed (weight, place.z));
}

uvec2 moment_about (uvec2 sum, uint n, uint centre)
{
  return wide_subtract (sum, wide_multiply (n, centre));
}

// Converts sums of unsigned coordinates to signed sums about an unsigned centre.
Sums sums_about (Sums sum, uvec3 centre)
{
  return Sums (sum.n, moment_about (sum.x, sum.n, centre.x),
      moment_about (sum.y, sum.n, centre.y),
      moment_about (sum.z, sum.n, centre.z));
}

Sums subtract_sums (Sums a, Sums b)
{
  return Sums (a.n - b.n, wide_subtract (a.x, b.x), wide_subtract (a.y, b.y),
      wide_subtract (a.z, b.z));
}
