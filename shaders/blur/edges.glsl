// SPDX-License-Identifier: LGPL-2.1-or-later
// Indices beyond the edges of a plane.

// Returns @value % @n, for @value ≥ 0 and below 2²⁰. CPU devices divide integers for one
// lane after the other, but floats for all at once. The quotient of floats is off by one at
// most, which is corrected.
int remainder (int value, int n)
{
  int rest = value - int (float (value) / float (n)) * n;

  rest += rest < 0 ? n : 0;
  return rest >= n ? rest - n : rest;
}

// Returns the index in 0…n-1 that replaces @i in edge mode @mode, or -1 for black.
int edge_index (int i, int n, uint mode)
{
  if (i >= 0 && i < n)
    return i;
  if (mode == BLUR_EDGE_CLAMP)
    return i < 0 ? 0 : n - 1;
  if (mode == BLUR_EDGE_BLACK)
    return -1;
  // Counts from the edge outwards.
  bool before = i < 0;
  int distance = before ? -1 - i : i;
  int phase = remainder (distance, mode == BLUR_EDGE_WRAP ? n : 2 * n);
  if (mode == BLUR_EDGE_WRAP)
    return before ? n - 1 - phase : phase;
  return phase < n ? phase : 2 * n - 1 - phase;
}
