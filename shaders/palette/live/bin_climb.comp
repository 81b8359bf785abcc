// SPDX-License-Identifier: LGPL-2.1-or-later
// Sets the next bin uphill of every occupied bin: the densest neighbour, the first of
// several, or the bin itself if that neighbour is hardly denser. Empties the words of a
// bitmap in which bin_colour.comp counts the colours of summits.
#include "palette/live/bins.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 3) readonly buffer List { uint list[]; };
layout (std430, binding = 4) readonly buffer Densities { uint densities[]; };
layout (std430, binding = 5) writeonly buffer Uphill { uint uphill[]; };
#define MEAN 6
#include "palette/live/bin_mean.glsl"
layout (std430, binding = 8) writeonly buffer Seen { uint seen[]; };
layout (push_constant) uniform Push { uint first, end; uint counts_colours; };

void main ()
{
  load_grid ();
  uint i = first + gl_GlobalInvocationID.x, level = live_level ();
  uint best = i;

  if (i >= min (end, live.occupied[level]))
    return;
  Run columns[COLUMNS_AROUND] = columns_around (list[i], level);
  uint most = densities[i];

  most += min (most / PLATEAU_PART, PLATEAU_MOST);
  for (uint column = 0; column < COLUMNS_AROUND; column++)
    for (uint l = 0; l < 3; l++) {
      uint place = place_in_run (columns[column], l);
      uint density = place == NOT_OCCUPIED ? 0 : densities[place];

      if (density > most) {
        most = density;
        best = place;
      }
    }
  uphill[i] = best;
  if (best == i && counts_colours != 0 && sums[i].n != 0)
    seen[mean_colour (i) >> 5] = 0;
}
