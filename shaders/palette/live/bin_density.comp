// SPDX-License-Identifier: LGPL-2.1-or-later
// Computes the density at every occupied bin; 0 at bins without weight, so that no bin
// goes there.
#include "palette/live/bins.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 3) readonly buffer List { uint list[]; };
layout (std430, binding = 4) readonly buffer Sums { BinSums sums[]; };
layout (std430, binding = 5) writeonly buffer Densities { uint densities[]; };
layout (push_constant) uniform Push { uint first, end; };

void main ()
{
  load_grid ();
  uint i = first + gl_GlobalInvocationID.x, level = live_level ();
  uint density = 0;

  if (i >= min (end, live.occupied[level]))
    return;
  Run columns[COLUMNS_AROUND] = columns_around (list[i], level);

  for (uint column = 0; column < COLUMNS_AROUND; column++) {
    int a = int (column) / 3 - 1, b = int (column) % 3 - 1;

    for (uint l = 0; l < 3; l++) {
      uint place = place_in_run (columns[column], l);
      int weight = BIN_KERNEL - (a * a + b * b) - int (l & 1 ^ 1);

      if (place != NOT_OCCUPIED)
        density += uint (weight) * sums[place].n;
    }
  }
  densities[i] = sums[i].n == 0 ? 0 : density;
}
