// SPDX-License-Identifier: LGPL-2.1-or-later
// Computes the colour of every block of the frame and the luma of its cells, keeps those of the
// frame before, and empties the votes; one workgroup for each block. Workgroups are small, as on a CPU
// device every invocation that waits at a barrier costs time.
#define OF_MOTION
#include "palette/live/modes/temporal.glsl"
#include "palette/count/luma.glsl"

layout (local_size_x = 64) in;
#define GROUP_THREADS gl_WorkGroupSize.x
#include "core/group.glsl"
layout (std430, binding = 5) readonly buffer Colours { uint colours[]; };
layout (push_constant) uniform Push
{
  uint first, end;              // samples, 256 in each block
  uint first_row;               // first bound row of pixels
};

// Samples of a cell in a row and in a column.
const uint CELL_SIDE = LUMA_SIDE / CELLS_ALONG;

// Returns whether light may have been lost: a counted colour is too dark or too light.
bool may_be_clipped (uint colour)
{
  uvec3 components = uvec3 (colour >> 16 & 255, colour >> 8 & 255, colour & 255);

  return (colour & TRANSPARENT) == 0 && components != clamp (components, DARKEST, LIGHTEST);
}

// By invocation: the sum of lumas in a row of a cell; and 1 << OUTSIDE_SHIFT for each of
// its samples that is beyond the edges.
shared uint row_sums[64];
const uint OUTSIDE_SHIFT = 16;

const uint COUNTED_LUMA = (1u << LUMA_COUNT_SHIFT) - 1;

// Row `row` of cell `cell`: the sums of sums_of() over its samples, and how many may be clipped.
uvec3 sums_of_row (uint cell, uint row, uvec2 begin, out uint n_clipped)
{
  uvec2 first_sample = uvec2 (cell % CELLS_ALONG, cell / CELLS_ALONG) * CELL_SIDE
      + uvec2 (0, row);
  uint shift = frame.blocks.shift - LUMA_SHIFT, n_outside = 0;
  uvec3 sums = uvec3 (0);

  n_clipped = 0;
  for (uint i = 0; i < CELL_SIDE; i++) {
    uvec2 at = begin + (first_sample + uvec2 (i, 0) << shift);

    if (at.x < frame.width && at.y < frame.height) {
      uint colour = colours[(at.y - first_row) * PIXELS_ROW_WORDS (frame.width) + at.x];

      sums += sums_of (colour);
      n_clipped += uint (may_be_clipped (colour));
    } else
      n_outside++;
  }
  row_sums[gl_LocalInvocationID.x] = n_outside << OUTSIDE_SHIFT | sums.x & COUNTED_LUMA;
  return sums;
}

// Returns the mean luma of a cell in code values; 0 if a sample is beyond the edges.
uint mean_of_cell (uint cell)
{
  uint sum = 0;

  for (uint row = 0; row < CELL_SIDE; row++)
    sum += row_sums[cell * CELL_SIDE + row];
  return sum >> OUTSIDE_SHIFT != 0 ? 0 : sum + 32 >> 6;
}

// A row of cells in a word, the first one lowest.
uint word_of_cells (uint row)
{
  uint word = 0;

  for (uint i = 0; i < CELLS_ALONG; i++)
    word |= mean_of_cell (row * CELLS_ALONG + i) << 8 * i;
  return word;
}

void forget_votes ()
{
  int farthest = farthest_common ();

  for (int value = int (gl_LocalInvocationID.x) - farthest; value <= farthest;
      value += int (GROUP_THREADS))
    state.votes[value + MOST_COMMON] = state.votes[VOTES + value + MOST_COMMON] = 0;
  state.without = state.with_common = state.n_moving = 0;
}

void main ()
{
  load_grid ();
  load_frame ();
  uint block = first / 256 + gl_WorkGroupID.x, i = gl_LocalInvocationID.x;
  uint columns = frame.blocks.columns;
  uvec2 in_blocks = uvec2 (block % columns, block / columns);
  uint n_clipped;
  uvec3 sums = group_sums (sums_of_row (i / CELL_SIDE, i % CELL_SIDE,
          in_blocks << frame.blocks.shift, n_clipped));

  n_clipped = group_sum (n_clipped);

  if (i < CELLS_ALONG) {
    uint at = (in_blocks.y * CELLS_ALONG + i) * columns + in_blocks.x;

    state.cells_before[at] = state.cells[at];
    state.cells[at] = word_of_cells (i);
  }
  if (i == 0) {
    uint n = sums.x >> LUMA_COUNT_SHIFT;

    state.blocks[block].colour_before = state.blocks[block].colour;
    state.blocks[block].was_clipped = state.blocks[block].is_clipped;
    state.blocks[block].colour = colour_of_sums (sums);
    state.blocks[block].is_clipped = uint (n == 0 || 16 * n_clipped > n);
  }
  if (block == 0)
    forget_votes ();
}
