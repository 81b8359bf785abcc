// SPDX-License-Identifier: LGPL-2.1-or-later
// Adds weights and colours to the sums of bins. Include after bins.glsl, and after SUMS, the first
// of the bindings of the buffers. With PAIRS, two sums with each atomic addition: only for sums
// that fit into a word, as otherwise the first of a pair would change the second. Without it
// IS_WIDE tells whether sums may exceed a word.

#ifdef PAIRS
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require

// By bin, as BinSums: weight and red, green and blue; the first of a pair is the low half.
layout (std430, binding = SUMS) buffer Sums { uint64_t sums[]; };

uint64_t pair_of (uint low, uint high)
{
  return uint64_t (high) << 32 | low;
}

// sum: weight, and sums of red, green and blue.
void add (uint place, uvec4 sum)
{
  atomicAdd (sums[2 * place], pair_of (sum.x, sum.y));
  atomicAdd (sums[2 * place + 1], pair_of (sum.z, sum.w));
}
#else
layout (std430, binding = SUMS) buffer Sums { BinSums sums[]; };
// High parts of the sums of components, 8 bits each.
layout (std430, binding = SUMS + 1) buffer Carries { uint carries[]; };

// sum: weight, and sums of red, green and blue; high: their second words.
void add (uint place, uvec4 sum, uvec3 high)
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
void add (uint place, uvec4 sum)
{
  add (place, sum, uvec3 (0));
}
#endif
