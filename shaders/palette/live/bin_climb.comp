// SPDX-License-Identifier: LGPL-2.1-or-later
// Sets the next bin uphill of every occupied bin: the densest neighbour, the first of
// several, or the bin itself if that neighbour is hardly denser. Empties the words of a
// bitmap in which bin_colour.comp counts the colours of summits.
#version 450
#extension GL_GOOGLE_include_directive : require
#define LIVE BINS_LIVE
#include "palette/live/bins.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 3) readonly buffer List { uint list[]; };
layout (std430, binding = 4) readonly buffer Densities { uint densities[]; };
layout (std430, binding = 5) writeonly buffer Uphill { uint uphill[]; };
#define MEAN 6
#include "palette/live/bin_mean.glsl"
layout (std430, binding = 8) writeonly buffer Seen { uint seen[]; };
layout (push_constant) uniform Push
{
  uint first, end;
  uint counts_colours;
};

// A plateau: an increase of up to 1 / PLATEAU_PART of the density, PLATEAU_MOST at most.
const uint PLATEAU_PART = 64, PLATEAU_MOST = 8;

void
main ()
{
  load_grid ();
  uint i = first + gl_GlobalInvocationID.x, level = live_level ();
  uint first_word = bin_grid.first_word[level];
  int n_l = int (bin_grid.sides[0] >> level), n_b = int (bin_grid.sides[1] >> level);
  uint best = i;

  if (i >= min (end, live.occupied[level]))
    return;
  int bin = int (list[i]);
  uint most = densities[i];

  most += min (most / PLATEAU_PART, PLATEAU_MOST);

  for (int a = -1; a <= 1; a++)
    for (int b = -1; b <= 1; b++) {
      Run run = run_of_bins (uint (bin + (a * n_b + b) * n_l - 1), 3,
          first_word);

      for (; run.bits != 0; run.bits &= run.bits - 1) {
        uint density = densities[run.place];

        if (density > most) {
          most = density;
          best = run.place;
        }
        run.place++;
      }
    }
  uphill[i] = best;
  if (best == i && counts_colours != 0 && sums[i].n != 0)
    seen[mean_colour (i) >> 5] = 0;
}
