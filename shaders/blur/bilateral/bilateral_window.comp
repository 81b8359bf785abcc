// SPDX-License-Identifier: LGPL-2.1-or-later
// The bilateral filter over its whole window, read from a tile in shared memory. A thread
// writes units of a few adjacent rows, so that each pixel of the tile that it unpacks
// serves several outputs.
#include "bilateral.glsl"

layout (constant_id = BILATERAL_TILE_WORDS) const uint TILE_WORDS = 1;

layout (std430, binding = BILATERAL_TABLES) readonly buffer Tables
{
  float tables[];
};

const uint ROWS = BILATERAL_ROWS;

shared uint tile[TILE_WORDS];
shared float range_weights[BILATERAL_RANGES];
shared bool is_opaque;          // whether all pixels of the tile are

uint tile_width ()
{
  return GROUP_X * PIXELS + 2 * radius_x;
}

void load_pixel_of_tile (uint at, int x, int y)
{
  uint word = fetch_word (x, y);

  tile[at] = word;
  if (ALPHA >= 0 && bitfieldExtract (word, 8 * max (ALPHA, 0), 8) < 255)
    is_opaque = false;
}

// All threads of the group must call this, and then barrier().
void load_range_weights ()
{
  for (uint i = gl_LocalInvocationIndex; i < BILATERAL_RANGES;
      i += GROUP_X * GROUP_Y)
    range_weights[i] = tables[i];
}

// As above.
void load_tile ()
{
  int left = int ((first_unit + gl_WorkGroupID.x * GROUP_X) * PIXELS)
      - int (radius_x);
  int top = int (first_row + gl_WorkGroupID.y * GROUP_Y * ROWS)
      - int (radius_y);

  for (uint row = gl_LocalInvocationID.y;
      row < GROUP_Y * ROWS + 2 * radius_y; row += GROUP_Y)
    for (uint column = gl_LocalInvocationID.x; column < tile_width ();
        column += GROUP_X)
      load_pixel_of_tile (row * tile_width () + column, left + int (column),
          top + int (row));
}

float range_weight (vec4 a, vec4 b, bool has_alpha)
{
  float scaled = squared_distance (a, b, has_alpha) * range_scale;

  return range_weights[uint (min (scaled, BILATERAL_RANGES - 1))];
}

// Returns the spatial weights down columns that row @row of the window of all outputs has
// in each output's own window.
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
void filter_column (uint at, bool has_alpha, out vec4 means[ROWS])
{
  uint middle = at + radius_y * tile_width () + radius_x;
  vec4 guides[ROWS];
  Sum sums[ROWS];

  for (uint k = 0; k < ROWS; k++) {
    guides[k] =
        pixel_of_word (tile[middle + k * tile_width ()], has_alpha).guide;
    sums[k] = Sum (vec4 (0), 0);
  }
  for (uint row = 0; row < 2 * radius_y + ROWS; row++) {
    float row_weights[ROWS] = weights_of_row (row);

    for (uint i = 0; i <= 2 * radius_x; i++) {
      Pixel pixel =
          pixel_of_word (tile[at + row * tile_width () + i], has_alpha);
      float weight = tables[weights_x + abs (int (i) - int (radius_x))];

      for (uint k = 0; k < ROWS; k++)
        add (sums[k], pixel.value, row_weights[k] * weight
            * range_weight (guides[k], pixel.guide, has_alpha), has_alpha);
    }
  }
  for (uint k = 0; k < ROWS; k++)
    means[k] = mean_of (sums[k], has_alpha);
}

void main ()
{
  uvec2 lane = gl_LocalInvocationID.xy;
  uint unit = gl_GlobalInvocationID.x;
  uint row = gl_GlobalInvocationID.y * ROWS;
  vec4 samples[ROWS][PIXELS];

  is_opaque = true;
  load_range_weights ();
  barrier ();
  load_tile ();
  barrier ();
  if (unit >= units || row >= rows)
    return;
  for (uint p = 0; p < PIXELS; p++) {
    uint at = lane.y * ROWS * tile_width () + lane.x * PIXELS + p;
    vec4 means[ROWS];

    // Two copies of the code, so that opaque pixels take fewer instructions.
    if (ALPHA < 0 || is_opaque)
      filter_column (at, false, means);
    else
      filter_column (at, true, means);
    for (uint k = 0; k < ROWS; k++)
      samples[k][p] = means[k];
  }
  for (uint k = 0; k < ROWS && row + k < rows; k++)
    store_unit (first_unit + unit, first_row + row + k, samples[k]);
}
