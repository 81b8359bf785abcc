// SPDX-License-Identifier: LGPL-2.1-or-later
// First pass of the separable blur: sums along rows, which are stored in middle[].
#version 450
#extension GL_GOOGLE_include_directive : require
#include "plane.glsl"

void
main ()
{
  uint x = strip + gl_GlobalInvocationID.x;
  uint y = first_row + gl_GlobalInvocationID.y;

  if (gl_GlobalInvocationID.x < strip_width && gl_GlobalInvocationID.y < rows)
    store_middle (x, y, sum_row (int (x), int (y)));
}
