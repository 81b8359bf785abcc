// SPDX-License-Identifier: LGPL-2.1-or-later
// Columns of a plane, of a frame or a level, and of rows of the next level: for the
// shaders that go down them. A column of a frame is one of words, or a pixel.
#include "core/shared.h"

const int PIXELS = FRAME ? PYRAMID_PIXELS (COMPONENTS) : 1;

// Where a column begins, in words or bytes from where rows do.
int
column_at (int x)
{
  if (!FRAME)
    return x * int (WORDS);
  if (VALUE_WORDS > 0)
    return x * VALUE_WORDS;
  return COMPONENTS == 3 ? x * 3 : x * int (COMPONENTS) / 4;
}

uvec4
load_row (int row, int column)
{
  if (!FRAME)
    return load_words (row + column);
  if (row < 0)
    return uvec4 (uint (black) * EVERY_BYTE);
  if (VALUE_WORDS == 2)
    return uvec4 (source[row + column], source[row + column + 1], 0, 0);
  if (VALUE_WORDS == 4)
    return uvec4 (source[row + column], source[row + column + 1],
        source[row + column + 2], source[row + column + 3]);
  if (COMPONENTS != 3)
    return uvec4 (source[row + column]);
  int at = row + column / 4;
  int shift = column % 4 * 8;
  uint word = source[at] >> shift;
  if (shift > 8)
    word |= source[at + 1] << (32 - shift);
  return uvec4 (word);
}

vec4
lanes_of (uvec4 words)
{
  if (!FRAME)
    return sample_of (words);
#if VALUE_WORDS == 2
  return premultiply (vec4 (unpackHalf2x16 (words.x),
          unpackHalf2x16 (words.y)));
#elif VALUE_WORDS == 4
  return premultiply (uintBitsToFloat (words));
#else
  return sample_of_codes (unpack_bytes (words.x));
#endif
}

void
add_lanes (inout vec4 sum, float weight, vec4 lanes)
{
  [[unroll]] for (int lane = 0; lane < 4; lane++)
    if (lane != UNUSED && !(FRAME && COMPONENTS == 3 && lane == 3))
      sum[lane] = fma (weight, lanes[lane], sum[lane]);
}

void
store_lanes (int x, int row, vec4 lanes)
{
  int margin = FRAME ? 0 : MARGIN;
  uint at = uint (row * PYRAMID_PITCH (width + 2 * margin) + x) * WORDS;

  if (PIXELS == 1) {
    store_words (at, words_of (lanes));
  } else {
    [[unroll]] for (int p = 0; p < PIXELS; p++)
      store_words (at + p * WORDS, words_of (PIXELS == 4
              ? vec4 (lanes[p], 0, 0, 0) : vec4 (lanes[2 * p],
                  lanes[2 * p + 1], 0, 0)));
  }
}
