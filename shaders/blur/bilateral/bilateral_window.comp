// SPDX-License-Identifier: LGPL-2.1-or-later
// The bilateral filter over its whole window, read from a tile in shared memory. A thread
// writes units of a few adjacent rows, so that each pixel of the tile that it unpacks serves
// several outputs.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bilateral.glsl"

layout (constant_id = BILATERAL_TILE_WORDS) const uint TILE_WORDS = 1;

const uint ROWS = BILATERAL_ROWS;

shared uint tile[TILE_WORDS];

uint
tile_width ()
{
  return GROUP_X * PIXELS + 2 * radius_x;
}

// All threads of the group must call this, and then barrier().
void
load_tile ()
{
  int left = int ((first_unit + gl_WorkGroupID.x * GROUP_X) * PIXELS)
      - int (radius_x);
  int top = int (first_row + gl_WorkGroupID.y * GROUP_Y * ROWS)
      - int (radius_y);

  for (uint row = gl_LocalInvocationID.y;
      row < GROUP_Y * ROWS + 2 * radius_y; row += GROUP_Y)
    for (uint column = gl_LocalInvocationID.x; column < tile_width ();
        column += GROUP_X)
      tile[row * tile_width () + column] =
          fetch_word (left + int (column), top + int (row));
}

// Returns the spatial weights down columns that row @row of the window of all outputs has in
// each output's own window.
float[ROWS]
weights_of_row (uint row)
{
  float weights[ROWS];

  for (uint k = 0; k < ROWS; k++) {
    int distance = abs (int (row) - int (k) - int (radius_y));

    weights[k] = distance <= int (radius_y) ? tables[weights_y + distance] : 0;
  }
  return weights;
}

// Computes outputs of one column. @at: the first pixel of their window in tile[].
void
filter_column (uint at, out vec4 means[ROWS])
{
  uint middle = at + radius_y * tile_width () + radius_x;
  ivec4 guides[ROWS];
  Sum sums[ROWS];

  for (uint k = 0; k < ROWS; k++) {
    guides[k] = pixel_of_word (tile[middle + k * tile_width ()]).guide;
    sums[k] = Sum (vec4 (0), 0);
  }
  for (uint row = 0; row < 2 * radius_y + ROWS; row++) {
    float row_weights[ROWS] = weights_of_row (row);

    for (uint i = 0; i <= 2 * radius_x; i++) {
      Pixel pixel = pixel_of_word (tile[at + row * tile_width () + i]);
      float weight = tables[weights_x + abs (int (i) - int (radius_x))];

      for (uint k = 0; k < ROWS; k++)
        add (sums[k], pixel.value, row_weights[k] * weight
            * range_weight (guides[k], pixel.guide));
    }
  }
  for (uint k = 0; k < ROWS; k++)
    means[k] = mean_of (sums[k]);
}

void
main ()
{
  uvec2 lane = gl_LocalInvocationID.xy;
  uint unit = gl_GlobalInvocationID.x;
  uint row = gl_GlobalInvocationID.y * ROWS;
  vec4 samples[ROWS][PIXELS];

  load_range_weights ();
  load_tile ();
  barrier ();
  if (unit >= units || row >= rows)
    return;
  for (uint p = 0; p < PIXELS; p++) {
    vec4 means[ROWS];

    filter_column (lane.y * ROWS * tile_width () + lane.x * PIXELS + p, means);
    for (uint k = 0; k < ROWS; k++)
      samples[k][p] = means[k];
  }
  for (uint k = 0; k < ROWS && row + k < rows; k++)
    store_unit (first_unit + unit, first_row + row + k, samples[k]);
}
