// SPDX-License-Identifier: LGPL-2.1-or-later
// For CPU devices: reduces rows to a level from which they do not go up in the same dispatch.
// Each thread has a row of its own.
#extension GL_EXT_control_flow_attributes : require
#include "blur/pyramid/pyramid.glsl"
#include "blur/pyramid/pyramid_walk.glsl"
#include "blur/pyramid/pyramid_walk_reduce.glsl"

void main ()
{
  int row = int ((gl_WorkGroupID.y + first_group) * gl_WorkGroupSize.x
      + gl_LocalInvocationID.x);

  if (row >= rows)
    return;
  begin_row (row, first_tap (-MARGIN, fine_width, coarse_width));
  // The first samples lack taps, and are not stored.
  int x = place.whole - 1;
  do {
    vec4 value = reduce ();

    if (x >= -MARGIN)
      store_words (sample_at (x, row - MARGIN, coarse_width), words_of (value));
  } while (++x < coarse_width + MARGIN);
}
