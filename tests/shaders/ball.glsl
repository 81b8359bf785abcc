// SPDX-License-Identifier: LGPL-2.1-or-later
// What a ball holds, one point after the other.
#include "palette/exact/moments.glsl"

// d: from the centre to the point. reach: floor (radius).
void add_point (inout Sums sum, ivec3 d, uint weight, int reach,
    int radius_squared)
{
  // Squares of what is out of reach need not fit.
  if (max (max (abs (d.x), abs (d.y)), abs (d.z)) > reach
      || d.x * d.x + d.y * d.y + d.z * d.z > radius_squared)
    return;
  sum = add_sums (sum, sums_of_place (d, weight));
}

// From the centre to the mean, of sums about the centre; none where there is
// nothing.
ivec3 mean_of (Sums sum)
{
  if (sum.n == 0)
    return ivec3 (0);
  return ivec3 (wide_divide_rounded (sum.x, sum.n),
      wide_divide_rounded (sum.y, sum.n), wide_divide_rounded (sum.z, sum.n));
}
