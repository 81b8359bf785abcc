// SPDX-License-Identifier: LGPL-2.1-or-later
// Bitmap of marked cells, whose words lie along L. Cells that share a bit are far apart.
#include "palette/exact/shared.h"

// Returns the first word of a column of cells.
uint words_of_column (uint a, uint b)
{
  const uint mask = (1u << MARK_BITS_AB) - 1;

  return ((a & mask) << MARK_BITS_AB | b & mask) << (MARK_BITS_L - 5);
}

// Returns the word of cell l within its column.
uint word_in_column (uint l)
{
  return (l >> 5) & ((1u << (MARK_BITS_L - 5)) - 1);
}
