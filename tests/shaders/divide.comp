// SPDX-License-Identifier: LGPL-2.1-or-later
// Rounded division of one sum and divisor per thread, the estimate it starts
// with, and the unsigned one, of both times a factor: then the divisor takes
// two words. The latter of samples only: it counts its way to anything else.
#include "core/wide.glsl"
layout (local_size_x = 64) in;
layout (std430, binding = 0) readonly buffer Sums { uvec2 sums[]; };
layout (std430, binding = 1) readonly buffer Divisors { uint divisors[]; };
layout (std430, binding = 2) writeonly buffer Results { ivec4 results[]; };
layout (push_constant) uniform Push { uint n; };

const uint FACTOR = 0x10001;

void main ()
{
  uint i = gl_GlobalInvocationID.x;

  if (i >= n)
    return;
  int quotient = wide_divide_rounded (sums[i], divisors[i]);
  bool is_sample = !wide_is_negative (sums[i]) && quotient <= 255;
  uint rounded = 0;

  if (is_sample)
    rounded = wide_divide_rounded_unsigned (wide_times (sums[i], FACTOR),
        wide_multiply (divisors[i], FACTOR));
  results[i] = ivec4 (quotient, wide_estimate_quotient (sums[i], divisors[i]),
      rounded, 0);
}
