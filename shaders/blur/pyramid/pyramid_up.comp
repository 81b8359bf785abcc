// SPDX-License-Identifier: LGPL-2.1-or-later
// Scales the coarsest level up to the frame. A thread moves down a section of its units. It
// keeps four rows of the level, interpolated at its pixels' columns. Each output row is a
// weighted sum of these four.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "blur/pyramid/pyramid.glsl"
#include "blur/pixels.glsl"

layout (push_constant) uniform Push { PYRAMID_STEP_PUSH (int) };

const int UNITS = PYRAMID_UNITS (PIXEL_BYTES);
const int UNIT = int (BLUR_PIXELS_PER_UNIT (PIXEL_BYTES));
const int PIXELS = UNITS * UNIT;

// For each pixel of this thread:
int tap[PIXELS];                // its first column of the level
vec4 weights[PIXELS];           // of its four columns
vec4 rows[PIXELS][4];           // four rows of the level, summed along rows
uvec4 ahead[PIXELS][4];         // the words of the next row's four samples

// For each output row: the weights of the four rows of the level, times FRAME_SCALE.
shared vec4 row_weights[PYRAMID_UP_ROWS];

// Returns the first pixel of unit @unit of this thread. @x: that of unit 0.
int
unit_at (int x, int unit)
{
  return x + unit * int (gl_WorkGroupSize.x) * UNIT;
}

void
find_taps (int x)
{
  [[unroll]] for (int p = 0; p < PIXELS; p++) {
    Place place = place_of (unit_at (x, p / UNIT) + p % UNIT, width,
        coarse_width);

    weights[p] = spline_weights (place, width);
    // The clamp only changes pixels past the edge, which are not stored.
    tap[p] = clamp (place.whole - 1, -MARGIN, coarse_width + MARGIN - 4);
  }
}

void
load_ahead (int y)
{
  y = clamp (y, -MARGIN, coarse_height + MARGIN - 1);
  [[unroll]] for (int p = 0; p < PIXELS; p++)
    [[unroll]] for (uint i = 0; i < 4; i++)
      ahead[p][i] = load_words (sample_at (tap[p], y, coarse_width)
              + i * WORDS);
}

// Moves on to the row of the level that was loaded ahead, and loads row @y ahead.
void
next_row (int y)
{
  [[unroll]] for (int p = 0; p < PIXELS; p++) {
    [[unroll]] for (int i = 0; i < 3; i++)
      rows[p][i] = rows[p][i + 1];
    rows[p][3] = weights[p].x * sample_of (ahead[p][0])
        + weights[p].y * sample_of (ahead[p][1])
        + weights[p].z * sample_of (ahead[p][2])
        + weights[p].w * sample_of (ahead[p][3]);
  }
  load_ahead (y);
}

vec4
sum_rows (int p, vec4 weight)
{
  return weight.x * rows[p][0] + weight.y * rows[p][1] + weight.z * rows[p][2]
      + weight.w * rows[p][3];
}

#include "blur/pyramid/pyramid_frame.glsl"

void
store_row (int x, int y, vec4 weight)
{
  [[unroll]] for (int unit = 0; unit < UNITS; unit++)
    store_unit (unit, unit_at (x, unit), y, weight);
}

void
main ()
{
  int x = int (gl_WorkGroupID.x * gl_WorkGroupSize.x) * PIXELS
      + int (gl_LocalInvocationID.x) * UNIT;
  int y = int (gl_WorkGroupID.y + first_section) * section_rows;
  int end = min (y + section_rows, height);
  Place place = place_of (y, height, coarse_height);

  for (int i = int (gl_LocalInvocationID.x); i < section_rows;
      i += int (gl_WorkGroupSize.x))
    row_weights[i] = FRAME_SCALE * spline_weights (advanced (place, i, height,
            coarse_height), height);
  barrier ();
  if (x >= width)
    return;
  find_taps (x);
  load_ahead (place.whole - 1);
  [[unroll]] for (int i = 0; i < 4; i++)
    next_row (place.whole + i);
  // The number of output rows that are sums of the current four rows. A section need not
  // begin with the first of these.
  int n = (2 * height - place.part + 2 * coarse_height - 1)
      / (2 * coarse_height);
  for (int row = 0; y + row < end;) {
    for (int stop = min (row + n, end - y); row < stop; row++)
      store_row (x, y + row, row_weights[row]);
    place = passed (place, n, height, coarse_height);
    n = steps_to_next (place, height, coarse_height);
    next_row (place.whole + 3);
  }
}
