// SPDX-License-Identifier: LGPL-2.1-or-later
// Lattice points of the listed colours, and the box that holds them.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "palette/count/blocks.h"
#include "palette/exact/control.h"
#include "palette/exact/grid.glsl"

layout (local_size_x = 256) in;
layout (constant_id = 0) const uint PER_THREAD = 1;

// Light of the 256 codes, then the light from which on a value is a code.
layout (std430, binding = 0) readonly buffer Tables { uint tables[]; };
layout (std430, binding = 1) readonly buffer List { uint list[]; };
layout (std430, binding = 2) writeonly buffer Points { uvec2 points[]; };
layout (std430, binding = 3) readonly buffer Blocks { PaletteBlocks blocks; };
layout (std430, binding = 4) buffer Control { uint control[]; };
layout (push_constant) uniform Push
{
  uint first, end;
  uint shift;
};

#include "palette/points.glsl"
#include "palette/exact/packed_points.glsl"

// A subgroup's box. Several copies of the whole one are kept, so that few
// subgroups queue up for each.
void
extend_box (uvec3 low, uvec3 high)
{
  uint at = CONTROL_BOX + gl_WorkGroupID.x % BOX_COPIES * BOX_WORDS;

  low = subgroupMax (low);
  high = subgroupMax (high);
  for (uint i = gl_SubgroupInvocationID; i < BOX_WORDS; i += gl_SubgroupSize) {
    uint value = i < 3 ? low[i] : high[i - 3];

    // Few come with something new after the first. What is there only grows: where
    // the plain read is late, the atomic decides.
    if (control[at + i] < value)
      atomicMax (control[at + i], value);
  }
}

void
main ()
{
  // Where there is no room for all, the host makes it and comes back.
  uint n = min (min (end, blocks.n_colours), points.length ());
  uvec3 low = uvec3 (0), high = uvec3 (0);

  for (uint k = 0; k < PER_THREAD; k++) {
    uint i = first + (gl_WorkGroupID.x * PER_THREAD + k) * 256
        + gl_LocalInvocationID.x;

    if (i < n) {
      uvec2 point = pack_point (point_of_colour (list[i], shift));

      points[i] = point;
      low = max (low, ~coordinates_of (point));
      high = max (high, coordinates_of (point));
    }
  }
  extend_box (low, high);
}
