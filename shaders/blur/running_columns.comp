// SPDX-License-Identifier: LGPL-2.1-or-later
// Second pass of the running sums: a thread moves down a section of its columns. Adjacent
// threads read adjacent columns of the same rows of middle[].
#include "plane.glsl"
#include "middle_row.glsl"
#include "running_sums.glsl"

void fill_windows (out Total windows[PIXELS], uint unit, int top)
{
  for (uint p = 0; p < PIXELS; p++)
    windows[p] = empty_total ();
  for (uint i = 0; i < 2 * radius_y; i++)
    for (uint p = 0; p < PIXELS; p++)
      add_row (windows[p], middle_row (unit * PIXELS + p, top + int (i)), 0);
}

void main ()
{
  uint unit = first_unit + gl_GlobalInvocationID.x;
  uint begin = gl_WorkGroupID.y * section_rows;
  uint end = min (begin + section_rows, rows);
  int radius = int (radius_y);
  Total windows[PIXELS];

  if (gl_GlobalInvocationID.x >= units)
    return;
  fill_windows (windows, unit, int (first_row + begin) - radius);
  for (uint y = first_row + begin; y < first_row + end; y++) {
    Sample samples[PIXELS];

    for (uint p = 0; p < PIXELS; p++) {
      uvec4 first = middle_row (unit * PIXELS + p, int (y) - radius);
      uvec4 last = middle_row (unit * PIXELS + p, int (y) + radius);

      samples[p] = finish (running_total (windows[p], first, last));
      slide (windows[p], first, last);
    }
    store_unit (unit, y, samples);
  }
}
