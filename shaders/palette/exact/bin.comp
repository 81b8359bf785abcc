// SPDX-License-Identifier: LGPL-2.1-or-later
// Counts the points of each cell, and assigns each point an index in its cell.
#include "palette/exact/grid.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Points { uvec2 points[]; };
layout (std430, binding = 1) buffer Starts { uint starts[]; };
layout (std430, binding = 2) writeonly buffer PointPlaces { uint point_places[]; };
layout (push_constant) uniform Push { uint first, end; GridCells grid; };

void main ()
{
  uint i = first + gl_GlobalInvocationID.x;

  if (i < end)
    point_places[i] = atomicAdd (starts[cell_index (cell_of (points[i], grid),
                grid)], 1);
}
