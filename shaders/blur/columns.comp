// SPDX-License-Identifier: LGPL-2.1-or-later
// Second pass of the separable blur: sums the row sums down columns.
#include "plane.glsl"
#include "middle_row.glsl"

void main ()
{
  uint unit = first_unit + gl_GlobalInvocationID.x;
  uint y = first_row + gl_GlobalInvocationID.y;
  Sample samples[PIXELS];

  if (gl_GlobalInvocationID.x >= units || gl_GlobalInvocationID.y >= rows)
    return;
  for (uint p = 0; p < PIXELS; p++) {
    Total total = empty_total ();
    int radius = int (radius_y);

    for (int i = -radius; i <= radius; i++)
      add_row (total, middle_row (unit * PIXELS + p, int (y) + i),
          weights_y + abs (i));
    samples[p] = finish (total);
  }
  store_unit (unit, y, samples);
}
