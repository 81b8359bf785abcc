// SPDX-License-Identifier: LGPL-2.1-or-later
// The means of the blocks of regions, of one plane, rounded. Colours are weighted by alpha. A
// workgroup takes one block. A sample of a subsampled plane belongs to the block of its first
// pixel inside the region.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "blur/regions/shared.h"

// plane, shift_x, shift_y: the plane and its subsampling. n_regions: all, of which those of
// blocks are in the order of their first means. first_mean: of this plane.
#define OWN_PUSH \
  uint plane, shift_x, shift_y; \
  uint n_regions, first_mean;

#include "core/pixels/format.glsl"
#include "samples.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Input { uint input_words[]; };
layout (std430, binding = 1) writeonly buffer Means { uint means[]; };
layout (std430, binding = 2) readonly buffer Regions { uint regions[]; };

DEFINE_SAMPLE (sample_of_frame, input_words)

shared uint sums[4];

// Returns the index of the first word of the region that has the block.
uint
find_region (uint block)
{
  uint found = 0;

  for (uint i = 0; i < n_regions; i++) {
    uint at = i * REGION_WORDS;
    bool has_blocks = regions[at + REGION_ACTION] == REGION_PIXELATE;

    if (has_blocks && regions[at + REGION_FIRST_MEAN] <= block)
      found = at;
  }
  return found;
}

// Returns the first sample of an axis that belongs to the block that begins at pixel
// @begin. @edge: where the region begins.
uint
first_sample (uint begin, uint edge, uint shift)
{
  return begin == edge ? begin >> shift : begin + (1u << shift) - 1 >> shift;
}

void
add_pixel (uvec2 pixel, uint alpha_index, inout uvec4 sum)
{
  uint alpha = alpha_index == SAMPLES ? 1
      : sample_of_frame (in_offset[plane], in_stride[plane], pixel, alpha_index);

  for (uint i = 0; i < SAMPLES; i++)
    sum[i] += i == alpha_index ? alpha : alpha
        * sample_of_frame (in_offset[plane], in_stride[plane], pixel, i);
}

uint
rounded_mean (uint sum, uint count)
{
  // The sum plus one half of the count would exceed 32 bits.
  uint rest = count == 0 ? 0 : sum % count;

  return count == 0 ? 0 : sum / count + (rest >= count - rest ? 1 : 0);
}

// Returns the means of a pixel's samples. @count: the number of pixels.
uint
pack_means (uint alpha_index, uint count)
{
  uint word = 0;

  for (uint i = 0; i < SAMPLES; i++) {
    bool is_weighted = alpha_index < SAMPLES && i != alpha_index;
    uint mean = PLANE_SLOT (OUT_PLANE, i) == SLOT_UNUSED ? 255
        : rounded_mean (sums[i], is_weighted ? sums[alpha_index & 3] : count);

    word |= mean << (8 * i);
  }
  return word;
}

void
main ()
{
  uint block = first_item / 256 + gl_WorkGroupID.x;
  uint thread = gl_LocalInvocationID.x;
  uint at = find_region (block);
  uint side = regions[at + REGION_BLOCK];
  uvec2 begin = uvec2 (regions[at + REGION_LEFT], regions[at + REGION_TOP]);
  uvec2 end = uvec2 (regions[at + REGION_RIGHT], regions[at + REGION_BOTTOM]);
  uint columns = (end.x - begin.x + side - 1) / side;
  uint index = block - regions[at + REGION_FIRST_MEAN];
  uvec2 from = begin + uvec2 (index % columns, index / columns) * side;
  uvec2 to = min (from + side, end);
  uvec2 first = uvec2 (first_sample (from.x, begin.x, shift_x),
      first_sample (from.y, begin.y, shift_y));
  uvec2 last = uvec2 (first_sample (to.x, begin.x, shift_x),
      first_sample (to.y, begin.y, shift_y));
  uvec2 size = max (last, first) - first;
  uint alpha_index = find_alpha ();
  uvec4 sum = uvec4 (0);

  if (thread < 4)
    sums[thread] = 0;
  barrier ();
  for (uint i = thread; i < size.x * size.y; i += 256)
    add_pixel (first + uvec2 (i % size.x, i / size.x), alpha_index, sum);
  for (uint i = 0; i < SAMPLES; i++)
    if (sum[i] > 0)
      atomicAdd (sums[i], sum[i]);
  barrier ();
  if (thread == 0)
    means[first_mean + block] = pack_means (alpha_index, size.x * size.y);
}
