// SPDX-License-Identifier: LGPL-2.1-or-later
// Converts sums of a level to pixels of the frame: for the shaders that scale up. They must
// define UNIT and sum_rows(), which returns the sum of a pixel; its weights include FRAME_SCALE.

// 2^23. A number plus this is a float whose last bits are the rounded number; the bits above
// are WHOLE_BITS.
#define WHOLE 8388608.0
#define WHOLE_BITS 0x4b000000u

// A unit of values is a pixel.
void store_values (int unit, int x, int y, vec4 weight)
{
  uint at = offset + uint (y) * stride + uint (x) * FOUR_WORDS;
  vec4 value = unpremultiply (sum_rows (unit, weight));
  uvec4 words = pack_values (SAMPLE == SAMPLE_HALF ? within_halves (value) : value);

  [[unroll]] for (uint i = 0; i < FOUR_WORDS; i++)
    if (x < width)
      target[at + i] = words[i];
}

// Returns floats whose last bits are the codes of a sum. This is faster than a conversion
// (docs/internals/benchmarks.md), and clamping to 0…1 is free.
uvec4 bits_of (vec4 sum)
{
  vec4 scale = scale_of_sum (sum);
  // A product is precise enough for bytes, and faster than a division.
  vec4 shares = ALPHA < 0 ? sum
      : sum * (ARE_SHORTS ? scale / FULL_SCALE : scale * (1 / 255.0));
  uvec4 bits = floatBitsToUint (fma (clamp (shares, 0, 1), vec4 (FULL_SCALE),
          vec4 (WHOLE)));

  if (LINEAR)
    bits = encode_light (FULL_SCALE * shares, bits & 255) + WHOLE_BITS;
  if (UNUSED >= 0)
    bits[INDEX (UNUSED)] = WHOLE_BITS + 255;
  return bits;
}

const int CODES = 4 / SAMPLE_SIZE (SAMPLE);     // of a word
const int UNIT_WORDS = UNIT * COMPONENTS / CODES;

// Returns where a code is in its word.
uint shift_of (int code)
{
  return code % CODES * 32 / CODES + SHORT_LOW_BITS;
}

// Stores the pixels of a unit. Bytes past the plane's edge, which fill up the last word,
// become 0.
void store_codes (int unit, int x, int y, vec4 weight)
{
  uint words[UNIT_WORDS];
  uint at = offset + uint (y) * stride + uint (x) * COMPONENTS / CODES;

  // Only the first code of a word leaves its upper bits in the word: subtract them.
  [[unroll]] for (int i = 0; i < UNIT_WORDS; i++)
    words[i] = -(WHOLE_BITS << shift_of (0));
  [[unroll]] for (int p = 0; p < UNIT; p++) {
    uvec4 bits = bits_of (sum_rows (unit * UNIT + p, weight));

    [[unroll]] for (int i = 0; i < COMPONENTS; i++) {
      int code = p * COMPONENTS + i;

      words[code / CODES] += bits[i] << shift_of (code);
    }
  }
  if (UNIT == 1 || x + UNIT <= width) {
    [[unroll]] for (int i = 0; i < UNIT_WORDS; i++)
      target[at + i] = words[i];
    return;
  }
  [[unroll]] for (int i = 0; i < UNIT_WORDS; i++) {
    int bytes = (width - x) * PIXEL_BYTES - 4 * i;

    if (bytes > 0)
      target[at + i] = bitfieldExtract (words[i], 0, 8 * min (bytes, 4));
  }
}

void store_unit (int unit, int x, int y, vec4 weight)
{
  if (ARE_VALUES)
    store_values (unit, x, y, weight);
  else
    store_codes (unit, x, y, weight);
}
