// SPDX-License-Identifier: LGPL-2.1-or-later
// The neighbours of a bin, by columns. Include after bins.glsl.

// The columns of a bin and of its neighbours in a and b: three bins along L each, in order.
// All are loaded at once, so that a GPU waits for memory once.
const uint COLUMNS = 9;

Run[COLUMNS]
columns_around (uint bin, uint level)
{
  int n_l = int (bin_grid.sides[0] >> level), n_b = int (bin_grid.sides[1] >> level);
  Run columns[COLUMNS];

  for (int i = 0; i < int (COLUMNS); i++)
    columns[i] = run_of_bins (uint (int (bin) + ((i / 3 - 1) * n_b + i % 3 - 1) * n_l - 1),
        3, bin_grid.first_word[level]);
  return columns;
}

// Returns the squared distance of a column.
int
squared_distance_of_column (uint column)
{
  int a = int (column) / 3 - 1, b = int (column) % 3 - 1;

  return a * a + b * b;
}

// Returns the place of bin l of a run, counted from 0, or NOT_OCCUPIED.
uint
place_in_run (Run run, uint l)
{
  return (run.bits >> l & 1) == 0 ? NOT_OCCUPIED
      : run.place + bitCount (run.bits & (1u << l) - 1);
}
