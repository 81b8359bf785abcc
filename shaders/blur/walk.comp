// SPDX-License-Identifier: LGPL-2.1-or-later
// The whole blur in one pass that shares nothing, for small radii: a thread walks down
// adjacent columns. Of each row it loads every pixel that these need once, sums along the
// row, and adds the sums to all outputs that are unfinished. For CPU devices, where a load
// from shared memory or a store takes longer than the arithmetic on a pixel.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "plane.glsl"

layout (constant_id = BLUR_UNROLLED) const int RADIUS = 1;
layout (constant_id = BLUR_COLUMNS) const int COLUMNS = 4;

const int LOADED = COLUMNS + 2 * RADIUS;        // pixels of a row

#ifdef EXACT
#define Weight uint
#else
#define Weight float
#endif

// The state of this thread:
int columns[LOADED];            // in the plane; -1: black
Weight weights_of_row[RADIUS + 1];
Weight weights_of_column[RADIUS + 1];
Sample unfinished[2 * RADIUS * COLUMNS];        // outputs, oldest first
Sample sums[COLUMNS];           // along a row, then finished outputs

Weight
weight_at (uint at, uint distance, uint radius)
{
#ifdef EXACT
  return distance <= radius ? ~0u : 0;
#else
  return distance <= radius ? weights[at + distance] : 0;
#endif
}

void
add (inout Sample sum, Weight weight, Sample value)
{
  [[unroll]] for (int i = 0; i < COMPONENTS; i++)
    if (i != UNUSED)
#ifdef EXACT
      sum[i] += weight & value[i];
#else
      sum[i] = fma (weight, value[i], sum[i]);
#endif
}

void
begin (int x)
{
  [[unroll]] for (int i = 0; i < LOADED; i++)
    columns[i] = edge_index (x - RADIUS + i, int (width));
  [[unroll]] for (int i = 0; i <= RADIUS; i++) {
    weights_of_row[i] = weight_at (weights_x, i, radius_x);
    weights_of_column[i] = weight_at (weights_y, i, radius_y);
  }
  [[unroll]] for (int i = 0; i < 2 * RADIUS * COLUMNS; i++)
    unfinished[i] = Sample (0);
}

// Returns the words of a pixel of a row, which is -1 if it is black.
uvec4
words_at (int column, int row)
{
  uvec4 words = load_pixel (uint (max (column, 0)),
      source_offset + uint (max (row, 0)) * source_stride);

  return mix (words, black_four (black), bvec4 (min (column, row) < 0));
}

// Computes the sums along row @y.
void
sum_row (int y)
{
  int row = edge_index (y, int (height));
  uvec4 words[LOADED];

  // All of them before any sum: Mesa's CPU device calls a function for each load, before
  // which it saves all registers.
  [[unroll]] for (int i = 0; i < LOADED; i++)
    words[i] = words_at (columns[i], row);
  [[unroll]] for (int c = 0; c < COLUMNS; c++)
    sums[c] = Sample (0);
  [[unroll]] for (int i = 0; i < LOADED; i++) {
    Sample pixel = sample_of_words (words[i]);

    [[unroll]] for (int c = 0; c < COLUMNS; c++)
      if (abs (i - c - RADIUS) <= RADIUS)
        add (sums[c], weights_of_row[abs (i - c - RADIUS)], pixel);
  }
}

// Adds the next row sum of column @c, and returns the output that it finishes.
Sample
add_to_column (int c, Sample sum)
{
  Sample finished = unfinished[c];

  add (finished, weights_of_column[RADIUS], sum);
  [[unroll]] for (int k = 1; k <= 2 * RADIUS; k++) {
    Sample next = k < 2 * RADIUS ? unfinished[k * COLUMNS + c] : Sample (0);

    add (next, weights_of_column[abs (RADIUS - k)], sum);
    unfinished[(k - 1) * COLUMNS + c] = next;
  }
  return finished;
}

Sample
output_of (Sample sum)
{
#ifdef EXACT
  return finish (Total (uvec2[4] (uvec2 (sum.x, 0), uvec2 (sum.y, 0),
          uvec2 (sum.z, 0), uvec2 (sum.w, 0))));
#else
  return finish (Total (sum));
#endif
}

void
store_columns (uint y)
{
  uint unit = gl_GlobalInvocationID.x * (COLUMNS / PIXELS);

  [[unroll]] for (uint u = 0; u < COLUMNS / PIXELS; u++) {
    Sample outputs[PIXELS];

    [[unroll]] for (uint p = 0; p < PIXELS; p++)
      outputs[p] = output_of (sums[u * PIXELS + p]);
    if (unit + u < units)
      store_unit (first_unit + unit + u, y, outputs);
  }
}

void
main ()
{
  int x = int (strip + gl_GlobalInvocationID.x * COLUMNS);
  int first = int (first_row + gl_WorkGroupID.y * section_rows);
  int end = min (first + int (section_rows), int (first_row + rows));
  int y = first - int (radius_y);

  if (gl_GlobalInvocationID.x * COLUMNS >= strip_width)
    return;
  begin (x);
  do {
    sum_row (y);
    [[unroll]] for (int c = 0; c < COLUMNS; c++)
      sums[c] = add_to_column (c, sums[c]);
    if (y - RADIUS >= first)
      store_columns (uint (y - RADIUS));
  } while (++y < end + RADIUS);
}
