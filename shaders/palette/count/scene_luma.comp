// SPDX-License-Identifier: LGPL-2.1-or-later
// Computes the luma of every block of a frame and of the frame before; one workgroup for
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
  uint block = first_item / 256 + gl_WorkGroupID.x, sum = 0, sum_before = 0;
  uvec2 begin = uvec2 (block % scene.columns, block / scene.columns) << scene.block_shift;

  for (uint i = gl_LocalInvocationID.x; i < LUMA_SIDE * LUMA_SIDE;
      i += GROUP_THREADS) {
    uvec2 at = looked_at (i, begin, scene.block_shift);

    if (at.x >= width || at.y >= height)
      continue;
    sum += luma_of (colour_at (at));
    sum_before += luma_of (colour_before (at));
  }
  sum = group_sum (sum);
  sum_before = group_sum (sum_before);
  if (gl_LocalInvocationID.x == 0) {
    scene.luma[block] = luma_of_sum (sum);
    scene.luma_before[block] = luma_of_sum (sum_before);
  }
}
