// SPDX-License-Identifier: LGPL-2.1-or-later
// Sums along rows of pixels of four samples, each of which is a column.

#include "blur/quotient.glsl"

Sum load_sum (uint row, uint column)
{
  uint at = row * PITCH + place_of (column);
  uvec2 pairs = uvec2 (ring[at], ring[at + PLANE]);

  if (is_narrow ())
    return Sum (pairs, pairs >> 16);
  return Sum (pairs, ring[at + 2 * PLANE], ring[at + 3 * PLANE]);
}

// Returns a sum of no pixels, which rounds the means: of all lanes, or of alpha alone.
Sum empty_sum ()
{
  uint rounds = half_of_box ();

  if (is_narrow ())
    return Sum (uvec2 (rounds + (rounds << 16)), uvec2 (rounds));
  return Sum (0, rounds << 16, 0, rounds);
}

uint word_of (Sum sum)
{
  uvec4 lanes = uvec4 (sum.xy - (sum.zw << 16), sum.zw);
  uint alpha = max (lanes.w - half_of_box (), 1);
  float share = 1.0 / float (alpha);
  uvec4 codes;

  [[unroll]] for (int i = 0; i < 3; i++)
    codes[i] = is_narrow () ? mean_of (lanes[i])
        : rounded_quotient (lanes[i], alpha, share);
  codes.w = HAS_UNUSED || opaque ? 255 : mean_of (lanes.w);
  return in_memory (pack_codes (codes).x);
}

// Sums OUTPUTS columns of a row, whose first samples begin at @column in shared memory.
void sum_pixels_along (uint row, uint column, out uint words[OUTPUTS])
{
  uint taps = 2 * uint (radius_x ());
  Sum window = empty_sum ();

  for (uint i = 0; i < taps; i++)
    window += load_sum (row, column + i);
  [[unroll]] for (int o = 0; o < OUTPUTS; o++) {
    window += load_sum (row, column + taps + o);
    words[o] = word_of (window);
    window -= load_sum (row, column + o);
  }
}
