// SPDX-License-Identifier: LGPL-2.1-or-later
// Reduces columns like pyramid_down_columns.comp, for CPU devices. The columns of a thread
// are adjacent.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "blur/pyramid/pyramid.glsl"
#include "blur/pixels.glsl"
#include "blur/pyramid/pyramid_walk.glsl"

layout (push_constant) uniform Push { PYRAMID_STEP_PUSH (int) };

#include "blur/pyramid/pyramid_columns.glsl"

const int COLUMNS = PYRAMID_WALK_ADJACENT;

// Returns where a row of the finer plane begins; -1: the row is black.
int
row_at (Index index)
{
  int y = sample_from_edge (index, height, FRAME ? 0 : MARGIN, edge);

  if (!FRAME)
    return y * PYRAMID_PITCH (width + 2 * MARGIN) * int (WORDS);
  return y < 0 ? -1 : offset + y * stride;
}

void
main ()
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
          add_lanes (sums[c].values[k], weight[k], lanes);
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
