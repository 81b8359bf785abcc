// SPDX-License-Identifier: LGPL-2.1-or-later
// Assigns a place to each occupied bin by a prefix sum, lists the occupied bins, and empties
// their sums, and the cells of strays.
#include "core/group.glsl"
#include "palette/live/modes/temporal.h"
#include "palette/live/bins.glsl"

// Words of the bitmap of occupied bins that an invocation processes.
layout (constant_id = 0) const uint WORDS_PER_THREAD = 4;
layout (local_size_x = 256) in;
layout (std430, binding = 3) writeonly buffer List { uint list[]; };
layout (std430, binding = 4) writeonly buffer Sums { BinSums sums[]; };
layout (std430, binding = 5) buffer Carries { uint carries[]; };
layout (std430, binding = 6) writeonly buffer Homes { uint homes[]; };
layout (std430, binding = 7) writeonly buffer Strays { LeashCell cells[]; };
layout (push_constant) uniform Push
{
  uint first, end;              // invocations, of WORDS_PER_THREAD words each
  uint n_cells;                 // CELLS_PER_WORD at most for each word
  uint begins_with;             // in homes; with a limit of modes, in the weights of summits
};

// Returns the number of occupied bins in so many totals.
uint count_before (uint n_totals, uint first_total)
{
  uint n = 0;

  for (uint first = 0; first < n_totals; first += 256) {
    uint i = first + gl_LocalInvocationID.x;

    n += i < n_totals ? bin_totals[first_total + i] : 0;
  }
  return group_sum (n);
}

// Empties what is summed up at the places of a workgroup.
void empty_places (uint first_place, uint end_place)
{
  for (uint place = first_place + gl_LocalInvocationID.x; place < end_place; place += 256) {
    sums[place] = BinSums (0, 0, 0, 0);
    if (place < carries.length ())
      carries[place] = 0;
    homes[place] = begins_with;
  }
}

void empty_cells (uint first_cell, uint end_cell)
{
  const LeashCell empty = LeashCell (NO_MODE, ModeShare (0, uint[3] (0, 0, 0), uint[3] (0, 0, 0)));

  for (uint cell = first_cell; cell < min (end_cell, n_cells); cell++)
    cells[cell] = empty;
}

void main ()
{
  load_grid ();
  const uint per_group = 256 * WORDS_PER_THREAD / WORDS_OF_TOTAL;
  uint group = first / 256 + gl_WorkGroupID.x, total = group * per_group;
  uint level = live_level (), first_word = bin_grid.first_word[level];
  uint n_totals = (bin_grid.words[level] + WORDS_OF_TOTAL - 1) / WORDS_OF_TOTAL;
  uint at = (first + gl_GlobalInvocationID.x) * WORDS_PER_THREAD;
  uint bits[WORDS_PER_THREAD];
  uint n = 0, all;

  empty_cells (CELLS_PER_WORD * at, CELLS_PER_WORD * (at + WORDS_PER_THREAD));
  for (; total < min ((group + 1) * per_group, n_totals); total++)
    n += bin_totals[first_total (level) + total];
  // Most workgroups have no occupied bin, and many no word of a level of merged bins.
  if (n == 0)
    return;
  n = 0;
  for (uint i = 0; i < WORDS_PER_THREAD; i++) {
    bits[i] = at + i < bin_grid.words[level] ? occupied[first_word + at + i] : 0;
    n += bitCount (bits[i]);
  }
  uint first_place = count_before (group * per_group, first_total (level));
  uint place = first_place + group_exclusive_scan (n, all);

  empty_places (first_place, first_place + all);
  for (uint i = 0; i < WORDS_PER_THREAD; i++) {
    if (bits[i] != 0)
      ranks[first_word + at + i] = place;
    for (uint left = bits[i]; left != 0; left &= left - 1)
      list[place++] = (at + i) * 32 + findLSB (left);
  }
}
