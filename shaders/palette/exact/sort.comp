// SPDX-License-Identifier: LGPL-2.1-or-later
// Sorts points into the order of cells, with their weights and their ranks.
#include "palette/exact/grid.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Points { uvec2 points[]; };
layout (std430, binding = 1) readonly buffer Weights { uint weights[]; };
layout (std430, binding = 2) readonly buffer Starts { uint starts[]; };
layout (std430, binding = 3) readonly buffer PointPlaces { uint point_places[]; };
layout (std430, binding = 4) writeonly buffer Sorted { uvec2 sorted[]; };
layout (std430, binding = 5) writeonly buffer SortedWeights { uint sorted_weights[]; };
layout (std430, binding = 6) writeonly buffer Origins { uint origins[]; };
layout (push_constant) uniform Push { uint first, end; GridCells grid; };

void main ()
{
  uint i = first + gl_GlobalInvocationID.x;

  if (i >= end)
    return;
  uvec2 point = points[i];
  uint at = starts[cell_index (cell_of (point, grid), grid)] + point_places[i];

  sorted[at] = point;
  sorted_weights[at] = weights[i];
  origins[at] = i;
}
