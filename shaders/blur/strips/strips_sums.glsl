// SPDX-License-Identifier: LGPL-2.1-or-later
// Sums as floats, or as halves: samples, outputs, and the lanes of held columns.

#ifndef HALF_SUMS

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

#else

// Sums of bytes as halves, two at a time. Bytes are centred on 0, where halves are most
// precise: the error of sums is then no larger than that of storing them. Only for formats
// without alpha: with a small alpha the errors of products would be too large.

// A pair is two bytes with another byte between them, so that a mask is enough to extract it.
#define LANE(byte) ((byte) == 1 || (byte) == 2 ? 3 - (byte) : (byte))

// A half with a byte in its last bits is WHOLE plus the byte. The bits above are WHOLE_BITS.
#define WHOLE 1024
#define WHOLE_BITS 0x64006400u
#define PAIR_BITS 0x00ff00ffu
#define CENTRE 128

// Returns the first and the third byte of a word.
Pair pair_of (uint word)
{
  return unpack_pair ((word & PAIR_BITS) | WHOLE_BITS) - Pair (WHOLE + CENTRE);
}

Sum sample_of (Column word)
{
  uint lanes = in_order (word);

  return Sum (pair_of (lanes), pair_of (lanes >> 8));
}

// For each byte of the held columns, the pair that begins with it.
Pair spread[4 * HELD];

void spread_held ()
{
  [[unroll]] for (int i = 0; i < HELD; i++)
    [[unroll]] for (int byte = 0; byte < 4; byte++) {
      uint word = held[i] >> (8 * byte);

      if (byte > 1 && i + 1 < HELD)
        word |= held[i + 1] << (32 - 8 * byte);
      spread[4 * i + byte] = pair_of (word);
    }
}

// Returns the four lanes of a column that begins with byte @at.
Sum held_from (int at)
{
  return Sum (spread[at], spread[at + 1]);
}

// Returns two codes, with room for another code between them.
uint codes_of (Pair sum)
{
  Pair whole = clamp (sum + Pair (WHOLE + CENTRE), Pair (WHOLE),
      Pair (WHOLE + 255));

  return pack_pair (whole) & PAIR_BITS;
}

Column column_of (Sum sum)
{
  uint word = codes_of (sum.xy) | codes_of (sum.zw) << 8;

  return in_memory (HAS_UNUSED ? word | 0xff000000u : word);
}

#endif
