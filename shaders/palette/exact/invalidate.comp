// SPDX-License-Identifier: LGPL-2.1-or-later
// Resets the successors of visited points in marked cells to UNKNOWN, and those that are
// not slots: a walker of an earlier frame went on from there alone.
#include "palette/exact/grid.glsl"
#include "palette/exact/marks.glsl"
#include "palette/exact/walk/visited.glsl"
#include "palette/exact/walk/successors.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Visited { uint visited[]; };
layout (std430, binding = 1) buffer Successors { uint successors[]; };
layout (std430, binding = 2) readonly buffer Marks { uint marks[]; };
layout (push_constant) uniform Push
{
  uint first, end;              // slots
  uint table_bits;
  uint cell_shift;              // log2 of the side of cells that are marked
};

bool is_marked (uvec2 point)
{
  uvec3 cell = coordinates_of (point) >> cell_shift;
  uint word = words_of_column (cell.y, cell.z) + word_in_column (cell.x);

  return (marks[word] >> (cell.x & 31) & 1) != 0;
}

void main ()
{
  uint slot = first + gl_GlobalInvocationID.x;

  if (slot >= end)
    return;
  uint next = successors[slot];

  if (next != UNKNOWN && ((next & ALONE) != 0
          || is_marked (point_in_slot (slot, visited[slot], table_bits))))
    successors[slot] = UNKNOWN;
}
