// SPDX-License-Identifier: LGPL-2.1-or-later
// For CPU devices: blurs the columns of the coarsest level, whose rows are already as wide
// as the frame, and scales them up to the frame. A thread has adjacent columns.
#extension GL_EXT_control_flow_attributes : require
#include "blur/pyramid/pyramid.glsl"
#include "blur/pixels.glsl"
#include "blur/pyramid/pyramid_walk.glsl"

layout (push_constant) uniform Push { PYRAMID_WALK_UP_PUSH (PYRAMID_STEP_PUSH (int), float) };

const int UNIT = int (BLUR_PIXELS_PER_UNIT (PIXEL_BYTES));

const int SUMMED = COMPONENTS;

#include "blur/pyramid/pyramid_walk_gaussian.glsl"

// For each pixel of this thread:
Pending pending[UNIT];
Four four[UNIT];

Index index;                    // of the next row of the level

vec4 sum_rows (int p, vec4 weight)
{
  return sum_four (four[p], weight);
}

#include "blur/pyramid/pyramid_frame.glsl"

// Loads the next row of the level and passes it to the kernel.
void next_row (int x)
{
  int y = sample_from_edge (index, coarse_height, MARGIN, edge);
  uint at = uint (y * PYRAMID_PITCH (width) + x) * WORDS;

  // Rows have samples for a whole unit past the edge.
  [[unroll]] for (int p = 0; p < UNIT; p++)
    go_on (four[p], blur (pending[p], sample_of (load_words (at + p * WORDS))));
  next_index (index, coarse_height);
}

void main ()
{
  int x = int (gl_GlobalInvocationID.x) * UNIT;
  int y = int (gl_WorkGroupID.y + first_section) * section_rows;
  int end = min (y + section_rows, height);
  Place up = place_of (y, height, coarse_height);
  float to_part = 1.0 / float (2 * height);

  if (x >= width)
    return;
  keep_weights ();
  [[unroll]] for (int p = 0; p < UNIT; p++) {
    pending[p] = no_samples ();
    four[p] = no_outputs ();
  }
  index = index_from (up.whole - 1 - RADIUS, coarse_height);
  int n_before = 2 * RADIUS + 3;
  do {
    next_row (x);
  } while (--n_before > 0);
  int n = steps_from (up, height, coarse_height);
  do {
    int stop = min (y + n, end);
    int part = up.part;

    next_row (x);
    do {
      store_unit (0, x, y, FRAME_SCALE * spline_at (float (part) * to_part));
      part += 2 * coarse_height;
    } while (++y < stop);
    up = passed (up, n, height, coarse_height);
    n = steps_to_next (up, height, coarse_height);
  } while (y < end);
}
