// SPDX-License-Identifier: LGPL-2.1-or-later
// Points of the grid around a cell: sums of ranges, and distances to the cell. For the
// shaders that move walkers. A place is relative to a centre.

Sums
sums_before (uint point)
{
  if (point == 0)
    return NO_SUMS;
  point--;
  return Sums (sums_n[point], sums_x[point], sums_y[point], sums_z[point]);
}

Sums
sums_of_range (uint first, uint end, uvec3 centre)
{
  return sums_about (subtract_sums (sums_before (end), sums_before (first)),
      centre);
}

// Sets the range of points, first to end - 1, of an entry of the table at a cell; both
// are 0 if the entry lies outside the grid.
void
range_of_entry (uint entry, uvec3 cell, out uint first, out uint end)
{
  int a = int (cell.y) + int (entry & 31) - 16;
  int b = int (cell.z) + int (entry >> 5 & 31) - 16;
  int l0 = max (int (cell.x) + int (entry >> 10 & 31) - 16, 0);
  int l1 = min (int (cell.x) + int (entry >> 15 & 31) - 16,
      int (grid.n_l) - 1);

  first = end = 0;
  if (a >= 0 && a < int (grid.n_a) && b >= 0 && b < int (grid.n_b)
      && l0 <= l1) {
    first = starts[cell_index (uvec3 (l0, a, b), grid)];
    end = starts[cell_index (uvec3 (l1, a, b), grid) + 1];
  }
}

ivec3
place_of_point (uint point, ivec3 centre)
{
  return ivec3 (coordinates_of (sorted[point])) - centre;
}

int
square_of (ivec3 p)
{
  return p.x * p.x + p.y * p.y + p.z * p.z;
}

// Squared distances from a point to the nearest and to the farthest place of a cell.
struct Squares
{
  int least, largest;
};

Squares
squares_of_place (ivec3 place)
{
  int half_side = 1 << grid.shift >> 1;
  ivec3 low = place + half_side, high = place - (half_side - 1);

  return Squares (square_of (max (max (-low, high), 0)),
      square_of (max (abs (low), abs (high))));
}

// Returns the ball around a walker at q, for tests of points p: -2 q, and the bound of
// |p|² - 2 q·p.
vec4
ball_around (ivec3 q)
{
  return vec4 (-2 * q, radius_squared - square_of (q));
}
