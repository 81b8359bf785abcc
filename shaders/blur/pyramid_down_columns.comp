// SPDX-License-Identifier: LGPL-2.1-or-later
// From a plane to rows of the next coarser level, down columns alone. A thread goes
// down a section of its columns and adds each row to the sums of the four rows of
// the level that it weighs on.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "blur/pyramid.glsl"
#include "blur/pixels.glsl"

layout (push_constant) uniform Push { PYRAMID_STEP_PUSH (int) };

const int PIXELS = FRAME ? PYRAMID_PIXELS (COMPONENTS) : 1;

// Of the rows of the finer plane for this section: where they begin, -1 where they
// are black, and what they weigh on the rows of the level.
shared int rows_at[PYRAMID_HELD_ROWS (WIDE)];
shared vec4 row_weights[PYRAMID_HELD_ROWS (WIDE)];
// One over what all rows weigh, of each row of the level.
shared float row_scales[PYRAMID_DOWN_ROWS];

const int COLUMNS = PYRAMID_COLUMNS_A_THREAD;
const int AHEAD = PYRAMID_ROWS_AHEAD;

// Of this thread:
int first_pixels[COLUMNS];
int columns_at[COLUMNS];        // from where rows begin, in words or bytes
uvec4 ahead[COLUMNS][AHEAD];
int n_ahead;
vec4 sums[COLUMNS][4];          // rows of the level; the first is done next

int
row_at (int y)
{
  int stands = edge_index (y, height, edge);

  if (!FRAME)
    return int (sample_at (-MARGIN, level_index (y, height, edge), width));
  return stands < 0 ? -1 : offset + stands * stride;
}

void
find_rows (int y, Place place, int first)
{
  int group = int (gl_WorkGroupSize.x);
  int thread = int (gl_LocalInvocationID.x);

  for (int i = thread; i < held_rows; i += group) {
    rows_at[i] = row_at (y + i);
    row_weights[i] = spline_weights (advanced (place, i, height,
            coarse_height), height);
  }
  for (int i = thread; i < section_rows; i += group)
    row_scales[i] = scale_of_taps (first + i, height, coarse_height);
}

void
find_columns (int end)
{
  int group = int (gl_WorkGroupSize.x) * PIXELS;
  int first = int (gl_WorkGroupID.x) * COLUMNS * group
      + int (gl_LocalInvocationID.x) * PIXELS;

  [[unroll]] for (int i = 0; i < COLUMNS; i++) {
    // Past the end the last one is summed once more, and not stored.
    int x = min (first + i * group, (end - 1) / PIXELS * PIXELS);

    first_pixels[i] = first + i * group < end ? x : -1;
    columns_at[i] = !FRAME ? x * int (WORDS) : VALUE_WORDS > 0
        ? x * VALUE_WORDS : COMPONENTS == 3 ? x * 3 : x * int (COMPONENTS) / 4;
  }
}

uvec4
load_row (int row, int column)
{
  if (!FRAME)
    return load_words (row + column);
  if (row < 0)
    return uvec4 (black * 0x01010101);
  if (VALUE_WORDS == 2)
    return uvec4 (source[row + column], source[row + column + 1], 0, 0);
  if (VALUE_WORDS == 4)
    return uvec4 (source[row + column], source[row + column + 1],
        source[row + column + 2], source[row + column + 3]);
  if (COMPONENTS != 3)
    return uvec4 (source[row + column]);
  int at = row + column / 4;
  int shift = column % 4 * 8;
  uint word = source[at] >> shift;
  if (shift > 8)
    word |= source[at + 1] << (32 - shift);
  return uvec4 (word);
}

// Rows from @row on, of which @left are left until one of the level is done.
void
load_ahead (int row, int left)
{
  n_ahead = min (left, AHEAD);
  [[unroll]] for (int i = 0; i < AHEAD; i++)
    if (i < n_ahead)
      [[unroll]] for (int c = 0; c < COLUMNS; c++)
        ahead[c][i] = load_row (rows_at[row + i], columns_at[c]);
}

vec4
lanes_of (uvec4 words)
{
  if (!FRAME)
    return sample_of (words);
#if VALUE_WORDS == 2
  return premultiply (vec4 (unpackHalf2x16 (words.x),
          unpackHalf2x16 (words.y)));
#elif VALUE_WORDS == 4
  return premultiply (uintBitsToFloat (words));
#else
  return sample_of_codes (unpack_bytes (words.x));
#endif
}

void
add_lanes (inout vec4 sum, float weight, vec4 lanes)
{
  [[unroll]] for (int lane = 0; lane < 4; lane++)
    if (lane != UNUSED && !(FRAME && COMPONENTS == 3 && lane == 3))
      sum[lane] = fma (weight, lanes[lane], sum[lane]);
}

void
store_lanes (int x, int row, vec4 lanes)
{
  int margin = FRAME ? 0 : MARGIN;
  uint at = uint (row * PYRAMID_PITCH (width + 2 * margin) + x) * WORDS;

  if (PIXELS == 1) {
    store_words (at, words_of (lanes));
  } else {
    [[unroll]] for (int p = 0; p < PIXELS; p++)
      store_words (at + p * WORDS, words_of (PIXELS == 4
              ? vec4 (lanes[p], 0, 0, 0) : vec4 (lanes[2 * p],
                  lanes[2 * p + 1], 0, 0)));
  }
}

void
store_row (int row, float scale)
{
  [[unroll]] for (int c = 0; c < COLUMNS; c++)
    if (first_pixels[c] >= 0)
      store_lanes (first_pixels[c], row + MARGIN, sums[c][0] * scale);
}

void
pass_row ()
{
  [[unroll]] for (int c = 0; c < COLUMNS; c++) {
    [[unroll]] for (int k = 0; k < 3; k++)
      sums[c][k] = sums[c][k + 1];
    sums[c][3] = vec4 (0);
  }
}

void
main ()
{
  int first = (int (gl_WorkGroupID.y) + first_section) * section_rows - MARGIN;
  int end = min (first + section_rows, coarse_height + MARGIN);
  int y = first_tap (first, height, coarse_height);
  Place place = place_of (y, height, coarse_height);
  int step = steps_to_next (place, height, coarse_height);
  int left = step;
  int row = 0;

  find_rows (y, place, first);
  find_columns (FRAME ? width : width + 2 * MARGIN);
  barrier ();
  [[unroll]] for (int c = 0; c < COLUMNS; c++)
    [[unroll]] for (int k = 0; k < 4; k++)
      sums[c][k] = vec4 (0);
  load_ahead (row, left);
  for (int done = place.whole - 1; done < end;) {
    uvec4 now[COLUMNS][AHEAD] = ahead;
    int n = n_ahead;
    int at = row;
    bool is_done;

    row += n;
    left -= n;
    is_done = !WIDE || left == 0;
    if (is_done) {
      place = passed (place, step, height, coarse_height);
      step = steps_to_next (place, height, coarse_height);
      left = step;
    }
    load_ahead (row, left);
    [[unroll]] for (int i = 0; i < AHEAD; i++)
      if (i < n) {
        vec4 weight = row_weights[at + i];

        [[unroll]] for (int c = 0; c < COLUMNS; c++) {
          vec4 lanes = lanes_of (now[c][i]);

          [[unroll]] for (int k = 0; k < 4; k++)
            add_lanes (sums[c][k], weight[k], lanes);
        }
      }
    if (is_done) {
      if (done >= first)
        store_row (done, row_scales[done - first]);
      pass_row ();
      done++;
    }
  }
}
