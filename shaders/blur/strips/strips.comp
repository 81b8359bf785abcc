// SPDX-License-Identifier: LGPL-2.1-or-later
// The whole blur in one dispatch. A group marches down a strip of columns. A ring in shared
// memory has the row sums that its next outputs need. In each step, a thread first computes
// the row sums of some adjacent columns and stores them in the ring. Then it reads the ring
// and sums as many adjacent rows of one column. In both cases it loads each sample once for
// all its outputs.
//
// A column has four lanes, and the taps of a lane are COMPONENTS lanes apart. So the code is
// the same for all formats, and sums down columns are the same for all lanes. A column is a
// word of a row of bytes, two words of a row of codes of two bytes, or a pixel of values.
//
// If unrolled for a radius, the filters are straight-line code on registers, and weights are push
// constants; at periodic edges, only the sums down columns are unrolled. If rolled, the shader
// does any radius that the ring has room for. Both add the same products in the same order.
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
#include "blur/strips/shared.h"

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
layout (constant_id = STRIPS_EDGES) const bool EDGES = true;
layout (constant_id = STRIPS_HALF) const bool HALF = true;
layout (constant_id = STRIPS_RING_ROWS) const uint RING_ROWS = 8;
layout (constant_id = STRIPS_LINEAR) const bool LINEAR = false;
layout (constant_id = STRIPS_PERIODIC) const bool PERIODIC = false;

#include "blur/strips/strips_plane.glsl"

layout (std430, binding = STRIPS_SOURCE) readonly buffer SourceQuads
{
  uvec4 source_quads[];
};
layout (std430, binding = STRIPS_WEIGHTS) readonly buffer Weights
{
  float padded_weights[];
};
layout (std430, binding = STRIPS_LIGHT) readonly buffer Light
{
  float light[];
};

const bool UNROLLED = RADIUS > 0;
// Whether rows are summed in a loop over chunks. At periodic edges they are, as a column
// beyond the edge can be any other column of the row.
const bool ROWS_ROLLED = !UNROLLED || PERIODIC;
const int OUTPUTS = STRIPS_OUTPUTS (COLUMN_WORDS);
const uint COLUMNS = STRIPS_COLUMNS;
const uint STEP_ROWS = gl_WorkGroupSize.x / COLUMNS * OUTPUTS;
const uint RING = RING_ROWS * COLUMNS;
// The lane of alpha.
const int ALPHA = HAS_ALPHA ? 3 : -1;
// Columns of a quad: four words, which are loaded at once.
const int QUAD = 4 / COLUMN_WORDS;
// The columns of a chunk, which has whole pixels and whole quads.
const int CHUNK = COMPONENTS == 3 ? 12 : 4;
const int CHUNK_PIXELS = 4 * CHUNK / COMPONENTS;
// The columns on each side that an unrolled filter reads, in whole quads.
const int APRON = (RADIUS * COMPONENTS + 4 * QUAD - 1) / (4 * QUAD) * QUAD;
const int HELD = UNROLLED ? 2 * APRON + OUTPUTS : CHUNK;
// Whether the next row is loaded before columns are summed. Its registers are then in use
// during these sums.
const bool AHEAD = HELD * COLUMN_WORDS <= 128;

vec4 opaque_scale;              // the scale of sums if opaque

// Returns the number of lanes that are summed; these come first in a column.
int n_lanes ()
{
  return HAS_UNUSED || opaque ? 3 : 4;
}

#include "blur/words.glsl"
#include "blur/pixels.glsl"
#if SAMPLE == SAMPLE_BYTE
#include "blur/strips/strips_bytes.glsl"
#elif SAMPLE_IS_VALUE (SAMPLE)
#include "blur/strips/strips_values.glsl"
#else
#include "blur/strips/strips_shorts.glsl"
#endif

// The state of this thread:
Column held[HELD];              // columns of a row, as loaded from memory
Column left_pixel, right_pixel; // end pixels of that row, for columns beyond its ends
Sum sums[OUTPUTS];

#include "blur/strips/strips_sums.glsl"

// --- columns from memory ---

// Returns the column, or another one inside the plane if it is beyond the edges.
uint safe_column (int column, int n)
{
  return uint (EDGES ? clamp (column, 0, columns - n) : column);
}

void load_quad (int to, int column, uint row_at)
{
  uint at = row_at + safe_column (column, QUAD) * COLUMN_WORDS;
  uvec4 quad = source_quads[at / 4];

  [[unroll]] for (int i = 0; i < QUAD; i++)
    held[to + i] = column_of_quad (quad, i);
}

bool is_in_quads (uint row_at)
{
  return ((EDGES ? row_at | row_words () : row_at) & 3) == 0;
}

// Loads the columns of a row that an unrolled filter needs. Row -1 is black.
void load_row (int column, int row)
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
      held[i] = load_column (safe_column (first + i, 1), row_at);
  }
  if (EDGES && edge_mode () == BLUR_EDGE_CLAMP) {
    left_pixel = pixel_at (0, row_at);
    right_pixel = pixel_at (width - 1, row_at);
  }
}

void repeat_edges (int column)
{
  [[unroll]] for (int i = 0; i < HELD; i++)
    held[i] = with_edges (held[i], column - APRON + i, left_pixel,
        right_pixel);
}

// Loads a chunk of a row, which may be beyond the edges.
void load_chunk (int column, int row)
{
  uint row_at = source_at + uint (row) * source_stride;

  if (row >= 0 && column >= 0
      && 4 * (column + CHUNK) <= int (width) * COMPONENTS) {
    [[unroll]] for (int i = 0; i < CHUNK; i++)
      held[i] = load_column (uint (column + i), row_at);
  } else {
    for (int i = 0; i < CHUNK; i++)
      held[i] = row < 0 ? black_column ()
          : column_anywhere (column + i, row_at);
  }
}

// --- along rows ---

// Returns 0, in a form that compilers cannot recognise. Some compilers share the product of 0 +
// product with another sum that ends with the same product. It is then rounded twice, and the
// bytes differ from those of kernels that are rolled, or unrolled for another radius.
float hidden_zero ()
{
  return float (reach >> 31);
}

void clear_sums ()
{
  // Only then is the first product of one sum also the last product of another.
  Sum zero = Sum (2 * RADIUS < OUTPUTS ? hidden_zero () : 0);

  [[unroll]] for (int o = 0; o < OUTPUTS; o++)
    sums[o] = zero;
}

// Returns the weight of distance @tap from the push constants, for unrolled kernels.
Sum pushed_weight (int tap)
{
#ifdef HALF_SUMS
  return Sum (unpack_pair (weights[abs (tap)]).xyxy);
#else
  return Sum (weights[abs (tap)]);
#endif
}

// Compute the row sums from the held columns, which are pixels or not. The loops have the
// form that all drivers unroll fully: with fewer components, a loop over columns was too much
// for one of them.

void sum_held_pixels ()
{
  [[unroll]] for (int i = 0; i < HELD; i++) {
    Sum lanes = sample_of (held[i]);

    if (i >= APRON - RADIUS && i < APRON + OUTPUTS + RADIUS)
      note_alpha (held[i]);
    [[unroll]] for (int o = 0; o < OUTPUTS; o++)
      if (abs (i - APRON - o) <= RADIUS)
        sums[o] = fma (lanes, pushed_weight (i - APRON - o), sums[o]);
  }
}

void sum_held_lanes ()
{
  spread_held ();
  [[unroll]] for (int tap = -RADIUS; tap <= RADIUS; tap++)
    [[unroll]] for (int o = 0; o < OUTPUTS; o++)
      sums[o] = fma (held_from (4 * (APRON + o) + tap * COMPONENTS),
          pushed_weight (tap), sums[o]);
}

void sum_held_row ()
{
  clear_sums ();
  if (COMPONENTS == 4)
    sum_held_pixels ();
  else
    sum_held_lanes ();
}

// Returns a weight from the buffer.
Sum weight_at (int at)
{
#ifdef HALF_SUMS
  return Sum (unpack_pair (floatBitsToUint (padded_weights[at])).xyxy);
#else
  return Sum (padded_weights[at]);
#endif
}

Sum weight_x (int tap)
{
  return weight_at (int (STRIPS_WEIGHTS_X (bitfieldExtract (section, 2, 2)))
      + tap);
}

// Adds a column to all sums. It is @column columns and @taps pixels to the right of the
// first sum's column.
void add_column (Column held_column, int column, int taps)
{
  Sum lanes = sample_of (held_column);

  note_alpha (held_column);
  [[unroll]] for (int o = 0; o < OUTPUTS; o++) {
    if (COMPONENTS == 4) {
      sums[o] = fma (lanes, weight_x (taps + column - o), sums[o]);
      continue;
    }
    [[unroll]] for (int from = 0; from < 4; from++) {
      int distance = 4 * (column - o) + from + BIAS;

      // Only the lanes of the sum at a distance of whole pixels.
      [[unroll]] for (int i = 0; i < (3 + COMPONENTS) / COMPONENTS; i++) {
        int to = distance % COMPONENTS + i * COMPONENTS;

        if (to < 4)
          sums[o][LANE (to)] = fma (lanes[LANE (from)], weight_x (taps
                  + (distance - to - BIAS) / COMPONENTS).x, sums[o][LANE (to)]);
      }
    }
  }
}

// Computes the sums of a row. Its columns may be beyond the edges.
void sum_row (int column, int row)
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

// Returns the word of the third lanes of two columns, if there are only three lanes.
uint pair_at (uint row, uint column)
{
  return RING + (row * COLUMNS + column) / 2;
}

void store_sum (uint row, uint column, Sum sum)
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

void store_sums (uint row, uint column)
{
  [[unroll]] for (int o = 0; o < OUTPUTS; o++)
    store_sum (row, column + o, sums[o]);
  if (HALF && n_lanes () == 3)
    [[unroll]] for (int o = 0; o < OUTPUTS; o += 2)
      ring[pair_at (row, column + o)] =
          pack_pair (Pair (sums[o].z, sums[o + 1].z));
}

Sum load_sum (uint row, uint column)
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

uint advance (uint slot, uint n)
{
  return slot + n < RING_ROWS ? slot + n : slot + n - RING_ROWS;
}

// --- down columns ---

int radius_y ()
{
  return UNROLLED ? RADIUS : int (bitfieldExtract (reach, 8, 8));
}

Sum weight_y (int tap)
{
  return UNROLLED ? pushed_weight (tap)
      : weight_at (int (STRIPS_WEIGHTS_Y (bitfieldExtract (section, 2, 2)))
      + tap);
}

void add_row_to (int to, Sum row, int tap)
{
  if (!UNROLLED || abs (tap) <= RADIUS)
    sums[to] = fma (row, weight_y (tap), sums[to]);
}

// Adds a row of the ring to the sums. @below: its distance below the first sum's row. Rows
// that no sum needs are skipped, as they may never have been stored.
void add_row (uint slot, uint column, int below)
{
  if (below < OUTPUTS + radius_y ()) {
    Sum row = load_sum (slot, column);

    [[unroll]] for (int o = 0; o < OUTPUTS; o++)
      add_row_to (o, row, below - o);
  }
}

void add_rows (uint slot, uint column, int below)
{
  [[unroll]] for (int i = 0; i < OUTPUTS; i++)
    add_row (slot + i, column, below + i);
}

// Sums OUTPUTS rows of a column. @slot: the row of the ring of the first sum's first tap, a
// multiple of OUTPUTS.
void sum_columns (uint slot, uint column)
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

void store_outputs (int column, uint y, uint end)
{
  if (column < columns)
    [[unroll]] for (int o = 0; o < OUTPUTS; o++)
      if (y + o < end)
        store_column (column, target_at + (y + o) * target_stride,
            column_of (sums[o]));
}

// --- opaque pixels ---

// Returns the sum of alpha if all pixels are opaque. It adds in the same order as the sums
// of rows and columns, and so rounds in the same way.
float sum_of_opaque ()
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

void load_ahead (int column, int y)
{
  if (AHEAD && !ROWS_ROLLED)
    load_row (column, edge_index (y, int (height)));
}

// Stores the sums of a row in the ring. The row was loaded before if AHEAD.
void fill_slot (uint slot, int column, int y)
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

int own_strip ()
{
  int strip = int (gl_WorkGroupID.x);

  return strip < int (strips & 0xffff) ? strip : strip + int (strips >> 16);
}

int own_column ()
{
  return own_strip () * int (COLUMNS) + int (gl_LocalInvocationID.x % COLUMNS);
}

// Computes the outputs of the group. Returns FALSE if opaque was assumed but some pixel is
// not: the caller must start again.
bool march ()
{
  // The row and columns that this thread sums along rows, and the column that it sums down.
  uint thread = gl_LocalInvocationID.x;
  int row = int (thread * OUTPUTS / COLUMNS);
  int first_column = own_strip () * int (COLUMNS)
      + int (thread * OUTPUTS % COLUMNS);
  int column = own_column ();
  uint below = thread / COLUMNS * OUTPUTS;
  // The first steps only fill the ring with the rows above that the first outputs need.
  int above = 2 * radius_y ();
  int ahead = (above + int (STEP_ROWS) - 1) / int (STEP_ROWS);

  row += above - ahead * int (STEP_ROWS);
  int top = int (begin) - radius_y ();  // where row 0 of the ring is
  uint fill = uint (row + int (RING_ROWS)) % RING_ROWS;
  uint start = below;
  if (opaque)
    opaque_scale = scale_of_share (sum_of_opaque ());
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
      // All threads must read the word before sums with alpha overwrite it.
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

#include "blur/strips/strips_main.glsl"
