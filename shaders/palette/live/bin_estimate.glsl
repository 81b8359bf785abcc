// SPDX-License-Identifier: LGPL-2.1-or-later
// Bins of colours by floats, with a tenth of the operations of bin_of_point(), where they
// tell without doubt. Include after oklab.glsl and bins.glsl.

// More lattice units than the floats and the integers of a point can differ by beyond the
// half that a point is rounded by: on devices that keep the precision which Vulkan demands
// of floats, and with the largest matrix, that of a chroma of 3. Summed up for the row of a,
// the worst: 0.50 from cones and roots (logarithms add nothing, as Newton's method squares
// their error), and 0.26 from the matrix and bins, if rounding may go either way.
const float MOST_ERROR = 1.0;

// From cone roots to bins along L, a and b, and the distance from an edge of a bin at which
// a point may be on either side of it.
vec3 roots_to_bins[3];
vec3 first_bins;
float edge;

// main() calls this after load_grid(), for the same reason.
void load_estimate ()
{
  const vec3 signs[3] = vec3[3] (vec3 (1, 1, -1), vec3 (1, -1, 1), vec3 (1, 1, -1));
  float pitch = float (bin_grid.pitch);
  // Roots are Q20, entries of the matrix Q30: 2^(shift - 50), which exp2() need not hit.
  float scale = uintBitsToFloat (bin_grid.shift + 127 - 50 << 23) / pitch;

  for (uint i = 0; i < 3; i++) {
    for (uint k = 0; k < 3; k++)
      roots_to_bins[i][k] = float (tables[TABLES_TO_LAB + 3 * i + k]) * signs[i][k] * scale;
    first_bins[i] = (float (bin_grid.bias[i]) + 0.5) / pitch;
  }
  edge = MOST_ERROR / pitch;
}

// Returns whether the bin is certain.
bool estimate_bin (uint colour, out uvec3 bin)
{
  vec3 light = vec3 (tables[TABLES_LIGHTS + (colour >> 16 & 255)],
      tables[TABLES_LIGHTS + (colour >> 8 & 255)], tables[TABLES_LIGHTS + (colour & 255)]);
  vec3 cones = vec3 (dot (light, vec3 (LMS_ROWS[0])), dot (light, vec3 (LMS_ROWS[1])),
      dot (light, vec3 (LMS_ROWS[2])));
  vec3 roots = exp2 (log2 (max (cones, 1.0)) * (1.0 / 3.0));

  // A step of Newton's method, as logarithms have few digits.
  roots = (2.0 * roots + cones / (roots * roots)) * (1.0 / 3.0);
  vec3 at = first_bins + vec3 (dot (roots_to_bins[0], roots),
      dot (roots_to_bins[1], roots), dot (roots_to_bins[2], roots));
  vec3 along = floor (at), within = at - along;

  bin = uvec3 (along);
  return all (greaterThan (within, vec3 (edge))) && all (lessThan (within, vec3 (1.0 - edge)));
}
