// SPDX-License-Identifier: LGPL-2.1-or-later
// Sums as floats.

// The lane of a sum that has code @code of a column.
#define LANE(code) (code)

#if SAMPLE_IS_VALUE (SAMPLE)

Sum sample_of (Column pixel)
{
  return sample_of_words (words_of (pixel));
}

Column column_of (Sum sum)
{
  return Column (pack_values (unpremultiply (sum)));
}

#else

Sum sample_of (Column column)
{
  vec4 codes = unpack_four (words_of (in_order (column)));

  return opaque ? colours_of_codes (codes) : sample_of_codes (codes);
}

Column column_of (Sum sum)
{
  uvec4 codes = codes_of_sum (sum, opaque ? opaque_scale : scale_of_sum (sum));

  if (n_lanes () == 3)
    codes.w = uint (FULL_SCALE);
  return in_memory (Column (pack_codes (codes)));
}

#endif

// All lanes of the held columns.
float spread[4 * HELD];

void spread_held ()
{
  [[unroll]] for (int i = 0; i < HELD; i++) {
    Sum lanes = sample_of (held[i]);

    [[unroll]] for (int lane = 0; lane < 4; lane++)
      spread[4 * i + lane] = lanes[lane];
  }
}

// Returns the four lanes from lane @at on.
Sum held_from (int at)
{
  return Sum (spread[at], spread[at + 1], spread[at + 2], spread[at + 3]);
}
