// SPDX-License-Identifier: LGPL-2.1-or-later
// The means of the blocks of regions, rounded. Colours are weighted by alpha. A workgroup takes
// one block. A sample of a subsampled plane belongs to the block of its first pixel inside the
// region.
#include "blur/regions/shared.h"

// first_region, n_regions: those of blocks, in the order of their blocks.
#define OWN_PUSH \
  uint first_region, n_regions;

#include "core/pixels/format.glsl"
#include "core/wide.glsl"

layout (local_size_x_id = FORMAT_CONSTANTS + MEANS_THREADS) in;
layout (std430, binding = 0) readonly buffer Input { uint input_words[]; };
layout (std430, binding = 1) writeonly buffer Means { uint means[]; };
layout (std430, binding = 2) readonly buffer Tables { uint tables[]; };

DEFINE_FETCH (input_words)

#include "core/pixels/alpha.glsl"

const bool HAS_ALPHA = IN_3 != 0;

// Sums of codes and of weights. A sum may have more than 32 bits, so its low and high half of a
// word, and its second word, are summed by themselves, as far as they are needed.
const uint CODES = 0, WEIGHTS = 1;
shared uint sums[2][3];

// The bits of the largest number of pixels of a block, and of those of a thread.
const uint BLOCK_BITS = 20, THREAD_BITS = BLOCK_BITS - 5;

// Returns the first word of the region that has the block: the last one that begins at or
// before it.
uint find_region (uint block)
{
  uint low = first_region, high = first_region + n_regions;

  while (high - low > 1) {
    uint middle = (low + high) / 2;

    if (tables[middle * REGION_WORDS + REGION_FIRST_BLOCK] <= block)
      low = middle;
    else
      high = middle;
  }
  return low * REGION_WORDS;
}

// The pixels of a block. @begin: the first pixel of its region; ends are exclusive.
struct Block
{
  uvec2 begin, from, to;
};

Block place_block (uint at, uint index)
{
  uvec2 counts = uvec2 (tables[at + REGION_COLUMNS], tables[at + REGION_ROWS]);
  uvec2 place = uvec2 (index % counts.x, index / counts.x);
  uvec2 begin = uvec2 (tables[at + REGION_LEFT], tables[at + REGION_TOP]);
  uvec2 end = uvec2 (tables[at + REGION_RIGHT], tables[at + REGION_BOTTOM]);
  uvec2 from = begin + place * tables[at + REGION_BLOCK];

  // The last ones have the rest, too.
  return Block (begin, from, mix (from + tables[at + REGION_BLOCK], end,
          equal (place, counts - 1)));
}

// Returns the first sample of an axis that belongs to the block that begins at pixel
// @begin. @edge: where the region begins.
uint first_sample (uint begin, uint edge, uint shift)
{
  return begin == edge ? begin >> shift : begin + (1u << shift) - 1 >> shift;
}

// Adds the sum of a thread. @bits: of an addend.
void add_to_sums (uint index, uvec2 sum, uint bits)
{
  if (bits + BLOCK_BITS <= 32) {
    atomicAdd (sums[index][0], sum.x);
    return;
  }
  atomicAdd (sums[index][0], sum.x & 0xffffu);
  atomicAdd (sums[index][1], sum.x >> 16);
  if (bits + THREAD_BITS > 32)
    atomicAdd (sums[index][2], sum.y);
}

uvec2 take_sum (uint index)
{
  return wide_add (uvec2 (sums[index][0], sums[index][2]),
      uvec2 (sums[index][1] << 16, sums[index][1] >> 16));
}

// Adds the samples of component @c, without weights.
void sum_codes (uint c, uvec2 first, uvec2 size)
{
  uint sum = 0;

  for (uint i = gl_LocalInvocationID.x; i < size.x * size.y; i += gl_WorkGroupSize.x)
    sum += fetch (c, first.x + i % size.x, first.y + i / size.x);
  add_to_sums (CODES, uvec2 (sum, 0), COMPONENT_BITS (in_component (c)));
}

// The same, weighted by alpha.
void sum_weighted (uint c, uvec2 first, uvec2 size)
{
  uint component = in_component (c), weights = 0;
  uvec2 sum = uvec2 (0);

  for (uint i = gl_LocalInvocationID.x; i < size.x * size.y; i += gl_WorkGroupSize.x) {
    uint x = first.x + i % size.x, y = first.y + i / size.x;
    uint weight = mean_alpha (shift_x_of (component), COMPONENT_SHIFT_Y (component), x, y);

    sum = wide_add (sum, wide_multiply (fetch (c, x, y), weight));
    weights += weight;
  }
  add_to_sums (CODES, sum, COMPONENT_BITS (component) + COMPONENT_BITS (IN_3));
  add_to_sums (WEIGHTS, uvec2 (weights, 0), COMPONENT_BITS (IN_3));
}

// Returns the mean code of component @c in thread 0; 0 if the format lacks it.
uint find_mean (uint c, Block block)
{
  uint component = in_component (c), thread = gl_LocalInvocationID.x, mean = 0;
  uvec2 shift = uvec2 (shift_x_of (component), COMPONENT_SHIFT_Y (component));
  uvec2 first = uvec2 (first_sample (block.from.x, block.begin.x, shift.x),
      first_sample (block.from.y, block.begin.y, shift.y));
  uvec2 size = uvec2 (first_sample (block.to.x, block.begin.x, shift.x),
      first_sample (block.to.y, block.begin.y, shift.y)) - first;
  bool is_weighted = HAS_ALPHA && c != ALPHA;

  if (component == 0)
    return 0;
  if (thread < 3)
    sums[CODES][thread] = sums[WEIGHTS][thread] = 0;
  barrier ();
  if (is_weighted)
    sum_weighted (c, first, size);
  else
    sum_codes (c, first, size);
  barrier ();
  if (thread == 0)
    mean = wide_divide_rounded_unsigned (take_sum (CODES),
        is_weighted ? take_sum (WEIGHTS) : uvec2 (size.x * size.y, 0));
  barrier ();
  return mean;
}

void main ()
{
  uint index = first_item / MEANS_ITEMS + gl_WorkGroupID.x;
  uint at = find_region (index);
  Block block = place_block (at, index - tables[at + REGION_FIRST_BLOCK]);
  uvec4 mean;

  // Not a loop, as shaders for known components are much faster.
  mean.x = find_mean (0, block);
  mean.y = find_mean (1, block);
  mean.z = find_mean (2, block);
  mean.w = find_mean (3, block);
  if (gl_LocalInvocationID.x > 0)
    return;
  means[index * REGION_BLOCK_WORDS] = mean.x | mean.y << 16;
  means[index * REGION_BLOCK_WORDS + 1] = mean.z | mean.w << 16;
}
