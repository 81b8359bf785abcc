// SPDX-License-Identifier: LGPL-2.1-or-later
// Reduces rows to the next coarser level, and on the coarsest level also blurs them. Shared
// memory holds a row of the finer plane, from which each thread sums a column of the
// level. It also holds a batch of such rows of the level, from which each thread sums
// adjacent outputs of the kernel.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "blur/pyramid/pyramid.glsl"

layout (push_constant) uniform Push { PYRAMID_ROWS_PUSH (int, float) };

const int GROUP = PYRAMID_ROW_GROUP;
const int OUTPUTS = PYRAMID_OUTPUTS;
const int SLOTS = PYRAMID_SLOTS (WIDE);
// If taps are few, their weights are kept in registers. Taps are summed in chunks, as many
// as the ratio needs.
const int KEPT = WIDE ? 1 : PYRAMID_NARROW_TAPS;
const int CHUNK = 6;
// Rows of the level that are held at a time, within 16 KiB. One place is left free after
// each four samples, so that threads use all banks.
const int BATCH = WORDS == 4 ? 1 : 4;
const int LEVEL_AT = GROUP * SLOTS;
const int LEVEL_PITCH = GROUP / OUTPUTS * (OUTPUTS + 1);
const int HELD = LEVEL_AT + BATCH * LEVEL_PITCH;
shared uint held_words[WORDS == 1 ? HELD : 1];
shared uvec2 held_pairs[WORDS == 2 ? HELD : 1];
shared uvec4 held_quads[WORDS == 4 ? HELD : 1];

int thread = int (gl_LocalInvocationID.x);
int width = widths & 0xffff, coarse_width = widths >> 16;
int columns = columns_and_radius & 0xffff, radius = columns_and_radius >> 16;
int margin = beyond >> 8 & 0xff;

// The state of this thread:
int n_slots;                    // samples that it loads of a row
int slot_at[SLOTS];             // their indices; -1: black
uvec4 ahead[SLOTS];             // these samples of the next row
int column;                     // of the level
int first_sample, first_held;   // the first tap of the column, and where it is held
float tap_scale;                // scale_of_taps()
float kept_weights[KEPT];

void
add_lanes (inout vec4 sum, float weight, vec4 lanes)
{
  [[unroll]] for (int lane = 0; lane < 4; lane++)
    if (lane != UNUSED && lane < LANES)
      sum[lane] = fma (weight, lanes[lane], sum[lane]);
}

void
hold (int at, uvec4 words)
{
  if (WORDS == 1)
    held_words[at] = words.x;
  else if (WORDS == 2)
    held_pairs[at] = words.xy;
  else
    held_quads[at] = words;
}

vec4
held (int at)
{
  if (WORDS == 1)
    return sample_of (uvec4 (held_words[at], 0, 0, 0));
  if (WORDS == 2)
    return sample_of (uvec4 (held_pairs[at], 0, 0));
  return sample_of (held_quads[at]);
}

void
find_slots (int window)
{
  int mode = beyond & 0xff;

  [[unroll]] for (int i = 0; i < SLOTS; i++) {
    int x = window + i * GROUP + thread;

    slot_at[i] = margin > 0 ? level_index (x, width, mode) + margin
        : edge_index (x, width, mode);
  }
}

void
find_taps (int window)
{
  first_sample = first_tap (column, width, coarse_width);
  first_held = first_sample - window;
  tap_scale = scale_of_taps (column, width, coarse_width);
  [[unroll]] for (int i = 0; i < KEPT && !WIDE; i++)
    kept_weights[i] = tap_scale * tap_weight (first_sample + i, column, width,
        coarse_width);
}

void
load_ahead (int row)
{
  uint at = row * PYRAMID_PITCH (width + 2 * margin) * WORDS;
  uvec4 black = words_of (vec4 (bitfieldExtract (uint (beyond), 16, 16)));

  [[unroll]] for (int i = 0; i < SLOTS; i++)
    if (i < n_slots)
      ahead[i] = slot_at[i] < 0 ? black : load_words (at + slot_at[i] * WORDS);
}

vec4
sum_column (int n_taps)
{
  vec4 sum = vec4 (0);

  if (WIDE) {
    for (int from = 0; from < n_taps; from += CHUNK)
      [[unroll]] for (int i = 0; i < CHUNK; i++)
        add_lanes (sum, tap_weight (first_sample + from + i, column,
                width, coarse_width), held (first_held + from + i));
    return tap_scale * sum;
  }
  [[unroll]] for (int from = 0; from < KEPT; from += CHUNK)
    if (from < n_taps)
      [[unroll]] for (int i = from; i < from + CHUNK; i++)
        add_lanes (sum, kept_weights[i], held (first_held + i));
  return sum;
}

// Blurs adjacent columns from @x on. @from: where the first of their samples is held.
void
blur_quad (int from, int x, int y)
{
  vec4 sums[OUTPUTS];
  // The weight of the current sample in each output.
  float weight[OUTPUTS];

  [[unroll]] for (int o = 0; o < OUTPUTS; o++) {
    sums[o] = vec4 (0);
    weight[o] = 0;
  }
  for (int i = -radius; i < OUTPUTS + radius; i += OUTPUTS) {
    [[unroll]] for (int k = 0; k < OUTPUTS; k++) {
      vec4 value = held (from + k);

      [[unroll]] for (int o = OUTPUTS - 1; o > 0; o--)
        weight[o] = weight[o - 1];
      weight[0] = i + k <= radius ? weights[abs (i + k)] : 0;
      [[unroll]] for (int o = 0; o < OUTPUTS; o++)
        add_lanes (sums[o], weight[o], value);
    }
    from += OUTPUTS + 1;
  }
  // Rows have room for a whole quad at the end of the level.
  [[unroll]] for (int o = 0; o < OUTPUTS; o += 2)
    store_two (sample_at (x + o, y, coarse_width), words_of (sums[o]),
        words_of (sums[o + 1]));
}

void
main ()
{
  int first_column = int (gl_WorkGroupID.x) * columns - MARGIN;
  int first_summed = first_column - radius;
  int last_summed = first_summed + PYRAMID_COLUMNS (width, coarse_width) - 1;
  int n = min (columns, coarse_width + MARGIN - first_column);
  int window = first_tap (first_summed, width, coarse_width);
  int n_taps = 4 * width / coarse_width + 1;
  int row = (int (gl_WorkGroupID.y) + first_section) * (rows >> 16);
  int end = min (row + (rows >> 16), rows & 0xffff);
  // The part of a batch that this thread blurs:
  int quad = thread % (GROUP / OUTPUTS);
  int batch_row = thread / (GROUP / OUTPUTS);
  int quad_at = LEVEL_AT + batch_row * LEVEL_PITCH + quad * (OUTPUTS + 1);

  // If the held samples are enough for fewer columns than threads, the last threads repeat
  // the last column.
  column = min (first_summed + thread, last_summed);
  n_slots = (first_tap (last_summed, width, coarse_width) - window + n_taps
      + CHUNK - 1 + GROUP - 1) / GROUP;
  find_slots (window);
  load_ahead (row);
  find_taps (window);
  for (; row < end; row += BATCH) {
    for (int i = 0; i < BATCH && row + i < end; i++) {
      [[unroll]] for (int slot = 0; slot < SLOTS; slot++)
        if (slot < n_slots)
          hold (slot * GROUP + thread, ahead[slot]);
      barrier ();
      load_ahead (min (row + i + 1, end - 1));
      hold (LEVEL_AT + i * LEVEL_PITCH + thread + thread / OUTPUTS,
          words_of (sum_column (n_taps)));
      barrier ();
    }
    if (quad * OUTPUTS < n && batch_row < BATCH && row + batch_row < end)
      blur_quad (quad_at, first_column + quad * OUTPUTS, row + batch_row
          - MARGIN);
  }
}
