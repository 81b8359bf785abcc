// SPDX-License-Identifier: LGPL-2.1-or-later
// The whole blur in one pass that shares nothing, for small radii: a thread walks down
// adjacent columns. Of each row it loads every pixel that these need once, sums along the
// row, and adds the sums to all outputs that are unfinished. For CPU devices, where a load
// from shared memory or a store takes longer than the arithmetic on a pixel.
#extension GL_EXT_control_flow_attributes : require
#include "plane.glsl"

layout (constant_id = BLUR_UNROLLED) const int RADIUS = 1;
layout (constant_id = BLUR_COLUMNS) const int COLUMNS = 4;
layout (constant_id = BLUR_FOURS) const bool FOURS = false;

layout (std430, binding = BLUR_SOURCE_FOURS) readonly buffer SourceFours
{
  uvec4 source_fours[];
};

const int LOADED = COLUMNS + 2 * RADIUS;        // pixels of a row

// Pixels are loaded in blocks: a block is what four words have, or a pixel.
const int BLOCK = FOURS ? BLUR_PIXELS_PER_BLOCK (int (PIXEL_BYTES)) : 1;
const int REACHED = (RADIUS + BLOCK - 1) / BLOCK;       // blocks beside the columns
const int BLOCKS = COLUMNS / BLOCK + 2 * REACHED;

#ifdef EXACT
#define Weight uint
#else
#define Weight float
#endif

// Where a block is that is needed.
struct Block
{
  int at;                       // in a row
  bool is_turned;               // the order of its pixels is the other one
  bool is_uniform;              // then its pixels are as the first one, or black
};

// The state of this thread:
Block blocks[BLOCKS];
Weight weights_of_row[RADIUS + 1];
Weight weights_of_column[RADIUS + 1];
Sample unfinished[2 * RADIUS * COLUMNS];        // outputs, oldest first
Sample sums[COLUMNS];           // along a row, then finished outputs

Weight weight_at (uint at, uint distance, uint radius)
{
#ifdef EXACT
  return distance <= radius ? ~0u : 0;
#else
  return distance <= radius ? weights[at + distance] : 0;
#endif
}

void add (inout Sample sum, Weight weight, Sample value)
{
  [[unroll]] for (int i = 0; i < COMPONENTS; i++)
    if (i != UNUSED)
#ifdef EXACT
      sum[i] += weight & value[i];
#else
      sum[i] = fma (weight, value[i], sum[i]);
#endif
}

// Finds the block whose first pixel is in column @x, which may be beyond an edge. There, too,
// the pixels of a block are those of one other block, as rows have whole blocks.
Block find_block (int x)
{
  int first = edge_index (x, int (width));
  int last = edge_index (x + BLOCK - 1, int (width));

  return Block (max (min (first, last), 0) / BLOCK,
      last < first || BLOCK > 1 && last == first && x > 0,
      BLOCK > 1 && last == first || first < 0);
}

void begin (int x)
{
  [[unroll]] for (int i = 0; i < BLOCKS; i++)
    blocks[i] = find_block (x + (i - REACHED) * BLOCK);
  [[unroll]] for (int i = 0; i <= RADIUS; i++) {
    weights_of_row[i] = weight_at (weights_x, i, radius_x);
    weights_of_column[i] = weight_at (weights_y, i, radius_y);
  }
  [[unroll]] for (int i = 0; i < 2 * RADIUS * COLUMNS; i++)
    unfinished[i] = Sample (0);
}

// Returns the words of a block with its pixels in the other order.
uvec4 turn (uvec4 four)
{
  if (PIXEL_BYTES == 1)
    four = four << 24 | (four & 0xff00) << 8 | four >> 8 & 0xff00 | four >> 24;
  if (PIXEL_BYTES == 2)
    four = four << 16 | four >> 16;
  return PIXEL_BYTES > 8 ? four : PIXEL_BYTES > 4 ? four.zwxy : four.wzyx;
}

// Returns the words of a block of pixels as the first one of a block.
uvec4 repeat_first (uvec4 four)
{
  if (PIXEL_BYTES == 1)
    return uvec4 ((four.x & 255) * 0x1010101);
  if (PIXEL_BYTES == 2)
    return uvec4 ((four.x & 0xffff) * 0x10001);
  return PIXEL_BYTES > 8 ? four : PIXEL_BYTES > 4 ? four.xyxy : four.xxxx;
}

uvec4 black_block ()
{
  uvec4 words = black_four (black);

  return PIXEL_BYTES > 4 ? words.xyxy : words.xxxx;
}

// Returns a block of a row, which is -1 if it is black.
uvec4 load_block (Block block, int row)
{
  uint row_at = source_offset + uint (max (row, 0)) * source_stride;

  if (!FOURS)
    return mix (load_pixel (uint (block.at), row_at), black_four (black),
        bvec4 (block.is_uniform || row < 0));

  uvec4 four = source_fours[row_at / 4 + uint (block.at)];
  four = mix (four, turn (four), bvec4 (block.is_turned));
  uvec4 uniform_four = edge == BLUR_EDGE_BLACK ? black_block ()
      : repeat_first (four);
  return mix (four, uniform_four, bvec4 (block.is_uniform || row < 0));
}

// Returns the words of pixel @i of a block.
uvec4 words_of (uvec4 block, int i)
{
  if (!FOURS || PIXEL_BYTES > 8)
    return block;
  if (PIXEL_BYTES > 4)
    return i == 0 ? block : block.zwxy;
  uint shift = uint (i) * PIXEL_BYTES % 4 * 8;
  uint word = block[i * int (PIXEL_BYTES) / 4] >> shift;
  return uvec4 (PIXEL_BYTES < 4 ? word & (1u << 8 * PIXEL_BYTES % 32) - 1 : word,
      0, 0, 0);
}

// Computes the sums along row @y.
void sum_row (int y)
{
  int row = edge_index (y, int (height));
  uvec4 words[BLOCKS];

  // All of them before any sum: Mesa's CPU device calls a function for each load, before
  // which it saves all registers.
  [[unroll]] for (int i = 0; i < BLOCKS; i++)
    words[i] = load_block (blocks[i], row);
  [[unroll]] for (int c = 0; c < COLUMNS; c++)
    sums[c] = Sample (0);
  [[unroll]] for (int i = 0; i < LOADED; i++) {
    int at = REACHED * BLOCK - RADIUS + i;      // from the first block
    Sample pixel = sample_of_words (words_of (words[at / BLOCK], at % BLOCK));

    [[unroll]] for (int c = 0; c < COLUMNS; c++)
      if (abs (i - c - RADIUS) <= RADIUS)
        add (sums[c], weights_of_row[abs (i - c - RADIUS)], pixel);
  }
}

// Adds the next row sum of column @c, and returns the output that it finishes.
Sample add_to_column (int c, Sample sum)
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

Sample output_of (Sample sum)
{
#ifdef EXACT
  return finish (Total (uvec2[4] (uvec2 (sum.x, 0), uvec2 (sum.y, 0),
          uvec2 (sum.z, 0), uvec2 (sum.w, 0))));
#else
  return finish (Total (sum));
#endif
}

void store_columns (uint y)
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

void main ()
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
