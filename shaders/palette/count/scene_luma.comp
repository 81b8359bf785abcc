// SPDX-License-Identifier: LGPL-2.1-or-later
// Computes the colour of every block of a frame and of the frame before; one workgroup for
// each block.
#include "core/pixels/pixels.glsl"
#include "palette/count/numbers.glsl"
#include "palette/count/luma.glsl"

layout (local_size_x = 64) in;
#define GROUP_THREADS gl_WorkGroupSize.x
#include "core/group.glsl"
layout (std430, binding = 0) readonly buffer Frame { uint words[]; };
// Colours of the frame before, as numbers.
layout (std430, binding = 1) readonly buffer Numbers { uint numbers[]; };
layout (std430, binding = 2) buffer State { Scene scene; };
#include "core/pixels/load.glsl"

uint colour_at (uvec2 at)
{
  uint first = at.x & ~3u, loaded[4];

  load_colours (Quad (first, at.y, min (width - first, 4)), loaded);
  return loaded[at.x & 3];
}

uint colour_before (uvec2 at)
{
  uint number = numbers[index_of_pixel (at.x, at.y)];

  return colour_of_number (number) | number & TRANSPARENT;
}

void main ()
{
  uint block = first_item / 256 + gl_WorkGroupID.x;
  uvec3 sums = uvec3 (0), sums_before = uvec3 (0);
  uvec2 begin = uvec2 (block % scene.columns, block / scene.columns) << scene.block_shift;

  for (uint i = gl_LocalInvocationID.x; i < LUMA_SIDE * LUMA_SIDE;
      i += GROUP_THREADS) {
    uvec2 at = looked_at (i, begin, scene.block_shift);

    if (at.x >= width || at.y >= height)
      continue;
    sums += sums_of (colour_at (at));
    sums_before += sums_of (colour_before (at));
  }
  sums = group_sums (sums);
  sums_before = group_sums (sums_before);
  if (gl_LocalInvocationID.x == 0) {
    scene.now[block] = colour_of_sums (sums);
    scene.before[block] = colour_of_sums (sums_before);
  }
}
