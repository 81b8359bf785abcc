// SPDX-License-Identifier: LGPL-2.1-or-later
// Columns of codes of two bytes: a column is two words of a row, of which a row may end with
// the first.

#define Column uvec2
#define words_of(column) uvec4 (column, 0, 0)

#include "blur/strips/strips_not_opaque.glsl"

layout (std430, binding = STRIPS_TARGET) writeonly buffer TargetColumns
{
  Column target_columns[];
};

Column black_column ()
{
  return Column (black_four (black_sample ()));
}

Column black_pixel ()
{
  return black_column ();
}

// Returns the samples of the plane's row from the first one of a column on.
int samples_from (int column)
{
  return int (width) * COMPONENTS - 4 * column;
}

uint row_words ()
{
  return (width * COMPONENTS + 1) / 2;
}

Column load_column (uint column, uint row_at)
{
  uint at = row_at + column * COLUMN_WORDS;
  bool is_whole = !EDGES || samples_from (int (column)) > 2;

  return Column (source[at], is_whole ? source[at + 1] : 0);
}

Column column_of_quad (uvec4 quad, int i)
{
  return i == 0 ? quad.xy : quad.zw;
}

Column pixel_at (uint x, uint row_at)
{
  return Column (load_pixel (x, row_at));
}

// Returns a column of a row in which all pixels are @pixel.
Column repeated (Column pixel)
{
  if (COMPONENTS == 1)
    return Column (pixel.x | pixel.x << 16);
  return COMPONENTS == 2 ? pixel.xx : pixel;
}

// Returns sample @i of a row as it lies in memory.
uint short_at (uint i, uint row_at)
{
  return source[row_at + i / 2] >> (i % 2 * 16) & 0xffff;
}

// Returns a column that may be beyond the edges. Loads each sample separately.
Column column_anywhere (int column, uint row_at)
{
  Column words = Column (0);

  for (int lane = 0; lane < 4; lane++) {
    int from = sample_from (4 * column + lane);
    uint code = from < 0 ? black_column ().x & 0xffff
        : short_at (uint (from), row_at);

    words[lane / 2] |= code << (lane % 2 * 16);
  }
  return words;
}

// Returns @words with only the first @samples samples, others are those of @beyond.
Column first_samples (int samples, Column words, Column beyond)
{
  return Column (bitfieldInsert (beyond.x, words.x, 0, clamp (16 * samples, 0, 32)),
      bitfieldInsert (beyond.y, words.y, 0, clamp (16 * samples - 32, 0, 32)));
}

// Returns a held column with its pixels beyond the edges replaced by @left or @right.
Column with_edges (Column words, int column, Column left, Column right)
{
  if (column < 0)
    return repeated (left);
  return first_samples (samples_from (column), words, repeated (right));
}

// Moves alpha to the end.
Column in_order (Column words)
{
  return IS_FIRST ? words >> 16 | words.yx << 16 : words;
}

// The inverse of in_order().
Column in_memory (Column words)
{
  return IS_FIRST ? words << 16 | words.yx >> 16 : words;
}

// Sums are stored as floats.
vec4 storable (vec4 sum)
{
  return sum;
}

// Stores a column, with one store if it is whole and aligned. Samples past the plane's edge,
// which fill up its last word, become 0.
void store_column (int column, uint row_at, Column words)
{
  int samples = samples_from (column);
  uint at = row_at + uint (column) * COLUMN_WORDS;

  if (samples >= 4 && row_at % COLUMN_WORDS == 0) {
    target_columns[at / COLUMN_WORDS] = words;
    return;
  }
  words = first_samples (samples, words, Column (0));
  target[at] = words.x;
  if (samples > 2)
    target[at + 1] = words.y;
}
