// SPDX-License-Identifier: LGPL-2.1-or-later
// From a plane to the next coarser level. A group goes down a section of it, down
// columns first: each thread has adjacent lanes of the finer plane, and adds those
// of each row to the sums of the four rows of the level that they weigh on. Once
// such a row is done, the group sums along it, out of shared memory.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "blur/pyramid.glsl"

layout (push_constant) uniform Push { PYRAMID_STEP_PUSH (int) };

// Of a pixel. A thread has a word of a row of a frame, or a sample of a level.
const uint PIXEL_LANES = FRAME ? COMPONENTS : LANES;

// Two lanes of each pixel. After four pixels one is left out, so that steps of
// any ratio meet all banks.
const uint PAIRS = (PIXEL_LANES + 1) / 2;
const uint PAIR_STRIDE = PYRAMID_PIXELS / 4 * 5;

shared vec2 row_sums[PAIRS * PAIR_STRIDE];
// Of the columns of this group: the quad with the first tap, and what its taps
// weigh. Each column has one weight more, so that columns meet all banks; they
// are 1170 at most, at a ratio of 1.25.
shared int first_quads[PYRAMID_PIXELS];
shared float tap_weights[10 * PYRAMID_PIXELS];
// Of the rows of the finer plane for this section: where they begin, -1 where they
// are black, and what they weigh on the rows of the level.
const int ROWS = (PYRAMID_DOWN_ROWS + 5) * PYRAMID_ROWS_A_STEP;
shared int rows_at[ROWS];
shared vec4 row_weights[ROWS];
// One over what all rows weigh, of each row of the level.
shared float row_scales[PYRAMID_DOWN_ROWS];

// Of this thread:
int source_column;              // word, or sample, of the rows of the source
bool is_whole;                  // no lane of that word is beyond an edge
int lanes_at[4];                // bytes of a row otherwise; -1: black
uvec4 ahead[PYRAMID_ROWS_A_STEP];       // rows up to the next one that is done
int n_ahead;

uint thread = gl_LocalInvocationID.x;

// The first index of the finer plane that weighs on sample j of the coarser.
int
first_tap (int j, int fine, int coarse)
{
  // The ceiling of a quotient that may be negative.
  const int bias = 32;
  int at = (2 * j - 3) * fine - coarse;

  return (at + (bias + 1) * 2 * coarse - 1) / (2 * coarse) - bias;
}

// What index i of the finer plane weighs on sample j, times the ratio.
float
tap_weight (int i, int j, int fine, int coarse)
{
  int away = abs ((2 * i + 1) * coarse - (2 * j + 1) * fine);
  float t = float (away) / float (2 * fine);
  float rest = max (2 - t, 0);

  return t < 1 ? 2.0 / 3 - t * t + t * t * t / 2 : rest * rest * rest / 6;
}

// One over what all taps weigh.
float
tap_scale (int j, int fine, int coarse)
{
  int first = first_tap (j, fine, coarse);
  float sum = 0;

  for (int i = 0; i < PYRAMID_TAPS (fine, coarse); i++)
    sum += tap_weight (first + i, j, fine, coarse);
  return 1 / sum;
}

// --- rows of the source ---

int
row_at (int y)
{
  int stands = edge_index (y, height, edge);

  if (!FRAME)
    return int (sample_at (source_offset, -MARGIN, level_index (y, height,
                edge), width));
  return stands < 0 ? -1 : source_offset + stands * stride;
}

void
find_rows (int y, Place place, int first)
{
  int group = int (gl_WorkGroupSize.x);

  for (int i = int (thread); i < ROWS; i += group) {
    rows_at[i] = row_at (y + i);
    row_weights[i] = spline_weights (advanced (place, i, height,
            coarse_height), height);
  }
  for (int i = int (thread); i < section_rows; i += group)
    row_scales[i] = tap_scale (first + i, height, coarse_height);
}

void
find_lanes (int window)
{
  if (FRAME) {
    source_column = window / 4 * int (COMPONENTS) + int (thread);
    is_whole = source_column >= 0
        && 4 * (source_column + 1) <= width * int (COMPONENTS);
    [[unroll]] for (uint lane = 0; lane < 4; lane++) {
      uint at = 4 * thread + lane;
      int stands = edge_index (window + int (at / COMPONENTS), width, edge);

      lanes_at[lane] = stands < 0 ? -1
          : stands * int (COMPONENTS) + int (at % COMPONENTS);
    }
  } else {
    source_column = level_index (window + int (thread), width, edge);
  }
}

uint
word_at_edge (uint at)
{
  uint word = 0;

  [[unroll]] for (int lane = 0; lane < 4; lane++) {
    int byte = lanes_at[lane];
    uint code = byte < 0 ? black
        : source[at + byte / 4] >> (byte % 4 * 8) & 0xff;

    word |= code << (8 * lane);
  }
  return word;
}

uvec4
load_row (int at)
{
  if (!FRAME)
    return load_words (at + (source_column + MARGIN) * WORDS);
  if (at < 0)
    return uvec4 (black * 0x01010101);
  return uvec4 (is_whole ? source[at + source_column] : word_at_edge (at));
}

// The rows from @row up to where one of the level is done.
void
load_ahead (int row, Place place)
{
  n_ahead = steps_to_next (place, height, coarse_height);
  [[unroll]] for (int i = 0; i < PYRAMID_ROWS_A_STEP; i++)
    if (i < n_ahead)
      ahead[i] = load_row (rows_at[row + i]);
}

// Colours are summed premultiplied, or transparent pixels would bleed.
vec4
lanes_of (uvec4 words)
{
  uint word = words.x;
  vec4 lanes;

  if (!FRAME)
    return sample_of (words);
  lanes = vec4 (word & 255, bitfieldExtract (word, 8, 8),
      bitfieldExtract (word, 16, 8), word >> 24);
  if (ALPHA >= 0) {
    float alpha = lanes[ALPHA];
    lanes *= alpha;
    lanes[ALPHA] = alpha;
  }
  return lanes;
}

void
add_lanes (inout vec4 sum, float weight, vec4 lanes)
{
  [[unroll]] for (int lane = 0; lane < 4; lane++)
    if (lane != UNUSED)
      sum[lane] = fma (weight, lanes[lane], sum[lane]);
}

// --- along rows ---

uint
pair_at (uint pair, uint pixel)
{
  return pair * PAIR_STRIDE + pixel + pixel / 4;
}

void
hold_row (vec4 lanes)
{
  if (!FRAME || COMPONENTS == 4) {
    row_sums[pair_at (0, thread)] = lanes.xy;
    if (PAIRS == 2)
      row_sums[pair_at (1, thread)] = lanes.zw;
  } else {
    [[unroll]] for (uint i = 0; i < 4; i++) {
      uint at = 4 * thread + i;
      uint lane = at % COMPONENTS;

      row_sums[pair_at (lane / 2, at / COMPONENTS)][lane % 2] = lanes[i];
    }
  }
}

void
find_taps (int first_column, int window, int n, int taps)
{
  for (int i = int (thread); i < n; i += int (gl_WorkGroupSize.x)) {
    int column = first_column + i;
    int first = first_tap (column, width, coarse_width) & ~3;
    float scale = tap_scale (column, width, coarse_width);

    first_quads[i] = (first - window) / 4;
    for (int tap = 0; tap < taps; tap++)
      tap_weights[i * (taps + 1) + tap] = scale
          * tap_weight (first + tap, column, width, coarse_width);
  }
}

// Two lanes of each column at a time.
void
store_columns (int first_column, int y, int n, int taps)
{
  for (int i = int (thread); i < n * int (LANES / 2);
      i += int (gl_WorkGroupSize.x)) {
    int pair = i < n ? 0 : 1;
    int column = i < n ? i : i - n;
    uint from = min (pair, PAIRS - 1) * PAIR_STRIDE + first_quads[column] * 5;
    uint weight = column * (taps + 1);
    vec2 sum = vec2 (0);

    for (int tap = 0; tap < taps; tap += 4) {
      [[unroll]] for (uint k = 0; k < 4; k++)
        sum += tap_weights[weight + k] * row_sums[from + k];
      weight += 4;
      from += 5;
    }
    store_lanes (sample_at (target_offset, first_column + column, y,
            coarse_width), 2 * pair, sum);
  }
}

void
main ()
{
  int taps = PYRAMID_TAPS (width, coarse_width);
  int first_column = int (gl_WorkGroupID.x) * columns - MARGIN;
  int n = min (columns, coarse_width + MARGIN - first_column);
  int window = first_tap (first_column, width, coarse_width) & ~3;
  int first = (int (gl_WorkGroupID.y) + first_section) * section_rows - MARGIN;
  int end = min (first + section_rows, coarse_height + MARGIN);
  int y = first_tap (first, height, coarse_height);
  Place place = place_of (y, height, coarse_height);
  // Four rows of the level, from row place.whole - 1 on.
  vec4 sums[4] = vec4[4] (vec4 (0), vec4 (0), vec4 (0), vec4 (0));
  int row = 0;

  find_rows (y, place, first);
  find_taps (first_column, window, n, taps);
  find_lanes (window);
  barrier ();
  load_ahead (row, place);
  for (int done = place.whole - 1; done < end; done++) {
    vec4 sum;

    [[unroll]] for (int i = 0; i < PYRAMID_ROWS_A_STEP; i++)
      if (i < n_ahead) {
        vec4 lanes = lanes_of (ahead[i]);
        vec4 weight = row_weights[row + i];

        [[unroll]] for (int k = 0; k < 4; k++)
          add_lanes (sums[k], weight[k], lanes);
      }
    sum = sums[0];
    [[unroll]] for (int k = 0; k < 3; k++)
      sums[k] = sums[k + 1];
    sums[3] = vec4 (0);
    row += n_ahead;
    place = passed (place, n_ahead, height, coarse_height);
    load_ahead (row, place);
    if (done < first)
      continue;
    hold_row (sum * row_scales[done - first]);
    barrier ();
    store_columns (first_column, done, n, taps);
    barrier ();
  }
}
