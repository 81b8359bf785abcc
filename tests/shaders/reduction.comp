// SPDX-License-Identifier: LGPL-2.1-or-later
// The mean luma of every tile of a frame, a workgroup each, in several ways to add
// up what its threads have (tests/bench/reduction.h). Sums are integers: all ways
// give the same.
#extension GL_EXT_control_flow_attributes : require

layout (local_size_x_id = 0) in;
// 0: interleaved, 1: sequential, 2: unrolled, 3: the same without barriers within
// a subgroup, 4: subgroup arithmetic
layout (constant_id = 1) const uint WAY = 0;
layout (constant_id = 2) const uint TILE = 16;
layout (constant_id = 3) const uint AHEAD = 1;
// Of a subgroup: a constant, for Mesa's CPU device runs the barriers of branches
// that are not taken.
layout (constant_id = 4) const uint LANES = 32;
#define GROUP_THREADS gl_WorkGroupSize.x
#include "core/group.glsl"

layout (std430, binding = 0) readonly buffer Frame { uint words[]; };
layout (std430, binding = 1) writeonly buffer Means { uint means[]; };
layout (push_constant) uniform Push
{
  uint width, height;
  uint stride;                  // words from row to row
};

shared uint sums[GROUP_THREADS];

const uint MOST_AHEAD = 4;

// Pixel i of the tile, black beyond the frame. There is a load in any case: one
// that hangs on a condition might not come before what the last one brings.
uint pixel_at (uint i)
{
  uvec2 at = gl_WorkGroupID.xy * TILE + uvec2 (i % TILE, i / TILE);
  bool is_inside = at.x < width && at.y < height;
  uint pixel = words[is_inside ? at.y * stride + at.x : 0];

  return is_inside ? pixel : 0;
}

// In 256ths of a code value, with BT.709's weights.
uint luma_of (uint pixel)
{
  return 54 * (pixel & 255) + 183 * (pixel >> 8 & 255)
      + 19 * (pixel >> 16 & 255);
}

// Of this thread's pixels. Those that the group reads at a time lie side by side.
uint sum_of_pixels ()
{
  uint sum = 0, pixels[MOST_AHEAD];

  [[dont_unroll]]
  for (uint i = gl_LocalInvocationID.x; i < TILE * TILE;
      i += AHEAD * GROUP_THREADS) {
    [[unroll]]
    for (uint k = 0; k < AHEAD; k++)
      pixels[k] = pixel_at (i + k * GROUP_THREADS);
    [[unroll]]
    for (uint k = 0; k < AHEAD; k++)
      sum += luma_of (pixels[k]);
  }
  return sum;
}

// Neighbours first: what is left lies ever further apart.
void add_interleaved ()
{
  [[dont_unroll]]
  for (uint step = 1; step < GROUP_THREADS; step *= 2) {
    uint at = 2 * step * gl_LocalInvocationID.x;

    barrier ();
    if (at < GROUP_THREADS)
      sums[at] += sums[at + step];
  }
}

// The upper half of what is left to the lower one.
void add_half (uint half_size)
{
  if (gl_LocalInvocationID.x < half_size)
    sums[gl_LocalInvocationID.x] += sums[gl_LocalInvocationID.x + half_size];
}

void add_sequential ()
{
  [[dont_unroll]]
  for (uint half_size = GROUP_THREADS / 2; half_size > 0; half_size /= 2) {
    barrier ();
    add_half (half_size);
  }
}

// Of steps written out, those that are too large for the group vanish. Where there
// are no more values left than lanes, it is one subgroup that wrote them.
void step_down (uint half_size)
{
  if (half_size >= GROUP_THREADS)
    return;
  if (WAY == 3 && 2 * half_size <= LANES)
    subgroupBarrier ();
  else
    barrier ();
  add_half (half_size);
}

void add_unrolled ()
{
  step_down (128);
  step_down (64);
  step_down (32);
  step_down (16);
  step_down (8);
  step_down (4);
  step_down (2);
  step_down (1);
}

// For thread 0 alone: the others need not wait for its last step.
uint sum_of_group (uint value)
{
  if (WAY == 4)
    return group_sum (value);
  sums[gl_LocalInvocationID.x] = value;
  if (WAY == 0)
    add_interleaved ();
  else if (WAY == 1)
    add_sequential ();
  else
    add_unrolled ();
  return gl_LocalInvocationID.x == 0 ? sums[0] : 0;
}

void main ()
{
  uint sum = sum_of_group (sum_of_pixels ());
  uvec2 tile = gl_WorkGroupID.xy;
  uvec2 size = min (uvec2 (width, height) - tile * TILE, uvec2 (TILE));

  if (gl_LocalInvocationID.x == 0)
    means[tile.y * gl_NumWorkGroups.x + tile.x] = sum / (size.x * size.y);
}
