// SPDX-License-Identifier: LGPL-2.1-or-later
// For CPU devices: reduces rows to a level. If it is the coarsest, and its kernel is not too wide,
// blurs them there, and scales them up to the width of the frame. Each thread has a row of its
// own: on these devices it is not slower if threads load from different rows.
#extension GL_EXT_control_flow_attributes : require
#include "blur/pyramid/pyramid.glsl"
#include "blur/pyramid/pyramid_walk.glsl"

layout (constant_id = PYRAMID_GOES_UP) const bool GOES_UP = true;

layout (push_constant) uniform Push
{
  int fine_width, coarse_width, width;  // without margins
  int rows;                     // all
  int margin;                   // of the finer plane
  int edge;
  int black;                    // sample of a frame
  int first_group;
  float weights[PYRAMID_RADIUS + 1];
};

// --- to the next coarser level, a sample at a time ---

const int SUMMED = int (LANES);

// The state of this thread:
uint source_row;
Index index;                    // of the next sample of the finer plane
Place place;                    // of the same sample
Sums sums;
vec4 weighed;                   // for each of sums: the sum of its weights
float to_part;
uvec4 black_words;

// Begins with sample @from of a row of the finer plane.
void begin_row (int row, int from)
{
  source_row = row * PYRAMID_PITCH (fine_width + 2 * margin) * WORDS;
  index = index_from (from, fine_width);
  place = place_of (from, fine_width, coarse_width);
  sums = no_sums ();
  weighed = vec4 (0);
  to_part = 1.0 / float (2 * fine_width);
  black_words = words_of (vec4 (black));
}

vec4 load_sample ()
{
  int x = sample_from_edge (index, fine_width, margin, edge);

  return sample_of (x < 0 ? black_words
      : load_words (source_row + uint (x) * WORDS));
}

// Returns the next sample of the level.
vec4 reduce ()
{
  int n = steps_to_next (place, fine_width, coarse_width);
  int part = place.part;
  int i = 0;

  do {
    vec4 weight = spline_at (float (part) * to_part);
    vec4 value = load_sample ();

    [[unroll]] for (int k = 0; k < 4; k++)
      add_lanes (sums.values[k], weight[k], value, SUMMED);
    weighed += weight;
    part += 2 * coarse_width;
    next_index (index, fine_width);
  } while (++i < n);
  place = passed (place, n, fine_width, coarse_width);

  vec4 sum = take_first (sums) * (1 / weighed.x);

  weighed = vec4 (weighed.yzw, 0);
  return sum;
}

// --- to the width of the frame ---

#include "blur/pyramid/pyramid_walk_gaussian.glsl"

// The state of this thread, besides that of reduce():
Pending pending;
Four four;

// Computes the next column of the level and passes it to the kernel.
void next_column ()
{
  go_on (four, blur (pending, reduce ()));
}

void stay (int row)
{
  begin_row (row, first_tap (-MARGIN, fine_width, coarse_width));
  // The first samples lack taps, and are not stored.
  int x = place.whole - 1;
  do {
    vec4 value = reduce ();

    if (x >= -MARGIN)
      store_words (sample_at (x, row - MARGIN, coarse_width), words_of (value));
  } while (++x < coarse_width + MARGIN);
}

void go_up (int row)
{
  int x = int (gl_WorkGroupID.x) * PYRAMID_WALK_LENGTH;
  int end = min (x + PYRAMID_WALK_LENGTH, width);
  Place up = place_of (x, width, coarse_width);
  int first = up.whole - 1 - RADIUS;
  int from = first_tap (first, fine_width, coarse_width);
  float up_to_part = 1.0 / float (2 * width);

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

void main ()
{
  int row = int ((gl_WorkGroupID.y + first_group) * gl_WorkGroupSize.x
      + gl_LocalInvocationID.x);

  if (row >= rows)
    return;
  if (GOES_UP)
    go_up (row);
  else
    stay (row);
}
