// SPDX-License-Identifier: LGPL-2.1-or-later
// Columns of bytes: a column is a word of a row.

#define Column uint
#define words_of(column) uvec4 (column, 0, 0, 0)

Column black_column ()
{
  return black_four (black_sample ()).x;
}

uint black_pixel ()
{
  return COMPONENTS == 1 ? black_sample () : black_column ();
}

uint row_words ()
{
  return uint (columns);
}

Column load_column (uint column, uint row_at)
{
  return source[row_at + column];
}

Column column_of_quad (uvec4 quad, int i)
{
  return quad[i];
}

uint pixel_at (uint x, uint row_at)
{
  return load_pixel (x, row_at).x;
}

// Returns a column of a row in which all pixels are @pixel.
Column repeated (uint pixel, int column)
{
  int shift = (column + BIAS) % 3 * 8;

  if (COMPONENTS == 1)
    return pixel * 0x01010101u; // the byte, four times
  if (COMPONENTS == 2)
    return pixel | pixel << 16;
  if (COMPONENTS == 3)
    return pixel >> shift | pixel << (24 - shift);
  return pixel;
}

uint byte_at (uint i, uint row_at)
{
  return source[row_at + i / 4] >> (i % 4 * 8) & 0xff;
}

// Returns sample @from of a row; -1: black.
uint sample_code (int from, uint row_at)
{
  return from < 0 ? black_sample () : byte_at (uint (from), row_at);
}

// Returns a column that may be beyond the edges. Loads each byte separately.
Column column_anywhere (int column, uint row_at)
{
  uint word = 0;

  for (int lane = 0; lane < 4; lane++)
    word |= sample_code (sample_from (4 * column + lane), row_at) << (8 * lane);
  return word;
}

// Returns a held column with its pixels beyond the edges replaced by @left or @right.
Column with_edges (Column word, int column, uint left, uint right)
{
  int bytes = int (width) * COMPONENTS - 4 * column;
  uint beyond = repeated (column < 0 ? left : right, column);

  if (column < 0 || bytes <= 0)
    return beyond;
  return bytes >= 4 ? word : bitfieldInsert (beyond, word, 0, 8 * bytes);
}

// Moves a lane that is not always summed, alpha or unused, to the end.
Column in_order (Column word)
{
  return IS_FIRST ? word >> 8 | word << 24 : word;
}

// The inverse of in_order().
Column in_memory (Column word)
{
  return IS_FIRST ? word << 8 | word >> 24 : word;
}

// The bits that are 1 in all columns of a row that were summed.
uint common_ones;

void forget_alpha ()
{
  common_ones = ~0u;
}

void note_alpha (Column word)
{
  common_ones &= word;
}

bool was_opaque ()
{
  return in_order (common_ones) >> 24 == 255;
}

// Sums of bytes are always in the range of halves.
Sum storable (Sum sum)
{
  return sum;
}

// Stores a column. Bytes past the plane's edge, which fill up its last column, become 0.
void store_column (int column, uint row_at, Column word)
{
  int bytes = min (int (width) * COMPONENTS - 4 * column, 4);

  target[row_at + column] = bitfieldExtract (word, 0, 8 * bytes);
}
