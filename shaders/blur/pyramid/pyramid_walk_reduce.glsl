// SPDX-License-Identifier: LGPL-2.1-or-later
// Reduces a row to the next coarser level, a sample at a time: for walks along rows.

layout (push_constant) uniform Push { PYRAMID_WALK_ROWS_PUSH (int, float) };

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
