// SPDX-License-Identifier: LGPL-2.1-or-later
// Converts the listed colours to lattice points, and computes their bounding box.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "palette/count/blocks.h"
#include "palette/exact/grid.glsl"

layout (local_size_x = 256) in;

layout (std430, binding = 0) readonly buffer Tables { uint tables[]; };
layout (std430, binding = 1) readonly buffer List { uint list[]; };
layout (std430, binding = 2) writeonly buffer Points { uvec2 points[]; };
layout (std430, binding = 3) readonly buffer Blocks { PaletteBlocks blocks; };
layout (std430, binding = 4) buffer Control { uint control[]; };
layout (push_constant) uniform Push { uint first, end; uint shift; };

#include "palette/oklab.glsl"

// Extends the box by that of a subgroup. There are BOX_COPIES of the box, so that fewer
// subgroups wait for the same word.
void extend_box (uvec3 low, uvec3 high)
{
  uint at = CONTROL_BOX + gl_WorkGroupID.x % BOX_COPIES * BOX_WORDS;

  low = subgroupMax (low);
  high = subgroupMax (high);
  for (uint i = gl_SubgroupInvocationID; i < BOX_WORDS; i += gl_SubgroupSize) {
    uint value = i < 3 ? low[i] : high[i - 3];

    // The plain read avoids most atomics. Values only grow during the dispatch: if the
    // read is stale, the atomic decides.
    if (control[at + i] < value)
      atomicMax (control[at + i], value);
  }
}

void main ()
{
  // If there is no room for all colours, the host makes room and dispatches this again.
  uint n = min (min (end, blocks.n_colours), points.length ());
  uvec3 low = uvec3 (0), high = uvec3 (0);

  uint i = first + gl_GlobalInvocationID.x;

  if (i < n) {
    uvec2 point = pack_point (point_of_colour (list[i], shift));

    points[i] = point;
    low = ~coordinates_of (point);
    high = coordinates_of (point);
  }
  extend_box (low, high);
}
