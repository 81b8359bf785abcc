// SPDX-License-Identifier: LGPL-2.1-or-later
// Adds the weight of every bin to its summit. If there are too few summits, makes every
// bin a summit. If slots are free, computes the squared distance of every summit to the
// nearest mode of the frame before. If modes are to settle, lists the cells that weigh, in any
// order.
#include "palette/live/modes/limit.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 5) readonly buffer Sums { BinSums sums[]; };
layout (std430, binding = 6) writeonly buffer Uphill { uint uphill[]; };    // the summits
layout (std430, binding = 7) buffer Weights { uint weights[]; };
layout (std430, binding = 8) readonly buffer List { uint list[]; };
// At first of every bin the summit.
layout (std430, binding = 9) buffer Distances { uint distances[]; };
layout (std430, binding = 10) writeonly buffer Cells { ModeCell cells[]; };
layout (push_constant) uniform Push { uint first, end; };

// Returns the word of the summit.
uint weigh (uint i)
{
  uint summit = is_flat () ? i : distances[i];

  uphill[i] = summit;
  atomicAdd (weights[place_of_summit (summit)], sums[i].n);
  return summit;
}

// Returns the bins of a cell in column a, b of it. corner: the first bin that it can have.
Run column_of_cell (uint corner, uint a, uint b, uint level)
{
  uint n_l = bin_grid.sides[0] >> level, n_b = bin_grid.sides[1] >> level;

  return run_of_bins (corner + (a * n_b + b) * n_l, 1u << (CELL_LEVEL - level),
      bin_grid.first_word[level]);
}

// Adds up the bins of a cell whose first one is at a place, and lists the cell.
void list_cell (uint corner, uint level)
{
  const uint side = 1u << (CELL_LEVEL - level);
  uint n = 0;
  uvec3 offset = uvec3 (0);     // sum over bins, in bins from the corner

  for (uint a = 0; a < side; a++)
    for (uint b = 0; b < side; b++)
      for (Run run = column_of_cell (corner, a, b, level); run.bits != 0;
          run.bits &= run.bits - 1) {
        uint weight = sums[run.place++].n;

        n += weight;
        offset += weight * uvec3 (findLSB (run.bits), a, b);
      }
  if (n == 0)
    return;
  uint cell = atomicAdd (state.limited.n_cells, 1);
  ivec3 first = middle_of (corner, level);

  if (cell >= MOST_CELLS)
    return;
  cells[cell].n = n;
  for (uint axis = 0; axis < 3; axis++)
    cells[cell].place[axis] = uint (first[axis]) + wide_divide_rounded_unsigned (wide_multiply
        (offset[axis], 8u << level), uvec2 (n, 0));
}

// Lists the cell of a bin, if this is the first of its bins.
void list_cell_of (uint i, uint level)
{
  uint n_l = bin_grid.sides[0] >> level, n_b = bin_grid.sides[1] >> level;
  uint bin = list[i], column = bin / n_l, within = (1u << (CELL_LEVEL - level)) - 1;
  uint a = column / n_b & within, b = column % n_b & within, l = bin % n_l & within;
  uint corner = bin - (a * n_b + b) * n_l - l;

  for (uint before = 0; before <= a * (within + 1) + b; before++) {
    Run run = column_of_cell (corner, before / (within + 1), before & within, level);

    if (run.bits != 0 && run.place < i)
      return;
  }
  list_cell (corner, level);
}

void main ()
{
  load_grid ();
  load_frame ();
  uint i = first + gl_GlobalInvocationID.x, level = live_level ();

  if (i >= min (end, live.occupied[level]))
    return;
  uint summit = weigh (i);

  if (place_of_summit (summit) == i && count_free_slots () > 0) {
    Nearest nearest = nearest_modes (list[i], middle_of (list[i], level));

    distances[i] = nearest.is_home ? 0 : distance_of_summit (summit, nearest.least);
  }
  if (settles ())
    list_cell_of (i, level);
}
