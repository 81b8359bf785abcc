// SPDX-License-Identifier: LGPL-2.1-or-later
// For CPU devices: reduces rows to the coarsest level, blurs them there, and scales them up
// to the width of the frame. Each thread has a row of its own: on these devices it is not
// slower if threads load from different rows.
#extension GL_EXT_control_flow_attributes : require
#include "blur/pyramid/pyramid.glsl"
#include "blur/pyramid/pyramid_walk.glsl"
#include "blur/pyramid/pyramid_walk_reduce.glsl"
#include "blur/pyramid/pyramid_walk_gaussian.glsl"

// The state of this thread, besides that of reduce():
Pending pending;
Four four;

// Computes the next column of the level and passes it to the kernel.
void next_column ()
{
  go_on (four, blur (pending, reduce ()));
}

void main ()
{
  int row = int ((gl_WorkGroupID.y + first_group) * gl_WorkGroupSize.x
      + gl_LocalInvocationID.x);
  int x = int (gl_WorkGroupID.x) * PYRAMID_WALK_LENGTH;
  int end = min (x + PYRAMID_WALK_LENGTH, width);
  Place up = place_of (x, width, coarse_width);
  int first = up.whole - 1 - RADIUS;
  int from = first_tap (first, fine_width, coarse_width);
  float up_to_part = 1.0 / float (2 * width);

  if (row >= rows)
    return;
  uint target_row = row * PYRAMID_PITCH (width) * WORDS;
  keep_weights ();
  begin_row (row, from);
  pending = no_samples ();
  four = no_outputs ();
  // Computes the columns of the level that the first pixel needs, except the last one. It
  // starts one column early.
  int n_before = first + 2 * RADIUS + 4 - place.whole;
  do {
    next_column ();
  } while (--n_before > 0);
  int n = steps_from (up, width, coarse_width);
  do {
    int stop = min (x + n, end);
    int part = up.part;

    next_column ();
    do {
      store_words (target_row + x * WORDS,
          words_of (sum_four (four, spline_at (float (part) * up_to_part))));
      part += 2 * coarse_width;
    } while (++x < stop);
    up = passed (up, n, width, coarse_width);
    n = steps_to_next (up, width, coarse_width);
  } while (x < end);
}
