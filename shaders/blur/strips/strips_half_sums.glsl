// SPDX-License-Identifier: LGPL-2.1-or-later
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
