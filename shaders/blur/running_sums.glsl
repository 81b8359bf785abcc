// SPDX-License-Identifier: LGPL-2.1-or-later
// Box sums that slide. Of the 2 radius + 1 taps of a sum, a window has all but
// the last, each whole, though the first and the last may weigh less than the
// taps between them. To the next sum the last one enters, and the first leaves.
// Without a radius they are one, and the window is empty. Modulo 2^32 or 2^64:
// what is less than 0 on the way is not in the end.

// --- along rows: one word a component ---

uvec4
running_row_sum (uvec4 window, uvec4 first, uvec4 last)
{
  return window * inner_x + last * end_x - first * (inner_x - end_x);
}

// --- down columns: two words a component ---

Total
running_total (Total window, uvec4 first, uvec4 last)
{
  Total total;

  for (uint i = 0; i < COMPONENTS; i++)
    total.sum[i] = wide_subtract (wide_add (
            wide_times (window.sum[i], inner_y),
            wide_multiply (last[i], end_y)),
        wide_multiply (first[i], inner_y - end_y));
  return total;
}

void
slide (inout Total window, uvec4 first, uvec4 last)
{
  for (uint i = 0; i < COMPONENTS; i++)
    window.sum[i] = wide_subtract (wide_add (window.sum[i],
            uvec2 (last[i], 0)), uvec2 (first[i], 0));
}
