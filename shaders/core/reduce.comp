// SPDX-License-Identifier: LGPL-2.1-or-later
// Reduces blocks of words to one value each; run again over the values until
// one is left.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "core/group.glsl"
#include "core/shared.h"

layout (local_size_x = 256) in;
// 0: sum modulo 2^32, 1: minimum, 2: maximum
layout (constant_id = 0) const uint OPERATION = 0;

layout (std430, binding = 0) readonly buffer Input { uint values[]; };
layout (std430, binding = 1) writeonly buffer Output { uint results[]; };
layout (push_constant) uniform Push
{
  uint n;
  uint first_output;
};

const uint PER_THREAD = REDUCE_BLOCK / GROUP_THREADS;

uint
combine (uint a, uint b)
{
  return OPERATION == 0 ? a + b : OPERATION == 1 ? min (a, b) : max (a, b);
}

// Changes nothing that it is combined with.
const uint NEUTRAL = OPERATION == 1 ? 0xffffffffu : 0u;

uint
combine_lanes (uint value)
{
  return OPERATION == 0 ? subgroupAdd (value)
      : OPERATION == 1 ? subgroupMin (value) : subgroupMax (value);
}

// As sum_of_partials().
uint
combine_partials ()
{
  uint value = NEUTRAL;

  for (uint first = 0; first < gl_NumSubgroups; first += gl_SubgroupSize) {
    uint i = first + gl_SubgroupInvocationID;

    if (i < gl_NumSubgroups)
      value = combine (value, group_partials[i]);
  }
  return combine_lanes (value);
}

uint
group_combine (uint value)
{
  value = combine_lanes (value);
  if (subgroupElect ())
    group_partials[gl_SubgroupID] = value;
  barrier ();
  return combine_partials ();
}

void
main ()
{
  uint value = NEUTRAL;

  for (uint i = 0; i < PER_THREAD; i++) {
    uint at = gl_WorkGroupID.x * REDUCE_BLOCK + i * GROUP_THREADS
        + gl_LocalInvocationID.x;

    if (at < n)
      value = combine (value, values[at]);
  }
  value = group_combine (value);
  if (gl_LocalInvocationID.x == 0)
    results[first_output + gl_WorkGroupID.x] = value;
}
