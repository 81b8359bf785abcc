// SPDX-License-Identifier: LGPL-2.1-or-later
// Row sums from middle[], including rows beyond the plane.

// The result of sum_row() if all pixels are black.
Sample black_row ()
{
#ifdef EXACT
  return black_sample () * box_weight (radius_x, inner_x, end_x);
#else
  return black_sample ();
#endif
}

// Returns the row sum at column @x of row @y. Columns past the plane's edge, which fill up
// the last unit, repeat the last column.
Sample middle_row (uint x, int y)
{
  int inside = edge_index (y, int (height));

  if (inside < 0)
    return black_row ();
  return load_middle (min (x, width - 1), uint (inside));
}
