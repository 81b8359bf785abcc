// SPDX-License-Identifier: LGPL-2.1-or-later
// Columns of values, which are halves or floats: a column is a pixel of four values.

#include "blur/halves.glsl"

#if SAMPLE == SAMPLE_HALF
#define Column uvec2
#define words_of(column) uvec4 (column, 0, 0)
#else
#define Column uvec4
#define words_of(column) (column)
#endif

#include "blur/strips/strips_not_opaque.glsl"

layout (std430, binding = STRIPS_TARGET) writeonly buffer TargetColumns
{
  Column target_columns[];
};

Column black_column ()
{
  return Column (0);
}

Column black_pixel ()
{
  return black_column ();
}

uint row_words ()
{
  return uint (columns * COLUMN_WORDS);
}

Column load_column (uint column, uint row_at)
{
  return Column (load_four (row_at + column * COLUMN_WORDS));
}

Column column_of_quad (uvec4 quad, int i)
{
#if SAMPLE == SAMPLE_HALF
  return i == 0 ? quad.xy : quad.zw;
#else
  return quad;
#endif
}

Column pixel_at (uint x, uint row_at)
{
  return Column (load_pixel (x, row_at));
}

// Returns a column that may be beyond the edges.
Column column_anywhere (int column, uint row_at)
{
  int stands = edge_index (column, int (width));

  return stands < 0 ? black_column () : pixel_at (uint (stands), row_at);
}

// Returns a held column, or @left or @right if it is beyond the edges.
Column with_edges (Column held_column, int column, Column left, Column right)
{
  if (column < 0)
    return left;
  return column < int (width) ? held_column : right;
}

vec4 storable (vec4 sum)
{
  return within_halves (sum);
}

// Stores a column, with one store if it is aligned.
void store_column (int column, uint row_at, Column words)
{
  uint at = row_at + uint (column * COLUMN_WORDS);

  if (row_at % COLUMN_WORDS == 0)
    target_columns[at / COLUMN_WORDS] = words;
  else
    [[unroll]] for (int i = 0; i < COLUMN_WORDS; i++)
      target[at + i] = words[i];
}
