// SPDX-License-Identifier: LGPL-2.1-or-later
// Loads columns of a frame or a level, and stores rows of the next level: for the shaders
// that reduce columns. A column of a frame is four samples, or one pixel.

const int PIXELS = FRAME ? PYRAMID_PIXELS (COMPONENTS) : 1;

// Returns the offset of a column from the beginning of a row: in bytes for frames of three
// components, else in words.
int
column_at (int x)
{
  if (!FRAME)
    return x * int (WORDS);
  return COMPONENTS == 3 ? x * 3 : x / PIXELS * FOUR_WORDS;
}

// Returns a column of shorts, of which a row may end with the first word.
uvec4
load_shorts (int row, int column)
{
  int last = (width * COMPONENTS - 1) / 2;

  return uvec4 (source[row + column], source[row + min (column + 1, last)], 0, 0);
}

uvec4
load_row (int row, int column)
{
  if (!FRAME)
    return load_words (row + column);
  if (row < 0)
    return black_four (uint (black));
  if (ARE_SHORTS)
    return load_shorts (row, column);
  return COMPONENTS == 3 ? uvec4 (word_from_byte (uint (column), uint (row)))
      : load_four (uint (row + column));
}

vec4
lanes_of (uvec4 words)
{
  return FRAME ? sample_of_words (words) : sample_of (words);
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
      store_words (at + p * WORDS, words_of (COMPONENTS == 1
              ? vec4 (lanes[p], 0, 0, 0) : vec4 (lanes[2 * p],
                  lanes[2 * p + 1], 0, 0)));
  }
}
