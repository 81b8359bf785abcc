// SPDX-License-Identifier: LGPL-2.1-or-later
// Counts the wrong quotients of rounded_quotient(), for a divisor for each thread: at the least
// and at the largest sum of each quotient. The estimate in rounded_quotient() never falls
// while the sum grows, so all sums between these two are right if both are.
#include "blur/quotient.glsl"
layout (local_size_x = 64) in;
layout (std430, binding = 0) buffer Wrong { uint n_wrong; };
layout (push_constant) uniform Push { uint first, step, n; };

bool is_wrong (uint sum, uint by, uint expected)
{
  return rounded_quotient (sum, by, 1.0 / float (by)) != expected;
}

void main ()
{
  uint i = gl_GlobalInvocationID.x;
  uint by = first + i * step;
  uint wrong = uint (is_wrong (0, by, 0)) + uint (is_wrong (255 * by, by, 255));

  if (i >= n)
    return;
  for (uint quotient = 1; quotient <= 255; quotient++) {
    uint least = quotient * by - by / 2;

    wrong += uint (is_wrong (least, by, quotient))
        + uint (is_wrong (least - 1, by, quotient - 1));
  }
  if (wrong > 0)
    atomicAdd (n_wrong, wrong);
}
