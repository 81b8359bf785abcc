// SPDX-License-Identifier: LGPL-2.1-or-later
// The bilateral filter along one axis, read from memory. A thread computes a run of
// adjacent pixels of the axis, so that each pixel that it fetches serves several outputs.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "bilateral.glsl"

layout (constant_id = BILATERAL_DOWN) const bool DOWN = false;

const uint RUN = BILATERAL_RUN;
// The units that a thread writes: those of a run along a row, or one for each row.
const uint UNITS = DOWN ? 1 : RUN / PIXELS;
const uint ROWS = DOWN ? RUN : 1;

// Returns pixel @i of the axis. @across: its row or column, inside the plane.
Pixel
fetch_pixel (uint across, int i)
{
  int inside = edge_index (i, int (DOWN ? height : width), edge);
  uint word = black;

  if (inside >= 0)
    word = DOWN ? fetch_inside (across, uint (inside))
        : fetch_inside (uint (inside), across);
  return pixel_of_word (word, ALPHA >= 0);
}

// Computes the run that begins at pixel @begin of the axis.
void
filter_run (uint across, int begin, out vec4 means[RUN])
{
  int radius = int (DOWN ? radius_y : radius_x);
  uint weights_at = DOWN ? weights_y : weights_x;
  vec4 guides[RUN];
  float weights[RUN];           // spatial, of the current pixel in each window
  Sum sums[RUN];

  for (uint k = 0; k < RUN; k++) {
    guides[k] = fetch_pixel (across, begin + int (k)).guide;
    weights[k] = 0;
    sums[k] = Sum (vec4 (0), 0);
  }
  for (int i = -radius; i < radius + int (RUN); i++) {
    Pixel pixel = fetch_pixel (across, begin + i);

    for (uint k = RUN - 1; k > 0; k--)
      weights[k] = weights[k - 1];
    weights[0] = i <= radius ? tables[weights_at + abs (i)] : 0;
    for (uint k = 0; k < RUN; k++)
      add (sums[k], pixel.value,
          weights[k] * range_weight (guides[k], pixel.guide, ALPHA >= 0),
          ALPHA >= 0);
  }
  for (uint k = 0; k < RUN; k++)
    means[k] = mean_of (sums[k], ALPHA >= 0);
}

void
filter_along_row (uint unit, uint row)
{
  vec4 means[RUN];

  filter_run (first_row + row, int ((first_unit + unit) * PIXELS), means);
  for (uint u = 0; u < UNITS && unit + u < units; u++) {
    vec4 samples[PIXELS];

    for (uint p = 0; p < PIXELS; p++)
      samples[p] = means[u * PIXELS + p];
    store_unit (first_unit + unit + u, first_row + row, samples);
  }
}

void
filter_down_columns (uint unit, uint row)
{
  vec4 samples[RUN][PIXELS];

  for (uint p = 0; p < PIXELS; p++) {
    // Columns past the plane's edge, which fill up the last unit, repeat the last one.
    uint column = min ((first_unit + unit) * PIXELS + p, width - 1);
    vec4 means[RUN];

    filter_run (column, int (first_row + row), means);
    for (uint k = 0; k < RUN; k++)
      samples[k][p] = means[k];
  }
  for (uint k = 0; k < RUN && row + k < rows; k++)
    store_unit (first_unit + unit, first_row + row + k, samples[k]);
}

void
main ()
{
  uint unit = gl_GlobalInvocationID.x * UNITS;
  uint row = gl_GlobalInvocationID.y * ROWS;

  load_range_weights ();
  if (unit >= units || row >= rows)
    return;
  if (DOWN)
    filter_down_columns (unit, row);
  else
    filter_along_row (unit, row);
}
