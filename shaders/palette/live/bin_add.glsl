// SPDX-License-Identifier: LGPL-2.1-or-later
// Adds weights and colours to the sums of bins. Include after bins.glsl, and after
// SUMS, the first of the bindings of two buffers, and IS_WIDE, whether sums may exceed
// a word.

layout (std430, binding = SUMS) buffer Sums { BinSums sums[]; };
// High parts of the sums of components, 8 bits each.
layout (std430, binding = SUMS + 1) buffer Carries { uint carries[]; };

// sum: weight, and sums of red, green and blue; high: their second words.
void
add (uint place, uvec4 sum, uvec3 high)
{
  uvec3 before;

  atomicAdd (sums[place].n, sum.x);
  before.r = atomicAdd (sums[place].red, sum.y);
  before.g = atomicAdd (sums[place].green, sum.z);
  before.b = atomicAdd (sums[place].blue, sum.w);
  if (IS_WIDE) {
    uvec3 carry = high + uvec3 (lessThan (before + sum.yzw, before));

    if (carry != uvec3 (0))
      atomicAdd (carries[place], carry.r | carry.g << 8 | carry.b << 16);
  }
}

// The same with sums that fit into a word.
void
add (uint place, uvec4 sum)
{
  add (place, sum, uvec3 (0));
}
