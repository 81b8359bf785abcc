// SPDX-License-Identifier: LGPL-2.1-or-later
// Row sums for rows beyond the plane too.

// What sum_row() gives where every pixel is black.
Sample
black_row ()
{
#ifdef EXACT
  return black_sample () * box_weight (radius_x, inner_x, end_x);
#else
  return black_sample ();
#endif
}

// The row sum at column x of row y; columns past the plane's edge, which pad
// the last unit, repeat the last column.
Sample
middle_row (uint x, int y)
{
  int inside = edge_index (y, int (height));

  if (inside < 0)
    return black_row ();
  return load_middle (min (x, width - 1), uint (inside));
}
