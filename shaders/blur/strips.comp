// SPDX-License-Identifier: LGPL-2.1-or-later
// The whole blur in one dispatch. A group marches down a strip of columns, with
// the row sums that its next outputs need in a ring in shared memory. In each
// step every thread filters some adjacent columns of a row, from memory through
// registers into the ring, then as many adjacent rows of a column, out of it: what
// it reads once serves all these outputs, either way.
//
// A column has four lanes, whose taps are COMPONENTS lanes apart: so all formats
// are one, and down the columns all lanes are alike. Of bytes it is a word of a
// row, and of values (VALUE_WORDS) a pixel.
//
// Unrolled for a radius, what filters is straight-line code on registers, with
// weights that are push constants. Rolled, it serves any radius that the ring has
// room for. Both add the same products in the same order.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "blur/shared.h"
#include "blur/strips.h"

layout (constant_id = STRIPS_RADIUS) const int RADIUS = 1;
layout (constant_id = STRIPS_ALPHA) const int ALPHA = -1;
layout (constant_id = STRIPS_UNUSED) const int UNUSED = -1;
layout (constant_id = STRIPS_EDGES) const bool EDGES = true;
layout (constant_id = STRIPS_HALF) const bool HALF = true;
layout (constant_id = STRIPS_RING_ROWS) const uint RING_ROWS = 8;
layout (constant_id = STRIPS_SHARED_WORDS) const uint SHARED_WORDS = 1;
layout (constant_id = STRIPS_LINEAR) const bool LINEAR = false;
layout (local_size_x_id = STRIPS_THREADS) in;

layout (std430, binding = STRIPS_SOURCE) readonly buffer Source
{
  uint source[];
};
layout (std430, binding = STRIPS_SOURCE) readonly buffer SourceQuads
{
  uvec4 source_quads[];
};
layout (std430, binding = STRIPS_TARGET) writeonly buffer Target
{
  uint target[];
};
layout (std430, binding = STRIPS_WEIGHTS) readonly buffer Weights
{
  float padded_weights[];
};
layout (std430, binding = STRIPS_LIGHT) readonly buffer Light
{
  float light[];
};

layout (push_constant) uniform Push { STRIPS_PUSH (uint, float) };

const bool UNROLLED = RADIUS > 0;
#ifdef VALUE_WORDS
#define COMPONENTS 4
const int OUTPUTS = STRIPS_OUTPUTS_OF_VALUES;
const int COLUMN_WORDS = VALUE_WORDS;
#else
const int OUTPUTS = STRIPS_OUTPUTS_OF_BYTES;
const int COLUMN_WORDS = 1;
#endif
const uint COLUMNS = STRIPS_COLUMNS;
const uint STEP_ROWS = gl_WorkGroupSize.x / COLUMNS * OUTPUTS;
const uint RING = RING_ROWS * COLUMNS;
// Lanes of a column that have something in them; one that has not comes last.
const int LANES = UNUSED < 0 ? 4 : 3;
// Columns of a quad, which is what is loaded at once.
const int QUAD = 4 / COLUMN_WORDS;
// Columns that hold whole pixels and whole quads.
const int CHUNK = COMPONENTS == 3 ? 12 : 4;
const int CHUNK_PIXELS = 4 * CHUNK / COMPONENTS;
// Columns to either side that an unrolled filter reaches, in whole quads.
const int APRON = (RADIUS * COMPONENTS + 4 * QUAD - 1) / (4 * QUAD) * QUAD;
const int HELD = UNROLLED ? 2 * APRON + OUTPUTS : CHUNK;
// Whether a row is loaded before columns are summed: while they are, it takes
// that many registers.
const bool AHEAD = HELD * COLUMN_WORDS <= 128;
// A multiple of all COMPONENTS, to keep % and / from negative numbers.
const int BIAS = 12 * 1024;

shared uint ring[SHARED_WORDS];

// Of the group:
uint source_at, target_at;      // where the plane begins
int columns;                    // of the plane
bool rolled;                    // whether rows are summed chunk by chunk

int
edge_mode ()
{
  return int (section & 3);
}

#include "blur/edges.glsl"

int
edge_index (int i, int n)
{
  return edge_index (i, n, uint (edge_mode ()));
}

#include "pixels.glsl"
#ifdef VALUE_WORDS
#include "strips_values.glsl"
#else
#include "strips_bytes.glsl"
#endif

// Of this thread:
Column held[HELD];              // columns of a row, as they come from memory
Column left_pixel, right_pixel; // of that row, for what is beyond its ends
vec4 sums[OUTPUTS];

// --- columns from memory ---

// The column itself, or some other where it is beyond the edges.
uint
safe_column (int column, int n)
{
  return uint (EDGES ? clamp (column, 0, columns - n) : column);
}

uint
word_of (int column, int n, uint row_at)
{
  return row_at + safe_column (column, n) * COLUMN_WORDS;
}

void
load_quad (int to, int column, uint row_at)
{
  uvec4 quad = source_quads[word_of (column, QUAD, row_at) / 4];

  [[unroll]] for (int i = 0; i < QUAD; i++)
    held[to + i] = column_of_quad (quad, i);
}

bool
is_in_quads (uint row_at)
{
  return ((EDGES ? row_at | uint (columns * COLUMN_WORDS) : row_at) & 3) == 0;
}

// All that an unrolled filter needs of a row, or, for row -1, of a black one.
void
load_row (int column, int row)
{
  uint row_at = source_at + uint (row) * source_stride;
  int first = column - APRON;

  left_pixel = right_pixel = black_pixel ();
  if (row < 0) {
    [[unroll]] for (int i = 0; i < HELD; i++)
      held[i] = black_column ();
    return;
  }
  if (is_in_quads (row_at)) {
    [[unroll]] for (int i = 0; i < HELD; i += QUAD)
      load_quad (i, first + i, row_at);
  } else {
    [[unroll]] for (int i = 0; i < HELD; i++)
      held[i] = load_column (word_of (first + i, 1, row_at));
  }
  if (EDGES && edge_mode () == BLUR_EDGE_CLAMP) {
    left_pixel = pixel_at (0, row_at);
    right_pixel = pixel_at (width - 1, row_at);
  }
}

void
repeat_edges (int column)
{
  [[unroll]] for (int i = 0; i < HELD; i++)
    held[i] = with_edges (held[i], column - APRON + i, left_pixel,
        right_pixel);
}

// A chunk of a row, wherever it is.
void
load_chunk (int column, int row)
{
  uint row_at = source_at + uint (row) * source_stride;

  if (row >= 0 && column >= 0
      && 4 * (column + CHUNK) <= int (width) * COMPONENTS) {
    [[unroll]] for (int i = 0; i < CHUNK; i++)
      held[i] = load_column (row_at + uint (column + i) * COLUMN_WORDS);
  } else {
    for (int i = 0; i < CHUNK; i++)
      held[i] = row < 0 ? black_column ()
          : column_anywhere (column + i, row_at);
  }
}

// --- along rows ---

void
clear_sums ()
{
  [[unroll]] for (int o = 0; o < OUTPUTS; o++)
    sums[o] = vec4 (0);
}

int
radius_x ()
{
  return int (bitfieldExtract (reach, 0, 8));
}

// Sums of a row of which all is held. What is written here is what drivers
// unroll wholly: with fewer components, column by column was too much for one.
void
sum_held_row ()
{
  clear_sums ();
#if COMPONENTS == 4
  [[unroll]] for (int i = 0; i < HELD; i++) {
    vec4 lanes = sample_of (held[i]);

    [[unroll]] for (int o = 0; o < OUTPUTS; o++)
      if (abs (i - APRON - o) <= RADIUS)
        sums[o] = fma (lanes, vec4 (weights[abs (i - APRON - o)]), sums[o]);
  }
#else
  float samples[4 * HELD];

  [[unroll]] for (int i = 0; i < HELD; i++) {
    vec4 lanes = sample_of (held[i]);

    [[unroll]] for (int lane = 0; lane < 4; lane++)
      samples[4 * i + lane] = lanes[lane];
  }
  [[unroll]] for (int tap = -RADIUS; tap <= RADIUS; tap++)
    [[unroll]] for (int o = 0; o < OUTPUTS; o++)
      [[unroll]] for (int lane = 0; lane < 4; lane++)
        sums[o][lane] = fma (samples[4 * (APRON + o) + lane
                + tap * COMPONENTS], weights[abs (tap)], sums[o][lane]);
#endif
}

float
weight_x (int tap)
{
  return padded_weights[STRIPS_WEIGHTS_X (bitfieldExtract (section, 2, 2))
      + tap];
}

// Adds a column, which is so many right of the first sum's and @taps pixels
// besides, to all sums.
void
add_column (Column held_column, int column, int taps)
{
  vec4 lanes = sample_of (held_column);

  [[unroll]] for (int o = 0; o < OUTPUTS; o++) {
#if COMPONENTS == 4
    sums[o] = fma (lanes, vec4 (weight_x (taps + column - o)), sums[o]);
#else
    [[unroll]] for (int from = 0; from < 4; from++)
      [[unroll]] for (int to = 0; to < 4; to++) {
        int distance = 4 * (column - o) + from - to + BIAS;

        if (distance % COMPONENTS == 0)
          sums[o][to] = fma (lanes[from], weight_x (taps
                  + (distance - BIAS) / COMPONENTS), sums[o][to]);
      }
#endif
  }
}

// Sums of any row, where columns may be anywhere.
void
sum_row (int column, int row)
{
  int chunks = (radius_x () + CHUNK_PIXELS - 1) / CHUNK_PIXELS;

  clear_sums ();
  for (int chunk = -chunks; chunk * CHUNK < OUTPUTS + chunks * CHUNK; chunk++) {
    load_chunk (column + chunk * CHUNK, row);
    [[unroll]] for (int i = 0; i < CHUNK; i++)
      add_column (held[i], i, chunk * CHUNK_PIXELS);
  }
}

// --- the ring ---

// Where the third lanes of two columns are, if there are but three.
uint
pair_at (uint row, uint column)
{
  return RING + (row * COLUMNS + column) / 2;
}

void
store_sum (uint row, uint column, vec4 sum)
{
  uint at = row * COLUMNS + column;

  if (HALF) {
    sum = storable (sum);
    ring[at] = packHalf2x16 (sum.xy);
    if (LANES == 4)
      ring[at + RING] = packHalf2x16 (sum.zw);
  } else {
    ring[at] = floatBitsToUint (sum.x);
    ring[at + RING] = floatBitsToUint (sum.y);
    ring[at + 2 * RING] = floatBitsToUint (sum.z);
    if (LANES == 4)
      ring[at + 3 * RING] = floatBitsToUint (sum.w);
  }
}

void
store_sums (uint row, uint column)
{
  [[unroll]] for (int o = 0; o < OUTPUTS; o++)
    store_sum (row, column + o, sums[o]);
  if (HALF && LANES == 3)
    [[unroll]] for (int o = 0; o < OUTPUTS; o += 2)
      ring[pair_at (row, column + o)] =
          packHalf2x16 (vec2 (sums[o].z, sums[o + 1].z));
}

vec4
load_sum (uint row, uint column)
{
  uint at = row * COLUMNS + column;
  vec4 sum = vec4 (0);

  if (HALF) {
    sum.xy = unpackHalf2x16 (ring[at]);
    if (LANES == 4) {
      sum.zw = unpackHalf2x16 (ring[at + RING]);
    } else {
      vec2 pair = unpackHalf2x16 (ring[pair_at (row, column)]);
      sum.z = column % 2 == 0 ? pair.x : pair.y;
    }
  } else {
    sum.xyz = uintBitsToFloat (uvec3 (ring[at], ring[at + RING],
            ring[at + 2 * RING]));
    if (LANES == 4)
      sum.w = uintBitsToFloat (ring[at + 3 * RING]);
  }
  return sum;
}

uint
advance (uint slot, uint n)
{
  return slot + n < RING_ROWS ? slot + n : slot + n - RING_ROWS;
}

// --- down columns ---

int
radius_y ()
{
  return UNROLLED ? RADIUS : int (bitfieldExtract (reach, 8, 8));
}

float
weight_y (int tap)
{
  return UNROLLED ? weights[abs (tap)]
      : padded_weights[STRIPS_WEIGHTS_Y (bitfieldExtract (section, 2, 2))
      + tap];
}

void
add_row_to (int to, vec4 row, int tap)
{
  if (!UNROLLED || abs (tap) <= RADIUS)
    sums[to] = fma (row, vec4 (weight_y (tap)), sums[to]);
}

// Adds a row of the ring that lies @below the first sum's, if any sum has a tap
// for it: others were perhaps never stored.
void
add_row (uint slot, uint column, int below)
{
  if (below < OUTPUTS + radius_y ()) {
    vec4 row = load_sum (slot, column);

    [[unroll]] for (int o = 0; o < OUTPUTS; o++)
      add_row_to (o, row, below - o);
  }
}

void
add_rows (uint slot, uint column, int below)
{
  [[unroll]] for (int i = 0; i < OUTPUTS; i++)
    add_row (slot + i, column, below + i);
}

// @slot: of the first row that the first sum has a tap for, a multiple of OUTPUTS.
void
sum_columns (uint slot, uint column)
{
  clear_sums ();
  if (UNROLLED) {
    [[unroll]] for (int i = -RADIUS; i < OUTPUTS + RADIUS; i += OUTPUTS) {
      add_rows (slot, column, i);
      slot = advance (slot, OUTPUTS);
    }
  } else {
    for (int i = -radius_y (); i < OUTPUTS + radius_y (); i += OUTPUTS) {
      add_rows (slot, column, i);
      slot = advance (slot, OUTPUTS);
    }
  }
}

void
store_outputs (int column, uint y, uint end)
{
  if (column < columns)
    [[unroll]] for (int o = 0; o < OUTPUTS; o++)
      if (y + o < end)
        store_column (column, target_at + (y + o) * target_stride, sums[o]);
}

// --- the march ---

void
find_plane ()
{
  source_at = source_offset + gl_WorkGroupID.z * source_step;
  target_at = target_offset + gl_WorkGroupID.z * target_step;
  columns = (int (width) * COMPONENTS + 3) / 4;
  rolled = !UNROLLED || (EDGES && (edge_mode () == BLUR_EDGE_MIRROR
          || edge_mode () == BLUR_EDGE_WRAP));
}

void
load_ahead (int column, int y)
{
  if (AHEAD && !rolled)
    load_row (column, edge_index (y, int (height)));
}

// Sums of a row, which is there if it was loaded ahead, into the ring.
void
fill_slot (uint slot, int column, int y)
{
  if (rolled) {
    sum_row (column, edge_index (y, int (height)));
  } else {
    if (!AHEAD)
      load_row (column, edge_index (y, int (height)));
    if (EDGES)
      repeat_edges (column);
    sum_held_row ();
  }
  store_sums (slot, uint (column) % COLUMNS);
}

void
main ()
{
  int strip = int (gl_WorkGroupID.x);
  if (strip >= int (strips & 0xffff))
    strip += int (strips >> 16);
  uint section_rows = section >> 16;
  uint begin = (gl_WorkGroupID.y + (reach >> 16)) * section_rows;
  uint end = min (begin + section_rows, height);
  // What this thread sums along rows, and down columns.
  uint thread = gl_LocalInvocationID.x;
  int row = int (thread * OUTPUTS / COLUMNS);
  int first_column = strip * int (COLUMNS) + int (thread * OUTPUTS % COLUMNS);
  int column = strip * int (COLUMNS) + int (thread % COLUMNS);
  uint below = thread / COLUMNS * OUTPUTS;
  // Steps that only fill the ring with what the first outputs need besides.
  int above = 2 * radius_y ();
  int ahead = (above + int (STEP_ROWS) - 1) / int (STEP_ROWS);

  find_plane ();
  row += above - ahead * int (STEP_ROWS);
  int top = int (begin) - radius_y ();  // where row 0 of the ring is
  uint fill = uint (row + int (RING_ROWS)) % RING_ROWS;
  uint start = below;
  load_ahead (first_column, top + row);
  for (int y = int (begin) - ahead * int (STEP_ROWS); y < int (end);
      y += int (STEP_ROWS)) {
    if (row >= 0)
      fill_slot (fill, first_column, top + row);
    fill = advance (fill, STEP_ROWS);
    row += int (STEP_ROWS);
    if (y + int (STEP_ROWS) < int (end))
      load_ahead (first_column, top + row);
    if (y < int (begin))
      continue;
    barrier ();
    sum_columns (start, uint (column) % COLUMNS);
    store_outputs (column, uint (y) + below, end);
    start = advance (start, STEP_ROWS);
    barrier ();
  }
}
