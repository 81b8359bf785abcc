// SPDX-License-Identifier: LGPL-2.1-or-later
// Marks of cells of the lattice, in a bitmap whose words lie along L. Cells that
// have a bit in common are far apart.
#include "palette/exact/marks.h"

// Of a column of cells: its first word.
uint
words_of_column (uint a, uint b)
{
  const uint mask = (1u << MARK_BITS_AB) - 1;

  return ((a & mask) << MARK_BITS_AB | b & mask) << (MARK_BITS_L - 5);
}

// Of 32 cells of a column, the cell @l among them.
uint
word_in_column (uint l)
{
  return (l >> 5) & ((1u << (MARK_BITS_L - 5)) - 1);
}
