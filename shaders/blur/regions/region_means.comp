// SPDX-License-Identifier: LGPL-2.1-or-later
// The means of the blocks of regions, rounded. Colours are weighted by alpha. A workgroup takes
// one block. A sample of a subsampled plane belongs to the block of its first pixel inside the
// region.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "blur/regions/shared.h"

// first_region, n_regions: those of blocks, in the order of their blocks.
#define OWN_PUSH \
  uint first_region, n_regions;

#include "core/pixels/format.glsl"
#include "core/wide.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Input { uint input_words[]; };
layout (std430, binding = 1) writeonly buffer Means { uint means[]; };
layout (std430, binding = 2) readonly buffer Regions { uint regions[]; };

DEFINE_FETCH (input_words)

#include "core/pixels/alpha.glsl"

const bool HAS_ALPHA = IN_3 != 0;

// Sums of the codes of the four components, and of the weights of a colour. A sum has more than
// 32 bits, so its low and high half of a word, and its second word, are summed by themselves.
const uint SUMS = 5, WEIGHTS = 4;
shared uint sums[SUMS][3];

// Returns the first word of the region that has the block: the last one that begins at or
// before it.
uint
find_region (uint block)
{
  uint low = first_region, high = first_region + n_regions;

  while (high - low > 1) {
    uint middle = (low + high) / 2;

    if (regions[middle * REGION_WORDS + REGION_FIRST_BLOCK] <= block)
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

Block
place_block (uint at, uint index)
{
  uvec2 counts = uvec2 (regions[at + REGION_COLUMNS], regions[at + REGION_ROWS]);
  uvec2 place = uvec2 (index % counts.x, index / counts.x);
  uvec2 begin = uvec2 (regions[at + REGION_LEFT], regions[at + REGION_TOP]);
  uvec2 end = uvec2 (regions[at + REGION_RIGHT], regions[at + REGION_BOTTOM]);
  uvec2 from = begin + place * regions[at + REGION_BLOCK];

  // The last ones have the rest, too.
  return Block (begin, from, mix (from + regions[at + REGION_BLOCK], end,
          equal (place, counts - 1)));
}

// Returns the first sample of an axis that belongs to the block that begins at pixel
// @begin. @edge: where the region begins.
uint
first_sample (uint begin, uint edge, uint shift)
{
  return begin == edge ? begin >> shift : begin + (1u << shift) - 1 >> shift;
}

void
add_to_sums (uint index, uvec2 sum)
{
  atomicAdd (sums[index][0], sum.x & 0xffffu);
  atomicAdd (sums[index][1], sum.x >> 16);
  atomicAdd (sums[index][2], sum.y);
}

uvec2
take_sum (uint index)
{
  return wide_add (uvec2 (sums[index][0], sums[index][2]),
      uvec2 (sums[index][1] << 16, sums[index][1] >> 16));
}

// Adds the samples of component @c.
void
sum_component (uint c, Block block)
{
  uint component = in_component (c);
  uvec2 shift = uvec2 (shift_x_of (component), COMPONENT_SHIFT_Y (component));
  uvec2 first = uvec2 (first_sample (block.from.x, block.begin.x, shift.x),
      first_sample (block.from.y, block.begin.y, shift.y));
  uvec2 last = uvec2 (first_sample (block.to.x, block.begin.x, shift.x),
      first_sample (block.to.y, block.begin.y, shift.y));
  uvec2 size = last - first;
  bool is_weighted = HAS_ALPHA && c != ALPHA;
  uvec2 sum = uvec2 (0);
  uint weights = 0;

  for (uint i = gl_LocalInvocationID.x; i < size.x * size.y; i += 256) {
    uint x = first.x + i % size.x, y = first.y + i / size.x;
    uint weight = is_weighted ? mean_alpha (shift.x, shift.y, x, y) : 1;

    sum = wide_add (sum, wide_multiply (fetch (c, x, y), weight));
    weights += weight;
  }
  add_to_sums (c, sum);
  add_to_sums (WEIGHTS, uvec2 (weights, 0));
}

// Returns the mean code of component @c in thread 0; 0 if the format lacks it.
uint
find_mean (uint c, Block block)
{
  uint thread = gl_LocalInvocationID.x, mean = 0;

  if (in_component (c) == 0)
    return 0;
  if (thread < 3)
    sums[c][thread] = sums[WEIGHTS][thread] = 0;
  barrier ();
  sum_component (c, block);
  barrier ();
  if (thread == 0)
    mean = wide_divide_rounded_unsigned (take_sum (c), take_sum (WEIGHTS));
  barrier ();
  return mean;
}

void
main ()
{
  uint index = first_item / 256 + gl_WorkGroupID.x;
  uint at = find_region (index);
  Block block = place_block (at, index - regions[at + REGION_FIRST_BLOCK]);

  for (uint i = 0; i < BLOCK_WORDS; i++) {
    uint word = find_mean (2 * i, block);

    word |= find_mean (2 * i + 1, block) << 16;
    if (gl_LocalInvocationID.x == 0)
      means[index * BLOCK_WORDS + i] = word;
  }
}
