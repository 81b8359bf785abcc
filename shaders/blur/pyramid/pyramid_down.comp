// SPDX-License-Identifier: LGPL-2.1-or-later
// Reduces a plane to the next coarser level. Each group computes a tile of the level. A
// thread goes down four adjacent samples of a frame, or one sample of a level, and adds each
// row to its sums for the rows of the tile. Shared memory then holds these sums, and the
// group sums along them.
#extension GL_EXT_control_flow_attributes : require
#include "blur/pyramid/pyramid.glsl"
#include "blur/pixels.glsl"

layout (push_constant) uniform Push { PYRAMID_DOWN_PUSH (PYRAMID_STEP_PUSH (int), int) };

const int THREADS = PYRAMID_DOWN_GROUP;
const int ROWS = PYRAMID_TILE_ROWS;
const int AT_ONCE = PYRAMID_ROWS_AT_ONCE;
const int PIXEL = FRAME ? COMPONENTS : 4;       // samples of a pixel
const int BITS = 8 * SAMPLE_SIZE (SAMPLE);      // of a sample of a frame

// For each row of the finer plane that the tile needs: where it begins, and its weights in
// the rows of the tile, which are 0 if it is black.
shared int rows_at[PYRAMID_HELD_ROWS];
shared vec4 row_weights[PYRAMID_HELD_ROWS];
// For each row of the tile: the sum of these weights, and of those of black rows.
shared vec4 row_total, black_total;
// For each sample along the window: its sums for the rows of the tile. Sample i of a thread
// is at i * HELD_PITCH. One more place, so that threads that read different samples use
// different banks.
const int HELD_PITCH = THREADS + 1;
shared vec4 held[4 * HELD_PITCH];
// For each thread: the sum of the weights along rows.
shared float column_totals[THREADS];

int thread = int (gl_LocalInvocationID.x);

// --- down columns ---

int row_at (int y)
{
  if (!FRAME)
    return int (sample_at (-MARGIN, level_index (y, height, edge), width));
  return offset + edge_index (y, height, edge == BLUR_EDGE_BLACK
      ? BLUR_EDGE_CLAMP : edge) * stride;
}

bool is_black (int y)
{
  return FRAME && edge == BLUR_EDGE_BLACK && (y < 0 || y >= height);
}

float weight_of (int y, int row)
{
  return tap_weight (distance_of (y, row, height, coarse_height));
}

// @y: the first row of the finer plane that is held. @first: the first row of the tile.
void find_rows (int y, int first)
{
  for (int i = thread; i < held_rows; i += THREADS) {
    rows_at[i] = row_at (y + i);
    [[unroll]] for (int k = 0; k < ROWS; k++)
      row_weights[i][k] = is_black (y + i) ? 0 : weight_of (y + i, first + k);
  }
}

// @k: a row of the tile.
void sum_weights (int k, int y, int first)
{
  float inside = 0, outside = 0;

  if (edge == BLUR_EDGE_BLACK)
    for (int i = 0; i < held_rows; i++)
      if (is_black (y + i))
        outside += weight_of (y + i, first + k);
  for (int from = 0; from < held_rows; from += AT_ONCE)
    [[unroll]] for (int i = 0; i < AT_ONCE; i++)
      inside += row_weights[from + i][k];
  row_total[k] = inside + outside;
  black_total[k] = outside;
}

// Returns the four samples of a frame, or the sample of a level, that begin at a word.
uvec4 load_column (int at)
{
  return FRAME ? load_four (uint (at)) : load_words (at);
}

// Returns four samples of a frame that are not side by side, because some are beyond an
// edge. @samples: their indices in the row; -1: black.
uvec4 gather_column (int row, ivec4 samples)
{
  uint black_code = bitfieldExtract (black_four (black).x, 0, BITS);
  uvec4 words = uvec4 (0);

  [[unroll]] for (int k = 0; k < 4; k++) {
    int bit = samples[k] * BITS;
    uint code = bit < 0 ? black_code
        : bitfieldExtract (source[row + bit / 32], bit % 32, BITS);

    words[k * BITS / 32] |= code << k * BITS % 32;
  }
  return words;
}

void add_rows (inout vec4 sums[ROWS], uvec4 words, vec4 weight)
{
  vec4 lanes = FRAME ? sample_of_words (words) : sample_of (words);

  [[unroll]] for (int k = 0; k < ROWS; k++)
    add_lanes (sums[k], weight[k], lanes, 4);
}

void sum_column (inout vec4 sums[ROWS], int column)
{
  for (int from = 0; from < held_rows; from += AT_ONCE) {
    uvec4 words[AT_ONCE];

    [[unroll]] for (int i = 0; i < AT_ONCE; i++)
      words[i] = load_column (rows_at[from + i] + column);
    [[unroll]] for (int i = 0; i < AT_ONCE; i++)
      add_rows (sums, words[i], row_weights[from + i]);
  }
}

void sum_gathered (inout vec4 sums[ROWS], ivec4 samples)
{
  for (int i = 0; i < held_rows; i++)
    add_rows (sums, gather_column (rows_at[i], samples), row_weights[i]);
}

// Sums the column of this thread. @window: the first pixel that the group holds.
void sum_down (inout vec4 sums[ROWS], int window)
{
  int x = window + 4 * thread / PIXEL;
  int first = window * PIXEL + 4 * thread;
  ivec4 samples;

  if (!FRAME) {
    sum_column (sums, (level_index (x, width, edge) + MARGIN) * int (WORDS));
    return;
  }
  if (PIXEL == 4)
    first = 4 * edge_index (x, width, edge);
  if (first >= 0 && first + 4 <= width * PIXEL) {
    sum_column (sums, first / 4 * int (FOUR_WORDS));
    return;
  }
  [[unroll]] for (int k = 0; k < 4; k++) {
    int i = edge_index (window + (4 * thread + k) / PIXEL, width, edge);

    samples[k] = i < 0 ? -1 : i * PIXEL + (4 * thread + k) % PIXEL;
  }
  sum_gathered (sums, samples);
}

void hold_sums (vec4 sums[ROWS])
{
  [[unroll]] for (int i = 0; i < 4; i++)
    held[i * HELD_PITCH + thread] = vec4 (sums[0][i], sums[1][i], sums[2][i],
        sums[3][i]);
}

// --- along rows ---

// Sums taps @from to @end - 1 of a sample of the level, for all rows of the tile. @at: where
// sample @component of tap 0 is, from the first one held. @distance: of tap 0.
vec4 sum_along (int at, float distance, int from, int end, out float total)
{
  float step = float (coarse_width) / float (width);
  vec4 sum = vec4 (0);

  total = 0;
  for (int i = from; i < end; i++) {
    int tap = at + i * PIXEL;
    float weight = tap_weight (distance + float (i) * step);

    sum += weight * held[tap % 4 * HELD_PITCH + tap / 4];
    total += weight;
  }
  return sum;
}

// The group sums along rows, each thread a part of the taps of a sample: thread by thread
// the samples of the pixels of the level, then the same for the next part. Puts the sums
// into held[] and column_totals[].
void sum_rows (int first_column, int window, int n_parts)
{
  int items = section_columns * PIXEL;
  int part = quotient (thread, items), item = thread - part * items;
  int column = first_column + item / PIXEL;
  int first = first_tap (column, width, coarse_width);
  int n_taps = quotient (4 * width, coarse_width) + 1;
  int n = quotient (n_taps + n_parts - 1, n_parts);
  vec4 sum = vec4 (0);
  float total = 0;

  if (part < n_parts && column < coarse_width + MARGIN)
    sum = sum_along ((first - window) * PIXEL + item % PIXEL, distance_of (first,
            column, width, coarse_width), part * n, min (part * n + n, n_taps),
        total);
  barrier ();
  held[thread] = sum;
  column_totals[thread] = total;
  barrier ();
}

// Returns the sample of column @column of the section in row @row of the tile.
vec4 summed (int column, int row, int n_parts)
{
  vec4 black_pixel = FRAME ? sample_of_words (black_four (black)) : vec4 (0);
  vec4 sample_sum = vec4 (0);
  float total = 0;

  for (int part = 0; part < n_parts; part++) {
    int at = (part * section_columns + column) * PIXEL;

    // Four, a literal number, as glslc unrolls the loop then: where NVIDIA's driver did, frames
    // of NV12 took up to 7 % longer (bench_blur --format NV12 --methods pyramid --sigmas 3).
    [[unroll]] for (int i = 0; i < 4; i++)
      if (i < PIXEL)
        sample_sum[i] += held[at + i][row];
    total += column_totals[at];
  }
  return (sample_sum / total + black_total[row] * black_pixel) / row_total[row];
}

void main ()
{
  ivec2 first = ivec2 (int (gl_WorkGroupID.x) * section_columns,
          (int (gl_WorkGroupID.y) + first_section) * ROWS) - MARGIN;
  int n_columns = min (section_columns, coarse_width + MARGIN - first.x);
  int window = first_tap (first.x, width, coarse_width)
      & -PYRAMID_WINDOW_PIXELS (PIXEL);
  int n_parts = quotient (THREADS, section_columns * PIXEL);
  // The pixels that the columns of the level need.
  int n_pixels = first_tap (first.x + n_columns - 1, width, coarse_width)
      + quotient (4 * width, coarse_width) + 1 - window;
  int y = first_tap (first.y, height, coarse_height);
  vec4 sums[ROWS] = vec4[ROWS] (vec4 (0), vec4 (0), vec4 (0), vec4 (0));

  find_rows (y, first.y);
  barrier ();
  if (thread < ROWS)
    sum_weights (thread, y, first.y);
  if (4 * thread < n_pixels * PIXEL)
    sum_down (sums, window);
  hold_sums (sums);
  barrier ();
  sum_rows (first.x, window, n_parts);
  for (int i = thread; i < n_columns * ROWS; i += THREADS) {
    int row = i % ROWS, column = i / ROWS;

    if (first.y + row < coarse_height + MARGIN)
      store_words (sample_at (first.x + column, first.y + row, coarse_width),
          words_of (summed (column, row, n_parts)));
  }
}
