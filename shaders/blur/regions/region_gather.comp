// SPDX-License-Identifier: LGPL-2.1-or-later
// Copies the parts of a frame that regions need to the cells of the atlas. Pixels beyond the
// edges of the frame follow the edge mode. A thread writes one word of a plane.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "blur/regions/shared.h"
#include "blur/shared.h"

// plane, shift_x, shift_y: the plane and its subsampling. frame_width, frame_height: the size
// of the frame's plane. black: the sample beyond the edges with edge mode black.
#define OWN_PUSH \
  uint plane, shift_x, shift_y; \
  uint frame_width, frame_height; \
  uint edge, black;

#include "core/pixels/format.glsl"
#include "blur/edges.glsl"
#include "samples.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Input { uint input_words[]; };
layout (std430, binding = 1) writeonly buffer Output { uint output_words[]; };
layout (std430, binding = 2) readonly buffer Tiles { uint tiles[]; };
layout (std430, binding = 3) readonly buffer Cells { int cells[]; };

DEFINE_SAMPLE (sample_of_frame, input_words)

// Returns a sample of the pixel of the frame's plane, which may lie beyond its edges.
uint
sample_at (ivec2 pixel, uint index)
{
  ivec2 inside = ivec2 (edge_index (pixel.x, int (frame_width), edge),
      edge_index (pixel.y, int (frame_height), edge));

  if (inside.x < 0 || inside.y < 0)
    return black;
  return sample_of_frame (in_offset[plane], in_stride[plane], uvec2 (inside), index);
}

// Words of the atlas lie as in the frame, as cells begin at multiples of ATLAS_TILE.
uint
word_at (uint word, ivec2 shift, uint y)
{
  int first = int (word * SAMPLES_A_WORD / SAMPLES) + shift.x;
  int last = int ((word * SAMPLES_A_WORD + SAMPLES_A_WORD - 1) / SAMPLES) + shift.x;
  int row = edge_index (int (y) + shift.y, int (frame_height), edge);
  uint bits = 0;

  if (row >= 0 && first >= 0 && last < int (frame_width))
    return input_words[in_offset[plane] + uint (row) * in_stride[plane]
        + uint (int (word) + shift.x * int (SAMPLES) / int (SAMPLES_A_WORD))];
  for (uint i = 0; i < SAMPLES_A_WORD; i++) {
    uint at = word * SAMPLES_A_WORD + i;
    ivec2 pixel = ivec2 (at / SAMPLES, y) + shift;

    bits |= sample_at (pixel, at % SAMPLES) << (8 * i);
  }
  return bits;
}

void
main ()
{
  uint item = first_item + gl_GlobalInvocationID.x;
  uint word = item % row_words, y = item / row_words;
  uvec2 tile = uvec2 (word * SAMPLES_A_WORD / SAMPLES << shift_x, y << shift_y)
      / ATLAS_TILE;

  if (item >= end_item)
    return;
  uint cell = tiles[tile.y * ((width + ATLAS_TILE - 1) / ATLAS_TILE) + tile.x];

  if (cell == 0)
    return;
  uint at = (cell - 1) * CELL_WORDS;
  ivec2 shift = ivec2 (cells[at + CELL_SHIFT_X] >> shift_x,
      cells[at + CELL_SHIFT_Y] >> shift_y);

  output_words[out_offset + y * out_stride + word] = word_at (word, shift, y);
}
