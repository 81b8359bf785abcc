// SPDX-License-Identifier: LGPL-2.1-or-later
// Adds the weight of every bin to its summit. If there are too few summits, makes every
// bin a summit. If slots are free, computes the squared distance of every summit to the
// nearest mode of the frame before.
#include "palette/live/modes/limit.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 5) readonly buffer Sums { BinSums sums[]; };
layout (std430, binding = 6) buffer Uphill { uint uphill[]; };
layout (std430, binding = 7) buffer Weights { uint weights[]; };
layout (std430, binding = 8) readonly buffer List { uint list[]; };
layout (std430, binding = 9) writeonly buffer Distances { uint distances[]; };
layout (push_constant) uniform Push { uint first, end; };

DEFINE_SUMMIT_OF (uphill)

void weigh (uint i)
{
  if (is_flat ()) {
    uphill[i] = i;
    weights[i] = sums[i].n;
    return;
  }
  uint summit = summit_of (i);

  // Kernels after this one find the summit at once.
  uphill[i] = summit;
  atomicAdd (weights[summit], sums[i].n);
}

void main ()
{
  load_grid ();
  load_frame ();
  uint i = first + gl_GlobalInvocationID.x, level = live_level ();

  if (i >= min (end, live.occupied[level]))
    return;
  weigh (i);
  if (uphill[i] == i && count_free_slots () > 0) {
    Nearest nearest = nearest_modes (list[i], middle_of (list[i], level));

    distances[i] = nearest.is_home ? 0 : nearest.least;
  }
}
