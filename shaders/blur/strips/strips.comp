// SPDX-License-Identifier: LGPL-2.1-or-later
// The whole blur in one dispatch. A group marches down a strip of columns, with
// the row sums that its next outputs need in a ring in shared memory. In each
// step every thread filters some adjacent columns of a row, from memory through
// registers into the ring, then as many adjacent rows of a column, out of it: what
// it reads once serves all these outputs, either way.
//
// A column has four lanes, whose taps are COMPONENTS lanes apart: so all formats
// are one, and down the columns all lanes are alike. Of bytes it is a word of a
// row, and of values a pixel.
//
// Unrolled for a radius, what filters is straight-line code on registers, with
// weights that are push constants; but rows are rolled at periodic edges. Rolled, it
// serves any radius that the ring has room for. Both add the same products in the same
// order.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#ifdef HALF_SUMS
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_spirv_intrinsics : require
// RoundingModeRTE: to the nearest half.
spirv_execution_mode (extensions = ["SPV_KHR_float_controls"],
    capabilities = [4467], 4462, 16);
#endif
#include "core/shared.h"
#include "blur/shared.h"
#include "blur/strips/strips.h"

#ifdef HALF_SUMS
#define Sum f16vec4
#define Pair f16vec2
#define Weight uint
#define pack_pair packFloat2x16
#define unpack_pair unpackFloat2x16
#else
#define Sum vec4
#define Pair vec2
#define Weight float
#define pack_pair packHalf2x16
#define unpack_pair unpackHalf2x16
#endif

layout (constant_id = STRIPS_RADIUS) const int RADIUS = 1;
layout (constant_id = STRIPS_HAS_ALPHA) const bool HAS_ALPHA = false;
layout (constant_id = STRIPS_HAS_UNUSED) const bool HAS_UNUSED = false;
layout (constant_id = STRIPS_IS_FIRST) const bool IS_FIRST = false;
layout (constant_id = STRIPS_EDGES) const bool EDGES = true;
layout (constant_id = STRIPS_HALF) const bool HALF = true;
layout (constant_id = STRIPS_RING_ROWS) const uint RING_ROWS = 8;
layout (constant_id = STRIPS_SHARED_WORDS) const uint SHARED_WORDS = 1;
layout (constant_id = STRIPS_LINEAR) const bool LINEAR = false;
#if SAMPLE == SAMPLE_BYTE && COMPONENTS == 4
layout (constant_id = STRIPS_HOPES) const bool HOPES = false;
#else
// These pixels have no alpha, or are values. glslc knows this constant, and leaves out
// the march that takes pixels to be opaque.
const bool HOPES = false;
#endif
layout (constant_id = STRIPS_PERIODIC) const bool PERIODIC = false;
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

layout (push_constant) uniform Push { STRIPS_PUSH (uint, Weight) };

const bool UNROLLED = RADIUS > 0;
// Whether rows are summed chunk by chunk: columns beyond a periodic edge are others of
// the row, anywhere.
const bool ROWS_ROLLED = !UNROLLED || PERIODIC;
const int COLUMN_WORDS = STRIPS_COLUMN_WORDS (SAMPLE);
const int OUTPUTS = STRIPS_OUTPUTS (COLUMN_WORDS);
const uint COLUMNS = STRIPS_COLUMNS;
const uint STEP_ROWS = gl_WorkGroupSize.x / COLUMNS * OUTPUTS;
const uint RING = RING_ROWS * COLUMNS;
// Lane of alpha.
const int ALPHA = HAS_ALPHA ? 3 : -1;
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
// Free where alpha is not in the ring: whether some pixel was not opaque.
const uint SEEN_THROUGH = SHARED_WORDS - 1;

// Of the group:
uint source_at, target_at;      // where the plane begins
int strip;
uint begin, end;                // rows of its section
int columns;                    // of the plane
// Whether all pixels that are read are taken to be opaque, until the first that is
// not: alpha is summed but once then.
bool opaque;
vec4 opaque_scale;              // of sums, where it is

// Lanes of a column that are summed, which come first.
int
n_lanes ()
{
  return HAS_UNUSED || opaque ? 3 : 4;
}

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

#include "blur/words.glsl"
#include "blur/pixels.glsl"
#if SAMPLE_IS_VALUE (SAMPLE)
#include "blur/strips/strips_values.glsl"
#else
#include "blur/strips/strips_bytes.glsl"
#endif

// Of this thread:
Column held[HELD];              // columns of a row, as they come from memory
Column left_pixel, right_pixel; // of that row, for what is beyond its ends
Sum sums[OUTPUTS];

#if defined HALF_SUMS
#include "blur/strips/strips_half_sums.glsl"
#elif !SAMPLE_IS_VALUE (SAMPLE)
#include "blur/strips/strips_float_sums.glsl"
#endif

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

// A zero that compilers do not know to be one. Where what is added to zero is a product
// that another sum ends with, some add it there, too: it is rounded twice, and the bytes
// are not those of what serves a radius that it is not unrolled for.
float
hidden_zero ()
{
  return float (reach >> 31);
}

void
clear_sums ()
{
  // A thread's sums have the first product of one and the last of another in common.
  Sum zero = Sum (2 * RADIUS < OUTPUTS ? hidden_zero () : 0);

  [[unroll]] for (int o = 0; o < OUTPUTS; o++)
    sums[o] = zero;
}

int
radius_x ()
{
  return int (bitfieldExtract (reach, 0, 8));
}

// What distance @tap weighs, which is what is unrolled.
Sum
pushed_weight (int tap)
{
#ifdef HALF_SUMS
  return Sum (unpack_pair (weights[abs (tap)]).xyxy);
#else
  return Sum (weights[abs (tap)]);
#endif
}

// Sums of a row of which all is held. What is written here is what drivers
// unroll wholly: with fewer components, column by column was too much for one.
void
sum_held_row ()
{
  clear_sums ();
#if COMPONENTS == 4
  [[unroll]] for (int i = 0; i < HELD; i++) {
    Sum lanes = sample_of (held[i]);

    if (i >= APRON - RADIUS && i < APRON + OUTPUTS + RADIUS)
      note_alpha (held[i]);
    [[unroll]] for (int o = 0; o < OUTPUTS; o++)
      if (abs (i - APRON - o) <= RADIUS)
        sums[o] = fma (lanes, pushed_weight (i - APRON - o), sums[o]);
  }
#else
  spread_held ();
  [[unroll]] for (int tap = -RADIUS; tap <= RADIUS; tap++)
    [[unroll]] for (int o = 0; o < OUTPUTS; o++)
      sums[o] = fma (held_from (4 * (APRON + o) + tap * COMPONENTS),
          pushed_weight (tap), sums[o]);
#endif
}

// From the buffer.
Sum
weight_at (int at)
{
#ifdef HALF_SUMS
  return Sum (unpack_pair (floatBitsToUint (padded_weights[at])).xyxy);
#else
  return Sum (padded_weights[at]);
#endif
}

Sum
weight_x (int tap)
{
  return weight_at (int (STRIPS_WEIGHTS_X (bitfieldExtract (section, 2, 2)))
      + tap);
}

// Adds a column, which is so many right of the first sum's and @taps pixels
// besides, to all sums.
void
add_column (Column held_column, int column, int taps)
{
  Sum lanes = sample_of (held_column);

  note_alpha (held_column);
  [[unroll]] for (int o = 0; o < OUTPUTS; o++) {
#if COMPONENTS == 4
    sums[o] = fma (lanes, weight_x (taps + column - o), sums[o]);
#else
    [[unroll]] for (int from = 0; from < 4; from++) {
      int distance = 4 * (column - o) + from + BIAS;

      // Lanes of the sum that are whole pixels away.
      [[unroll]] for (int i = 0; i < (3 + COMPONENTS) / COMPONENTS; i++) {
        int to = distance % COMPONENTS + i * COMPONENTS;

        if (to < 4)
          sums[o][LANE (to)] = fma (lanes[LANE (from)], weight_x (taps
                  + (distance - to - BIAS) / COMPONENTS).x, sums[o][LANE (to)]);
      }
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
store_sum (uint row, uint column, Sum sum)
{
  uint at = row * COLUMNS + column;

  if (HALF) {
    sum = storable (sum);
    ring[at] = pack_pair (sum.xy);
    if (n_lanes () == 4)
      ring[at + RING] = pack_pair (sum.zw);
  } else {
    vec4 wide = vec4 (sum);

    ring[at] = floatBitsToUint (wide.x);
    ring[at + RING] = floatBitsToUint (wide.y);
    ring[at + 2 * RING] = floatBitsToUint (wide.z);
    if (n_lanes () == 4)
      ring[at + 3 * RING] = floatBitsToUint (wide.w);
  }
}

void
store_sums (uint row, uint column)
{
  [[unroll]] for (int o = 0; o < OUTPUTS; o++)
    store_sum (row, column + o, sums[o]);
  if (HALF && n_lanes () == 3)
    [[unroll]] for (int o = 0; o < OUTPUTS; o += 2)
      ring[pair_at (row, column + o)] =
          pack_pair (Pair (sums[o].z, sums[o + 1].z));
}

Sum
load_sum (uint row, uint column)
{
  uint at = row * COLUMNS + column;
  Sum sum = Sum (0);

  if (HALF) {
    sum.xy = unpack_pair (ring[at]);
    if (n_lanes () == 4) {
      sum.zw = unpack_pair (ring[at + RING]);
    } else {
      Pair pair = unpack_pair (ring[pair_at (row, column)]);
      sum.z = column % 2 == 0 ? pair.x : pair.y;
    }
  } else {
    vec4 wide = vec4 (uintBitsToFloat (uvec3 (ring[at], ring[at + RING],
                ring[at + 2 * RING])), 0);

    if (n_lanes () == 4)
      wide.w = uintBitsToFloat (ring[at + 3 * RING]);
    sum = Sum (wide);
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

Sum
weight_y (int tap)
{
  return UNROLLED ? pushed_weight (tap)
      : weight_at (int (STRIPS_WEIGHTS_Y (bitfieldExtract (section, 2, 2)))
      + tap);
}

void
add_row_to (int to, Sum row, int tap)
{
  if (!UNROLLED || abs (tap) <= RADIUS)
    sums[to] = fma (row, weight_y (tap), sums[to]);
}

// Adds a row of the ring that lies @below the first sum's, if any sum has a tap
// for it: others were perhaps never stored.
void
add_row (uint slot, uint column, int below)
{
  if (below < OUTPUTS + radius_y ()) {
    Sum row = load_sum (slot, column);

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

// --- opaque pixels ---

// What the share of alpha becomes where all pixels are opaque, in the order in which
// rows and columns are summed.
float
sum_of_opaque ()
{
  float row = 0, sum = hidden_zero ();

  for (int tap = -radius_x (); tap <= radius_x (); tap++)
    row = fma (1, float ((UNROLLED ? pushed_weight (tap)
                : weight_x (tap)).x), row);
  if (HALF)
    row = unpackHalf2x16 (packHalf2x16 (vec2 (row, 0))).x;
  for (int tap = -radius_y (); tap <= radius_y (); tap++)
    sum = fma (row, float (weight_y (tap).x), sum);
  return sum;
}

// --- the march ---

void
find_plane ()
{
  source_at = source_offset + gl_WorkGroupID.z * source_step;
  target_at = target_offset + gl_WorkGroupID.z * target_step;
  columns = (int (width) * COMPONENTS + 3) / 4;
}

void
find_section ()
{
  uint rows = bitfieldExtract (section, 4, 12);

  begin = (gl_WorkGroupID.y + (reach >> 16)) * rows;
  end = min (begin + rows, height);
  strip = int (gl_WorkGroupID.x);
  if (strip >= int (strips & 0xffff))
    strip += int (strips >> 16);
}

void
load_ahead (int column, int y)
{
  if (AHEAD && !ROWS_ROLLED)
    load_row (column, edge_index (y, int (height)));
}

// Sums of a row, which is there if it was loaded ahead, into the ring.
void
fill_slot (uint slot, int column, int y)
{
  forget_alpha ();
  if (ROWS_ROLLED) {
    sum_row (column, edge_index (y, int (height)));
  } else {
    if (!AHEAD)
      load_row (column, edge_index (y, int (height)));
    if (EDGES)
      repeat_edges (column);
    sum_held_row ();
  }
  store_sums (slot, uint (column) % COLUMNS);
  if (opaque && !was_opaque ())
    ring[SEEN_THROUGH] = 1;
}

// Does the group's outputs. False: no longer, for some pixels are not opaque.
bool
march ()
{
  // What this thread sums along rows, and down columns.
  uint thread = gl_LocalInvocationID.x;
  int row = int (thread * OUTPUTS / COLUMNS);
  int first_column = strip * int (COLUMNS) + int (thread * OUTPUTS % COLUMNS);
  int column = strip * int (COLUMNS) + int (thread % COLUMNS);
  uint below = thread / COLUMNS * OUTPUTS;
  // Steps that only fill the ring with what the first outputs need besides.
  int above = 2 * radius_y ();
  int ahead = (above + int (STEP_ROWS) - 1) / int (STEP_ROWS);

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
    if (opaque && ring[SEEN_THROUGH] != 0) {
      // The word is in the way of what is summed with alpha.
      barrier ();
      return false;
    }
    sum_columns (start, uint (column) % COLUMNS);
    store_outputs (column, uint (y) + below, end);
    start = advance (start, STEP_ROWS);
    barrier ();
  }
  return true;
}

// Of a pixel for each thread, which spares most groups that are not opaque an attempt.
bool
looks_opaque ()
{
  uint thread = gl_LocalInvocationID.x;
  uint row = begin + thread / COLUMNS * (end - begin) * COLUMNS / gl_WorkGroupSize.x;
  int column = strip * int (COLUMNS) + int (thread % COLUMNS);
  bool looks;

  forget_alpha ();
  note_alpha (load_column (word_of (column, 1, source_at
              + row * source_stride)));
  if (thread == 0)
    ring[SEEN_THROUGH] = 0;
  barrier ();
  if (!was_opaque ())
    ring[SEEN_THROUGH] = 1;
  barrier ();
  looks = ring[SEEN_THROUGH] == 0;
  barrier ();
  return looks;
}

void
main ()
{
  find_plane ();
  find_section ();
  if (HOPES && looks_opaque ()) {
    opaque = true;
    opaque_scale = scale_of_share (sum_of_opaque ());
    if (march ())
      return;
  }
  opaque = false;
  march ();
}
