// SPDX-License-Identifier: LGPL-2.1-or-later
// For CPU devices: reduces rows to the coarsest level, blurs them there, and scales them up
// to the width of the frame. Each thread has a row of its own: on these devices it is not
// slower if threads load from different rows.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "blur/pyramid/pyramid.glsl"
#include "blur/pyramid/pyramid_walk.glsl"

layout (push_constant) uniform Push { PYRAMID_WALK_ROWS_PUSH (int, float) };

void
add_lanes (inout vec4 sum, float weight, vec4 lanes)
{
  [[unroll]] for (int lane = 0; lane < 4; lane++)
    if (lane != UNUSED && lane < LANES)
      sum[lane] = fma (weight, lanes[lane], sum[lane]);
}

#include "blur/pyramid/pyramid_walk_gaussian.glsl"

// The state of this thread:
uint source_row, target_row;
Index index;                    // of the next sample of the finer plane
Place place;                    // of the same sample
Sums sums;
vec4 weighed;                   // for each of sums: the sum of its weights
Pending pending;
Four four;
float to_part;
uvec4 black_words;

vec4
load_sample ()
{
  int x = sample_from_edge (index, fine_width, margin, edge);

  return sample_of (x < 0 ? black_words
      : load_words (source_row + uint (x) * WORDS));
}

// Computes the next column of the level and passes it to the kernel.
void
next_column ()
{
  int n = steps_to_next (place, fine_width, coarse_width);
  int part = place.part;
  int i = 0;

  do {
    vec4 weight = spline_at (float (part) * to_part);
    vec4 value = load_sample ();

    [[unroll]] for (int k = 0; k < 4; k++)
      add_lanes (sums.values[k], weight[k], value);
    weighed += weight;
    part += 2 * coarse_width;
    next_index (index, fine_width);
  } while (++i < n);
  place = passed (place, n, fine_width, coarse_width);
  go_on (four, blur (pending, take_first (sums) * (1 / weighed.x)));
  weighed = vec4 (weighed.yzw, 0);
}

void
main ()
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
  source_row = row * PYRAMID_PITCH (fine_width + 2 * margin) * WORDS;
  target_row = row * PYRAMID_PITCH (width) * WORDS;
  black_words = words_of (vec4 (black));
  to_part = 1.0 / float (2 * fine_width);
  keep_weights ();
  index = index_from (from, fine_width);
  place = place_of (from, fine_width, coarse_width);
  sums = no_sums ();
  weighed = vec4 (0);
  pending = no_samples ();
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
