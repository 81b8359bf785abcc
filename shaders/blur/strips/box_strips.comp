// SPDX-License-Identifier: LGPL-2.1-or-later
// Whole boxes of bytes in one dispatch, in integers. A group marches down a strip of columns
// and has a thread for each column that its outputs need. A thread keeps the sum of its
// column's rows: with each row, one sample enters and one leaves. It puts the sums of a few
// rows into shared memory. Then each thread takes a piece of one of these rows, and slides
// along it in the same way. So the work of an output hardly depends on the radius.
//
// Samples are summed two at a time: a word has two lanes of 16 bits. A sum of lanes that may
// exceed 16 bits is two words: @whole, the sum of the words, and @high, the sum of the upper
// lanes. Arithmetic is modulo 2^32, so the sum of the lower lanes is whole - (high << 16).
#extension GL_EXT_control_flow_attributes : require
#include "core/shared.h"
#include "blur/shared.h"
#include "blur/strips/shared.h"

#define SAMPLE SAMPLE_BYTE
#define Weight uint
#define Sum uvec4

#include "blur/strips/strips_plane.glsl"

layout (std430, binding = STRIPS_TARGET) writeonly buffer TargetQuads
{
  uvec4 target_quads[];
};

#include "blur/words.glsl"
#include "blur/strips/strips_bytes.glsl"

const uint ROWS = STRIPS_BOX_ROWS;
const int OUTPUTS = STRIPS_BOX_OUTPUTS;
// The distance of rows in shared memory, and that of the words of a sum.
const uint PITCH = STRIPS_BOX_PITCH (gl_WorkGroupSize.x);
const uint PLANE = ROWS * PITCH;

int radius_y ()
{
  return int (bitfieldExtract (reach, 8, 8));
}

// The columns on each side of a strip that its outputs need.
int apron ()
{
  return STRIPS_BOX_APRON (radius_x (), COMPONENTS);
}

int own_column ()
{
  return int (gl_WorkGroupID.x * strips + gl_LocalInvocationID.x) - apron ();
}

// Whether sums down columns fit into lanes of 16 bits: samples are not multiplied by alpha.
bool is_narrow ()
{
  return !HAS_ALPHA || opaque;
}

// --- down columns ---

// Where the samples of this thread's column lie in a row; -1: black. A column beyond the
// edges may be composed of others.
int lanes_from[4];

void find_samples ()
{
  [[unroll]] for (int lane = 0; lane < 4; lane++)
    lanes_from[lane] = sample_from (4 * own_column () + lane);
}

// Whether the samples of this thread's column are one word of a row.
bool is_one_word ()
{
  return lanes_from[0] >= 0 && lanes_from[0] % 4 == 0
      && lanes_from[1] == lanes_from[0] + 1
      && lanes_from[2] == lanes_from[0] + 2
      && lanes_from[3] == lanes_from[0] + 3;
}

// Finds where the ROWS rows from @y on begin, or those that replace them beyond the edges.
// @black: a bit for each row that is black instead.
void find_rows (int y, out uint rows_at[ROWS], out uint black)
{
  black = 0;
  // The outer loop stays rolled: drivers would take long to compile what it repeats.
  [[dont_unroll]] for (int i = 0; i < ROWS; i++) {
    int row = edge_index (y + i, int (height));

    black |= row < 0 ? 1u << i : 0;
    [[unroll]] for (int k = 0; k < ROWS; k++)
      if (k == i)
        rows_at[k] = source_at + uint (max (row, 0)) * source_stride;
  }
}

// Loads a column that is composed of samples of others, or is black. All loads of a lane are
// on their way at once: one after the other, they would take longer than all else.
void compose_columns (uint rows_at[ROWS], out uint words[ROWS])
{
  [[unroll]] for (int i = 0; i < ROWS; i++)
    words[i] = 0;
  [[unroll]] for (int lane = 0; lane < 4; lane++) {
    uint from = uint (max (lanes_from[lane], 0));
    uint bytes[ROWS];

    [[unroll]] for (int i = 0; i < ROWS; i++)
      bytes[i] = byte_at (from, rows_at[i]);
    [[unroll]] for (int i = 0; i < ROWS; i++)
      words[i] |= (lanes_from[lane] < 0 ? black_sample () : bytes[i]) << (8 * lane);
  }
}

// Loads this thread's column of the ROWS rows from @y on, where it or some of them are beyond
// the edges.
void compose_rows (int y, out uint words[ROWS])
{
  uint rows_at[ROWS], black;

  find_rows (y, rows_at, black);
  if (is_one_word ())
    [[unroll]] for (int i = 0; i < ROWS; i++)
      words[i] = source[rows_at[i] + lanes_from[0] / 4];
  else if (COMPONENTS == 4)
    black = ~0u;                // whole pixels are never composed of others
  else
    compose_columns (rows_at, words);
  [[unroll]] for (int i = 0; i < ROWS; i++)
    if ((black >> i & 1) != 0)
      words[i] = black_column ();
}

// Loads this thread's column of the ROWS rows from @y on.
void load_rows (int y, out uint words[ROWS])
{
  uint at = source_at + uint (y) * source_stride + lanes_from[0] / 4;

  if (is_one_word () && y >= 0 && y + int (ROWS) <= int (height))
    [[unroll]] for (int i = 0; i < ROWS; i++)
      words[i] = source[at + i * source_stride];
  else
    compose_rows (y, words);
}

// Returns the samples of a column in two words of two lanes: the first and the third sample,
// and the second and the fourth.
uvec2 pairs_of (uint word)
{
  return uvec2 (word, word >> 8) & 0x00ff00ff;
}

// Returns the lanes of a column as a sum: whole.xy, high.xy. High lanes are not needed, and
// are 0, if sums are narrow. Colours are multiplied by alpha, which is the fourth sample.
Sum sum_of_column (uint word)
{
  uvec2 pairs = pairs_of (in_order (word));
  uint alpha = pairs.y >> 16;

  if (is_narrow ())
    return Sum (pairs, 0, 0);
  pairs *= uvec2 (alpha, alpha);
  pairs.y = (pairs.y & 0xffff) | alpha << 16;
  return Sum (pairs, pairs >> 16);
}

// Where a column lies in a row of shared memory. There is a gap after each thread's outputs:
// threads then use different banks.
uint place_of (uint column)
{
  return column + column / OUTPUTS;
}

void store_sum (uint row, uint column, Sum sum)
{
  uint at = row * PITCH + place_of (column);

  ring[at] = sum.x;
  ring[at + PLANE] = sum.y;
  if (!is_narrow ()) {
    ring[at + 2 * PLANE] = sum.z;
    ring[at + 3 * PLANE] = sum.w;
  }
}

// Stores the sums of the ROWS rows from @y on. @window: the sum of this thread's column over
// all but the last row of the box.
void sum_rows (int y, inout Sum window)
{
  uint first[ROWS], last[ROWS];

  load_rows (y + radius_y (), last);
  load_rows (y - radius_y (), first);
  [[unroll]] for (int i = 0; i < ROWS; i++) {
    note_alpha (last[i]);
    window += sum_of_column (last[i]);
    store_sum (i, gl_LocalInvocationID.x, window);
    window -= sum_of_column (first[i]);
  }
}

// Returns the sum of this thread's column over all but the last row of the box around row @y.
Sum first_window (int y)
{
  Sum window = Sum (0);

  for (int above = 2 * radius_y (); above > 0; above -= int (ROWS)) {
    uint words[ROWS];

    load_rows (y + radius_y () - above, words);
    [[unroll]] for (int i = 0; i < ROWS; i++)
      if (i < above) {
        note_alpha (words[i]);
        window += sum_of_column (words[i]);
      }
  }
  return window;
}

// --- along rows ---

// Half of the samples of a box, rounded down. Their number is odd: a sum that begins with this,
// divided by the number and rounded down, is the rounded mean.
uint half_of_box ()
{
  return (2 * radius_x () + 1) * (2 * radius_y () + 1) / 2;
}

// Returns the rounded mean of samples that were not multiplied by alpha. @sum: as above.
uint mean_of (uint sum)
{
  uint high, low;

  umulExtended (sum, weights[STRIPS_BOX_RECIPROCAL], high, low);
  return high >> weights[STRIPS_BOX_SHIFT];
}

#include "blur/strips/box_sums.glsl"

void store_outputs (int column, uint y, uint words[OUTPUTS])
{
  uint row_at = target_at + y * target_stride;

  if (row_at % 4 == 0 && 4 * (column + OUTPUTS) <= int (width) * COMPONENTS) {
    [[unroll]] for (int o = 0; o < OUTPUTS; o += 4)
      target_quads[(row_at + column + o) / 4] = uvec4 (words[o], words[o + 1],
          words[o + 2], words[o + 3]);
  } else {
    [[unroll]] for (int o = 0; o < OUTPUTS; o++)
      if (column + o < columns)
        store_column (column + o, row_at, words[o]);
  }
}

// Computes this thread's outputs of the rows from @y on.
void write_rows (uint y)
{
  const uint PER_ROW = gl_WorkGroupSize.x / OUTPUTS;
  uint row = gl_LocalInvocationID.x / PER_ROW;
  uint at = gl_LocalInvocationID.x % PER_ROW * OUTPUTS;
  int column = int (gl_WorkGroupID.x * strips + at);
  uint words[OUTPUTS];

  if (at >= strips || column >= columns || y + row >= end)
    return;
  if (COMPONENTS == 4)
    sum_pixels_along (row, at, words);
  else
    sum_samples_along (row, at, words);
  store_outputs (column, y + row, words);
}

// --- the march ---

// Computes the outputs of the group. Returns FALSE if opaque was assumed but some pixel is
// not: the caller must start again.
bool march ()
{
  Sum window;

  find_samples ();
  forget_alpha ();
  window = first_window (int (begin));
  for (uint y = begin; y < end; y += ROWS) {
    sum_rows (int (y), window);
    if (opaque && !was_opaque ())
      ring[SEEN_THROUGH] = 1;
    barrier ();
    if (opaque && ring[SEEN_THROUGH] != 0) {
      // All threads must read the word before sums with alpha overwrite it.
      barrier ();
      return false;
    }
    write_rows (y);
    barrier ();
  }
  return true;
}

#include "blur/strips/strips_main.glsl"
