// SPDX-License-Identifier: LGPL-2.1-or-later
// Subtracts the pixels of a frame that leaves the window from the histogram.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "palette/shared/pixels.h"
#include "palette/count/blocks.h"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Numbers { uvec4 numbers[]; };
layout (std430, binding = 1) buffer Counts { uint counts[]; };
layout (std430, binding = 2) buffer Touched { uint touched[]; };
layout (std430, binding = 3) buffer Blocks { PaletteBlocks blocks; };
layout (push_constant) uniform Push
{
  uint first, end;              // vectors of pixels
  uint first_bound;             // first bound vector
  uint slot;                    // slot of the frame
};

#include "palette/count/counters.glsl"

void main ()
{
  uint i = first + gl_GlobalInvocationID.x;
  bool is_there = i < end && blocks.scenes[slot] == blocks.scene;
  uvec4 four = is_there ? numbers[i - first_bound] : uvec4 (NO_PIXEL);

  for (uint k = 0; k < 4; k++)
    add (four[k], (four[k] & TRANSPARENT) == 0 ? 0xffffffff : 0, true);
}
