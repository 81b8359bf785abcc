// SPDX-License-Identifier: LGPL-2.1-or-later
// Running sums of a box. A window is the unweighted sum of all but the last of the
// 2 radius + 1 taps. A box sum is computed from the window and the first and last taps,
// whose weight may be smaller. For the next sum, the last tap enters the window and the
// first one leaves. With radius 0 both are the same tap, and the window is empty.
// Arithmetic is modulo 2^32 or 2^64: intermediate values may be negative, results are not.

// --- along rows: one word a component ---

uvec4 running_row_sum (uvec4 window, uvec4 first, uvec4 last)
{
  return window * inner_x + last * end_x - first * (inner_x - end_x);
}

// --- down columns: two words a component if WIDE ---

Total running_total (Total window, uvec4 first, uvec4 last)
{
  Total total;

  for (uint i = 0; i < COMPONENTS; i++)
    total.sum[i] = !WIDE ? uvec2 (window.sum[i].x * inner_y
        + last[i] * end_y - first[i] * (inner_y - end_y), 0)
        : wide_subtract (wide_add (
            wide_times (window.sum[i], inner_y),
            wide_multiply (last[i], end_y)),
        wide_multiply (first[i], inner_y - end_y));
  return total;
}

void slide (inout Total window, uvec4 first, uvec4 last)
{
  for (uint i = 0; i < COMPONENTS; i++)
    window.sum[i] = !WIDE ? uvec2 (window.sum[i].x + last[i] - first[i], 0)
        : wide_subtract (wide_add (window.sum[i], uvec2 (last[i], 0)),
        uvec2 (first[i], 0));
}
