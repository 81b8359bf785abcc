// SPDX-License-Identifier: LGPL-2.1-or-later
// For CPU devices: reduces the columns of a frame or a level. A thread has adjacent columns.
#extension GL_EXT_control_flow_attributes : require
#include "blur/pyramid/pyramid.glsl"
#include "blur/pixels.glsl"
#include "blur/pyramid/pyramid_walk.glsl"

layout (push_constant) uniform Push { PYRAMID_STEP_PUSH (int) };

const int COLUMNS = PYRAMID_WALK_ADJACENT;
// A column of a frame is four samples, or one pixel.
const int PIXELS = FRAME ? PYRAMID_PIXELS (COMPONENTS) : 1;
const int SUMMED = FRAME && COMPONENTS == 3 ? 3 : 4;

// Returns the offset of a column from the beginning of a row: in bytes for frames of three
// components, else in words.
int column_at (int x)
{
  if (!FRAME)
    return x * int (WORDS);
  return COMPONENTS == 3 ? x * 3 : x / PIXELS * FOUR_WORDS;
}

// Returns a column of shorts, of which a row may end with the first word.
uvec4 load_shorts (int row, int column)
{
  int last = (width * COMPONENTS - 1) / 2;

  return uvec4 (source[row + column], source[row + min (column + 1, last)], 0, 0);
}

uvec4 load_row (int row, int column)
{
  if (!FRAME)
    return load_words (row + column);
  if (row < 0)
    return black_four (uint (black));
  if (ARE_SHORTS)
    return load_shorts (row, column);
  return COMPONENTS == 3 ? uvec4 (word_from_byte (uint (column), uint (row)))
      : load_four (uint (row + column));
}

vec4 lanes_of (uvec4 words)
{
  return FRAME ? sample_of_words (words) : sample_of (words);
}

void store_lanes (int x, int row, vec4 lanes)
{
  int margin = FRAME ? 0 : MARGIN;
  uint at = uint (row * PYRAMID_PITCH (width + 2 * margin) + x) * WORDS;

  if (PIXELS == 1) {
    store_words (at, words_of (lanes));
  } else {
    [[unroll]] for (int p = 0; p < PIXELS; p++)
      store_words (at + p * WORDS, words_of (vec4 (lanes[p * COMPONENTS],
                  COMPONENTS == 1 ? 0 : lanes[p * COMPONENTS + 1 & 3], 0, 0)));
  }
}

// Returns where a row of the finer plane begins; -1: the row is black.
int row_at (Index index)
{
  int y = sample_from_edge (index, height, FRAME ? 0 : MARGIN, edge);

  if (!FRAME)
    return y * PYRAMID_PITCH (width + 2 * MARGIN) * int (WORDS);
  return y < 0 ? -1 : offset + y * stride;
}

void main ()
{
  int x = int (gl_GlobalInvocationID.x) * COLUMNS * PIXELS;
  int right = FRAME ? width : width + 2 * MARGIN;
  int first = (int (gl_WorkGroupID.y) + first_section) * section_rows - MARGIN;
  int end = min (first + section_rows, coarse_height + MARGIN);
  int y = first_tap (first, height, coarse_height);
  Place place = place_of (y, height, coarse_height);
  Index index = index_from (y, height);
  int done = place.whole - 1;
  float to_part = 1.0 / float (2 * height);
  int columns[COLUMNS];
  Sums sums[COLUMNS];
  vec4 weighed = vec4 (0);

  if (x >= right)
    return;
  [[unroll]] for (int c = 0; c < COLUMNS; c++) {
    columns[c] = column_at (min (x + c * PIXELS, (right - 1) / PIXELS * PIXELS));
    sums[c] = no_sums ();
  }
  do {
    int n = steps_to_next (place, height, coarse_height);
    int part = place.part;
    int i = 0;

    do {
      int row = row_at (index);
      vec4 weight = spline_at (float (part) * to_part);

      [[unroll]] for (int c = 0; c < COLUMNS; c++) {
        vec4 lanes = lanes_of (load_row (row, columns[c]));

        [[unroll]] for (int k = 0; k < 4; k++)
          add_lanes (sums[c].values[k], weight[k], lanes, SUMMED);
      }
      weighed += weight;
      part += 2 * coarse_height;
      next_index (index, height);
    } while (++i < n);
    place = passed (place, n, height, coarse_height);
    [[unroll]] for (int c = 0; c < COLUMNS; c++) {
      vec4 sum = take_first (sums[c]) * (1 / weighed.x);

      if (done >= first && x + c * PIXELS < right)
        store_lanes (x + c * PIXELS, done + MARGIN, sum);
    }
    weighed = vec4 (weighed.yzw, 0);
  } while (++done < end);
}
