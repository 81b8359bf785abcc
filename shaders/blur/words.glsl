// SPDX-License-Identifier: LGPL-2.1-or-later
// The layout of samples in the words of a frame; the first sample is in the lowest bits.
// Samples are codes of one or two bytes, or values: halves or floats, always four per
// pixel. Pixels of three bytes can lie in two words. For all shaders of the blur that read
// or write frames. They must define SAMPLE, COMPONENTS, source[], and SHORTS: the sample
// type if codes have two bytes. Strips and the pyramid have one shader for all these types,
// in which SHORTS is a specialization constant.
#include "core/shared.h"

#ifndef Sample
#define Sample vec4
#endif

// Integer sums are only sums of codes.
#ifdef EXACT
#define ARE_VALUES false
#else
#define ARE_VALUES SAMPLE_IS_VALUE (SAMPLE)
#endif

// Codes of two bytes.
#ifdef EXACT
#define ARE_SHORTS false
#else
#define ARE_SHORTS (SAMPLE_SIZE (SAMPLE) == 2 && !ARE_VALUES)
#endif
#define SHORT_LOW_BITS SAMPLE_LOW_BITS (SHORTS) // unused
#define FULL_SHORT float ((1u << SAMPLE_CODE_BITS (SHORTS)) - 1)

#define PIXEL_BYTES (COMPONENTS * SAMPLE_SIZE (SAMPLE))

// The number of words of four samples.
#define FOUR_WORDS SAMPLE_SIZE (SAMPLE)

// Bytes in the words of a row. The numbers are literal: with numbers that follow from SAMPLE,
// a specialization constant, passes of RGB took up to 7 % longer on NVIDIA GPUs (bench_blur
// --format RGB --methods separable-shared --sigmas 1,3, 2026-11-26).
#define CODES_A_WORD 4
#define CODE_SHIFT(i) ((i) % CODES_A_WORD * 8)
#define FULL_CODE (ARE_SHORTS ? FULL_SHORT : 255.0)

// The largest sample: the alpha of an opaque pixel, and each colour of white.
#define FULL_SCALE (SAMPLE_IS_VALUE (SAMPLE) ? 1.0 : FULL_CODE)

// --- four samples ---

uvec4 load_four (uint at)
{
  if (FOUR_WORDS == 1)
    return uvec4 (source[at], 0, 0, 0);
  if (FOUR_WORDS == 2)
    return uvec4 (source[at], source[at + 1], 0, 0);
  return uvec4 (source[at], source[at + 1], source[at + 2], source[at + 3]);
}

Sample unpack_four (uvec4 words)
{
#ifndef EXACT
  if (SAMPLE == SAMPLE_HALF)
    return vec4 (unpackHalf2x16 (words.x), unpackHalf2x16 (words.y));
  if (SAMPLE == SAMPLE_FLOAT)
    return uintBitsToFloat (words);
  if (ARE_SHORTS)
    return Sample (uvec4 (words.x & 0xffff, words.x >> 16, words.y & 0xffff,
            words.y >> 16) >> SHORT_LOW_BITS);
#endif
  return Sample (words.x & 255, bitfieldExtract (words.x, 8, 8),
      bitfieldExtract (words.x, 16, 8), words.x >> 24);
}

uvec4 pack_values (vec4 values)
{
  return SAMPLE == SAMPLE_HALF ? uvec4 (packHalf2x16 (values.xy),
      packHalf2x16 (values.zw), 0, 0) : floatBitsToUint (values);
}

uvec4 pack_codes (uvec4 codes)
{
  if (ARE_SHORTS)
    return uvec4 (codes.xz | codes.yw << 16, 0, 0) << SHORT_LOW_BITS;
  return uvec4 (codes.x | codes.y << 8 | codes.z << 16 | codes.w << 24, 0, 0, 0);
}

// Returns the words of four samples with code @black. The black of values is always 0.
uvec4 black_four (uint black)
{
  return pack_codes (uvec4 (black));
}

// --- pixels ---

// Returns a word whose lowest bits are byte @byte of the row at @row_at. If a pixel begins
// there, the word has all of it.
uint word_from_byte (uint byte, uint row_at)
{
  uint at = row_at + byte / 4;
  uint shift = byte % 4 * 8;
  uint word = source[at] >> shift;

  if (COMPONENTS == 3 && shift > 8)
    word |= source[at + 1] << (32 - shift);
  return word;
}

// Returns the pixel in column @x of the row at @row_at. Missing samples are 0.
uvec4 load_pixel (uint x, uint row_at)
{
  uint word;

  if (PIXEL_BYTES > 4)
    return load_four (row_at + x * FOUR_WORDS);
  word = word_from_byte (x * PIXEL_BYTES, row_at);
  if (PIXEL_BYTES < 4)
    word &= (1u << (8 * PIXEL_BYTES & 31)) - 1;
  return uvec4 (word, 0, 0, 0);
}
