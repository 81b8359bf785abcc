// SPDX-License-Identifier: LGPL-2.1-or-later
// Adds weights and colours to the sums of bins, two sums with each atomic addition. Only for
// sums that fit into a word, as otherwise the first of a pair would change the second.
// Include after bins.glsl, and after SUMS, the binding of a buffer.
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require

// By bin, as BinSums: weight and red, green and blue; the first of a pair is the low half.
layout (std430, binding = SUMS) buffer Sums { uint64_t sums[]; };

uint64_t
pair_of (uint low, uint high)
{
  return uint64_t (high) << 32 | low;
}

// sum: weight, and sums of red, green and blue.
void
add (uint place, uvec4 sum)
{
  atomicAdd (sums[2 * place], pair_of (sum.x, sum.y));
  atomicAdd (sums[2 * place + 1], pair_of (sum.z, sum.w));
}
