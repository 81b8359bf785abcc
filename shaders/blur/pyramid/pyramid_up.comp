// SPDX-License-Identifier: LGPL-2.1-or-later
// Blurs the coarsest level and scales it up to the frame. Each group computes a tile of the
// frame: it blurs the samples of the level that this tile needs into shared memory, along
// rows and then down columns. Then each thread moves down a part of the tile, a unit wide. It
// keeps four rows of the level, interpolated at its pixels' columns. Each output row is a
// weighted sum of these four.
#extension GL_EXT_control_flow_attributes : require
#include "blur/pyramid/pyramid.glsl"
#include "blur/pixels.glsl"

layout (push_constant) uniform Push { PYRAMID_UP_PUSH (PYRAMID_STEP_PUSH (int), float) };

const int THREADS = PYRAMID_UP_GROUP;
const int RADIUS = PYRAMID_RADIUS;
const int TAPS = 2 * RADIUS + 1;
// Adjacent outputs of the kernel that a thread computes together, and the samples that are
// their taps.
const int OUTPUTS = 4;
const int REACH = TAPS + OUTPUTS - 1;
const int UNIT = int (BLUR_PIXELS_PER_UNIT (PIXEL_BYTES));

// Samples of the level, blurred along rows, and from blurred_at on also down columns.
const uint HELD = PYRAMID_HELD_SAMPLES (WORDS);
shared uint held_words[WORDS == 1 ? HELD : 1];
shared uvec2 held_pairs[WORDS == 2 ? HELD : 1];
shared uvec4 held_quads[WORDS == 4 ? HELD : 1];
// For each output row: the weights of the four rows of the level, times FRAME_SCALE.
shared vec4 row_weights[PYRAMID_UP_ROWS];

int thread = int (gl_LocalInvocationID.x);

// The samples of the level that the tile needs:
ivec2 first, count;
int blurred_at;

// For each pixel of this thread:
int tap[UNIT];                  // where its first column of the level is held
vec4 weights_of[UNIT];          // of its four columns
vec4 rows[UNIT][4];             // four rows of the level, summed along rows

// --- shared memory ---

void hold (int at, vec4 value)
{
  uvec4 words = words_of (value);

  if (WORDS == 1)
    held_words[at] = words.x;
  else if (WORDS == 2)
    held_pairs[at] = words.xy;
  else
    held_quads[at] = words;
}

vec4 held (int at)
{
  if (WORDS == 1)
    return sample_of (uvec4 (held_words[at], 0, 0, 0));
  if (WORDS == 2)
    return sample_of (uvec4 (held_pairs[at], 0, 0));
  return sample_of (held_quads[at]);
}

// --- the kernel ---

// Loads the samples of the level from @x on that are the taps of OUTPUTS outputs.
void load_taps (out uvec4 words[REACH], int x, int y)
{
  if (x >= 0 && x + REACH <= coarse_width) {
    uint at = sample_at (x, y, coarse_width);

    [[unroll]] for (uint k = 0; k < REACH; k++)
      words[k] = load_words (at + k * WORDS);
    return;
  }
  [[unroll]] for (int k = 0; k < REACH; k++)
    words[k] = load_words (sample_at (level_index (x + k, coarse_width, edge),
            y, coarse_width));
}

void blur_rows ()
{
  int across = (count.x + OUTPUTS - 1) / OUTPUTS;

  for (int i = thread; i < across * (count.y + 2 * RADIUS); i += THREADS) {
    int row = quotient (i, across), column = (i - row * across) * OUTPUTS;
    uvec4 words[REACH];

    load_taps (words, first.x + column - RADIUS, level_index (first.y - RADIUS
            + row, coarse_height, edge));
    [[unroll]] for (int o = 0; o < OUTPUTS; o++) {
      vec4 sum = vec4 (0);

      [[unroll]] for (int k = 0; k < TAPS; k++)
        add_lanes (sum, weights_x[abs (k - RADIUS)], sample_of (words[o + k]),
            COMPONENTS);
      if (column + o < count.x)
        hold (row * count.x + column + o, sum);
    }
  }
}

void blur_columns ()
{
  int down = (count.y + OUTPUTS - 1) / OUTPUTS;

  for (int i = thread; i < count.x * down; i += THREADS) {
    int part = quotient (i, count.x), column = i - part * count.x;
    int row = part * OUTPUTS;
    vec4 samples[REACH];

    [[unroll]] for (int k = 0; k < REACH; k++)
      samples[k] = held (min (row + k, count.y + 2 * RADIUS - 1) * count.x + column);
    [[unroll]] for (int o = 0; o < OUTPUTS; o++) {
      vec4 sum = vec4 (0);

      [[unroll]] for (int k = 0; k < TAPS; k++)
        add_lanes (sum, weights_y[abs (k - RADIUS)], samples[o + k], COMPONENTS);
      if (row + o < count.y)
        hold (blurred_at + (row + o) * count.x + column, sum);
    }
  }
}

// --- the way up ---

void find_taps (int x)
{
  Place place = place_of (x, width, coarse_width);

  [[unroll]] for (int p = 0; p < UNIT; p++) {
    weights_of[p] = spline_weights (place, width);
    tap[p] = blurred_at + place.whole - 1 - first.x;
    // Pixels past the edge are not stored.
    if (x + p < width - 1)
      place = next_place (place, width, coarse_width);
  }
}

// Moves on to the next row of the level, which is held from the first one on @row rows.
void next_row (int row)
{
  [[unroll]] for (int p = 0; p < UNIT; p++) {
    int at = tap[p] + min (row, count.y - 1) * count.x;

    [[unroll]] for (int i = 0; i < 3; i++)
      rows[p][i] = rows[p][i + 1];
    rows[p][3] = weights_of[p].x * held (at) + weights_of[p].y * held (at + 1)
        + weights_of[p].z * held (at + 2) + weights_of[p].w * held (at + 3);
  }
}

vec4 sum_rows (int p, vec4 weight)
{
  return weight.x * rows[p][0] + weight.y * rows[p][1] + weight.z * rows[p][2]
      + weight.w * rows[p][3];
}

#include "blur/pyramid/pyramid_frame.glsl"

// Stores rows @y to @end - 1 of the unit at @x. @row: of @y in the tile.
void go_up (int x, int y, int end, int row)
{
  Place place = place_of (y, height, coarse_height);
  // The number of output rows that are sums of the current four rows.
  int n = steps_from (place, height, coarse_height);

  find_taps (x);
  [[unroll]] for (int i = -1; i < 3; i++)
    next_row (place.whole + i - first.y);
  while (y < end) {
    for (int stop = min (y + n, end); y < stop; y++, row++)
      store_unit (0, x, y, row_weights[row]);
    place = passed (place, n, height, coarse_height);
    n = steps_to_next (place, height, coarse_height);
    next_row (place.whole + 2 - first.y);
  }
}

void main ()
{
  ivec2 at = ivec2 (int (gl_WorkGroupID.x) * section_columns * UNIT,
          (int (gl_WorkGroupID.y) + first_section) * section_rows);
  ivec2 end = min (at + ivec2 (section_columns * UNIT, section_rows),
          ivec2 (width, height));
  Place corner = place_of (at.y, height, coarse_height);
  int n_rows = max (section_rows * section_columns / THREADS, 1);       // of a thread
  int part = quotient (thread, section_columns);
  int x = at.x + (thread - part * section_columns) * UNIT;
  int row = part * n_rows;

  first = ivec2 (place_of (at.x, width, coarse_width).whole, corner.whole) - 1;
  count = ivec2 (place_of (end.x - 1, width, coarse_width).whole,
      place_of (end.y - 1, height, coarse_height).whole) + 3 - first;
  blurred_at = count.x * (count.y + 2 * RADIUS);
  for (int i = thread; i < section_rows; i += THREADS)
    row_weights[i] = FRAME_SCALE * spline_weights (advanced (corner, i, height,
            coarse_height), height);
  blur_rows ();
  barrier ();
  blur_columns ();
  barrier ();
  if (x < width && at.y + row < end.y)
    go_up (x, at.y + row, min (at.y + row + n_rows, end.y), row);
}
