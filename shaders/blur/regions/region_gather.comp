// SPDX-License-Identifier: LGPL-2.1-or-later
// Copies the parts of a frame that regions need to the cells of the atlas. Pixels beyond the
// edges of the frame follow the edge mode. A thread writes one word of a plane.
#include "blur/regions/shared.h"
#include "blur/shared.h"

// first_tile, first_cell: words of tables[]. frame_width, frame_height: the size of the frame.
// frame_words, frame_rows: of the frame's plane, with whole words only. black_luma, black_chroma:
// the codes beyond the edges with edge mode black.
#define OWN_PUSH \
  uint first_tile, first_cell; \
  uint frame_width, frame_height; \
  uint frame_words, frame_rows; \
  uint edge, black_luma, black_chroma;

#include "core/pixels/format.glsl"
#include "blur/edges.glsl"

layout (constant_id = FORMAT_CONSTANTS + GATHER_INSIDE) const bool INSIDE = false;
layout (constant_id = FORMAT_CONSTANTS + GATHER_TILE_WORDS) const uint TILE_WORDS = 4;
layout (constant_id = FORMAT_CONSTANTS + GATHER_TILE_ROWS) const uint TILE_ROWS = 16;

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Input { uint input_words[]; };
layout (std430, binding = 1) writeonly buffer Output { uint output_words[]; };
layout (std430, binding = 2) readonly buffer Tables { uint tables[]; };

DEFINE_FETCH (input_words)

// From a pixel of the atlas to that of the frame.
ivec2 shift;

// Returns the columns or rows of a component of the frame.
int size_of_component (uint size, uint subsampling)
{
  return int (size + (1u << subsampling) - 1 >> subsampling);
}

uint code_at (uint c, uint x, uint y)
{
  uint component = in_component (c);
  uint shift_x = shift_x_of (component), shift_y = COMPONENT_SHIFT_Y (component);
  int column = edge_index (int (x) + (shift.x >> shift_x),
      size_of_component (frame_width, shift_x), edge);
  int row = edge_index (int (y) + (shift.y >> shift_y),
      size_of_component (frame_height, shift_y), edge);

  if (column < 0 || row < 0)
    return c == 0 ? black_luma : black_chroma;
  return fetch (c, uint (column), uint (row));
}

#include "core/pixels/make_words.glsl"

void main ()
{
  uint item = first_item + gl_GlobalInvocationID.x;
  uint word = item % row_words, y = item / row_words;

  if (item >= end_item)
    return;
  uint tiles_a_row = (width + ATLAS_TILE - 1) / ATLAS_TILE;
  uint cell = tables[first_tile + y / TILE_ROWS * tiles_a_row + word / TILE_WORDS];

  if (cell == 0)
    return;
  uint at = first_cell + (cell - 1) * CELL_WORDS;

  shift = ivec2 (tables[at + CELL_SHIFT_X], tables[at + CELL_SHIFT_Y]);
  // Shifts are whole tiles, so words of the atlas are words of the frame, except at its edges.
  ivec2 from = ivec2 (word, y)
      + shift / ATLAS_TILE * ivec2 (TILE_WORDS, TILE_ROWS);
  bool is_inside = INSIDE || from.x >= 0 && from.x < int (frame_words) && from.y >= 0
      && from.y < int (frame_rows);

  uint plane = PLANE_INDEX (OUT_PLANE);

  output_words[out_offset + y * out_stride + word] = is_inside
      ? input_words[in_offset[plane] + uint (from.y) * in_stride[plane] + uint (from.x)]
      : word_at (word, y);
}
