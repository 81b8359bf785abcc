// SPDX-License-Identifier: LGPL-2.1-or-later
// Reduces the columns of a plane to the rows of the next coarser level. A thread moves down
// a section of its columns and adds each row to the sums of the four rows of the level for
// which it is a tap.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "blur/pyramid/pyramid.glsl"
#include "blur/pixels.glsl"

layout (push_constant) uniform Push { PYRAMID_STEP_PUSH (int) };

#include "blur/pyramid/pyramid_columns.glsl"

// For each row of the finer plane that this section needs: where it begins, -1 if it is
// black, and its weights in the four rows of the level.
shared int rows_at[PYRAMID_HELD_ROWS (WIDE)];
shared vec4 row_weights[PYRAMID_HELD_ROWS (WIDE)];
// For each row of the level: the reciprocal of the sum of its weights.
shared float row_scales[PYRAMID_DOWN_ROWS];

const int COLUMNS = PYRAMID_COLUMNS_A_THREAD;
const int AHEAD = PYRAMID_ROWS_AHEAD;

// The state of this thread:
int first_pixels[COLUMNS];      // -1: not stored
int columns_at[COLUMNS];        // column_at()
uvec4 ahead[COLUMNS][AHEAD];    // rows loaded ahead
int n_ahead;
vec4 sums[COLUMNS][4];          // rows of the level; the first is finished next

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
    // Past the end, the last column is summed again, but not stored.
    int x = min (first + i * group, (end - 1) / PIXELS * PIXELS);

    first_pixels[i] = first + i * group < end ? x : -1;
    columns_at[i] = column_at (x);
  }
}

// Loads rows from @row on. @left: the rows that remain until the next row of the level is
// finished.
void
load_ahead (int row, int left)
{
  n_ahead = min (left, AHEAD);
  [[unroll]] for (int i = 0; i < AHEAD; i++)
    if (i < n_ahead)
      [[unroll]] for (int c = 0; c < COLUMNS; c++)
        ahead[c][i] = load_row (rows_at[row + i], columns_at[c]);
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
