// SPDX-License-Identifier: LGPL-2.1-or-later
// Sets the output colour of every occupied bin to the mean colour of its summit, or to
// COLOURS_STAY if the summit has no weight. Counts distinct output colours.
#include "palette/live/bins.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 3) buffer Uphill { uint uphill[]; };
#define MEAN 4
#include "palette/live/bin_mean.glsl"
layout (std430, binding = 6) writeonly buffer Results { uint results[]; };
// Bitmap of colours, with empty words for those of summits.
layout (std430, binding = 7) buffer Seen { uint seen[]; };
layout (push_constant) uniform Push { uint first, end; };

DEFINE_SUMMIT_OF (uphill)

void main ()
{
  load_grid ();
  uint i = first + gl_GlobalInvocationID.x;

  if (i >= min (end, live.occupied[live_level ()]))
    return;
  uint summit = summit_of (i);

  if (sums[summit].n == 0) {
    results[i] = COLOURS_STAY;
    return;
  }
  uint colour = mean_colour (summit);

  results[i] = colour;
  if (summit == i) {
    uint bit = 1u << (colour & 31);

    if ((atomicOr (seen[colour >> 5], bit) & bit) == 0)
      atomicAdd (live.output_colours, 1);
  }
}
