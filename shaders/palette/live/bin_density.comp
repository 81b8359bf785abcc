// SPDX-License-Identifier: LGPL-2.1-or-later
// Computes the density at every occupied bin; 0 at bins without weight, so that no bin
// goes there.
#version 450
#extension GL_GOOGLE_include_directive : require
#define LIVE BINS_LIVE
#include "palette/live/bins.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 3) readonly buffer List { uint list[]; };
layout (std430, binding = 4) readonly buffer Sums { BinSums sums[]; };
layout (std430, binding = 5) writeonly buffer Densities { uint densities[]; };
layout (push_constant) uniform Push
{
  uint first, end;
};

// Epanechnikov kernel: the weight of a colour in a density is KERNEL minus the squared
// distance in bins.
const int KERNEL = 4;

void
main ()
{
  load_grid ();
  uint i = first + gl_GlobalInvocationID.x, level = live_level ();
  uint first_word = bin_grid.first_word[level];
  int n_l = int (bin_grid.sides[0] >> level), n_b = int (bin_grid.sides[1] >> level);
  uint density = 0;

  if (i >= min (end, live.occupied[level]))
    return;
  int bin = int (list[i]);

  if (sums[i].n == 0) {
    densities[i] = 0;
    return;
  }
  for (int a = -1; a <= 1; a++)
    for (int b = -1; b <= 1; b++) {
      Run run = run_of_bins (uint (bin + (a * n_b + b) * n_l - 1), 3,
          first_word);
      int most = KERNEL - a * a - b * b;

      for (; run.bits != 0; run.bits &= run.bits - 1) {
        int l = findLSB (run.bits) - 1;

        density += uint (most - l * l) * sums[run.place++].n;
      }
    }
  densities[i] = density;
}
