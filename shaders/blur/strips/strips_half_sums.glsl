// SPDX-License-Identifier: LGPL-2.1-or-later
// Bytes that are summed as halves, two at a time. They are centred on zero, around
// which halves are the most precise: so they miss by as little as their storage does.
// For what has no alpha: products with a small one would not be small enough.

// A pair is two bytes that have one between them, which takes no more than a mask.
#define LANE(byte) ((byte) == 1 || (byte) == 2 ? 3 - (byte) : (byte))

// A byte in the last bits of a half is the byte above this.
#define WHOLE 1024
#define WHOLE_BITS 0x64006400u
#define PAIR_BITS 0x00ff00ffu
#define CENTRE 128

// The first and the third byte of a word.
Pair
pair_of (uint word)
{
  return unpack_pair ((word & PAIR_BITS) | WHOLE_BITS) - Pair (WHOLE + CENTRE);
}

Sum
sample_of (Column word)
{
  uint lanes = in_order (word);

  return Sum (pair_of (lanes), pair_of (lanes >> 8));
}

// Pairs that begin with each byte of what is held.
Pair spread[4 * HELD];

void
spread_held ()
{
  [[unroll]] for (int i = 0; i < HELD; i++)
    [[unroll]] for (int byte = 0; byte < 4; byte++) {
      uint word = held[i] >> (8 * byte);

      if (byte > 1 && i + 1 < HELD)
        word |= held[i + 1] << (32 - 8 * byte);
      spread[4 * i + byte] = pair_of (word);
    }
}

// Of a column that begins with byte @at of them.
Sum
held_from (int at)
{
  return Sum (spread[at], spread[at + 1]);
}

// Two codes, with one's room between them.
uint
codes_of (Pair sum)
{
  Pair whole = clamp (sum + Pair (WHOLE + CENTRE), Pair (WHOLE),
      Pair (WHOLE + 255));

  return pack_pair (whole) & PAIR_BITS;
}

Column
column_of (Sum sum)
{
  uint word = codes_of (sum.xy) | codes_of (sum.zw) << 8;

  return in_memory (HAS_UNUSED ? word | 0xff000000u : word);
}
