// SPDX-License-Identifier: LGPL-2.1-or-later
// The palette's rounded division, of one sum and divisor per thread.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/wide.glsl"
layout (local_size_x = 64) in;
layout (std430, binding = 0) readonly buffer Sums { uvec2 sums[]; };
layout (std430, binding = 1) readonly buffer Divisors { uint divisors[]; };
layout (std430, binding = 2) writeonly buffer Results { ivec2 results[]; };
layout (push_constant) uniform Push { uint n; };

void
main ()
{
  uint i = gl_GlobalInvocationID.x;

  if (i < n)
    results[i] = ivec2 (wide_divide_rounded (sums[i], divisors[i]),
        wide_estimate_quotient (sums[i], divisors[i]));
}
