// SPDX-License-Identifier: LGPL-2.1-or-later
// Walks by mean shift, a thread a walker, in all the ways whose worth is to be known:
// where points are looked for, whether walks share what they have in common, how
// threads know which walkers are not done, and whether they take more than one.
// gpu/palette/ has what came of it.
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
#include "palette/exact/grid.glsl"
#include "palette/exact/walk/visited.glsl"
#include "palette/exact/walk/successors.glsl"
#include "ball.glsl"
#include "ladder.h"

layout (local_size_x_id = 0) in;
layout (constant_id = 1) const uint SUBGROUP = 32;
layout (constant_id = 2) const uint SEARCH = LADDER_BRUTE_FORCE;
layout (constant_id = 3) const bool IS_WEIGHTED = true;
layout (constant_id = 4) const bool SHARES = false;
layout (constant_id = 5) const uint MASK = LADDER_FLAGS;
layout (constant_id = 6) const bool IS_PERSISTENT = false;

layout (std430, binding = 0) readonly buffer Starts { uint starts[]; };
layout (std430, binding = 1) readonly buffer Sorted { uvec2 sorted[]; };
layout (std430, binding = 2) readonly buffer Weights { uint weights[]; };
layout (std430, binding = 3) readonly buffer Sums4 { uvec2 sums_before[]; };
layout (std430, binding = 4) readonly buffer Order { uint order[]; };
layout (std430, binding = 5) buffer Walkers { uvec2 walkers[]; };
layout (std430, binding = 6) buffer Work { uvec2 work[]; };     // steps, tests
layout (std430, binding = 7) buffer Mask { uint mask[]; };
layout (std430, binding = 8) writeonly buffer Next { uint next_list[]; };
layout (std430, binding = 9) buffer Counts { uint counts[]; };
layout (std430, binding = 10) buffer Visited { uint visited[]; };
layout (std430, binding = 11) buffer Follow { uint follow[]; };
layout (std430, binding = 12) writeonly buffer Places { uvec2 places[]; };
layout (std430, binding = 13) buffer Ways { uint ways[]; };
layout (push_constant) uniform Push
{
  GridCells grid;
  uint n_points;
  uint first, end;              // of walkers in their order, or of the list
  int radius_squared;
  int reach;                    // floor (radius)
  uint max_steps;               // of a walker in this pass
  uint table_bits;
};

DEFINE_VISIT (visited)
DEFINE_SUCCESSORS (follow)

// --- what a ball holds ---

struct Ball
{
  ivec3 place;
  Sums sum;
  uint tests;
};

void try_points (inout Ball ball, uint point, uint last)
{
  ball.tests += last - point;
  for (; point < last; point++)
    add_point (ball.sum, ivec3 (coordinates_of (sorted[point])) - ball.place,
        IS_WEIGHTED ? weights[point] : 1, reach, radius_squared);
}

Sums sums_up_to (uint point)
{
  return Sums (sums_before[4 * point].x, sums_before[4 * point + 1],
      sums_before[4 * point + 2], sums_before[4 * point + 3]);
}

void take_points (inout Ball ball, uint point, uint last)
{
  ball.sum = add_sums (ball.sum, sums_about (subtract_sums (sums_up_to (last),
              sums_up_to (point)), uvec3 (ball.place)));
}

// --- cells ---

// Along an axis: the squares of how far cells are from the ball's centre, at the
// nearest and at the farthest.
ivec2 squares_of (int low, int size, int centre)
{
  int least = max (max (low - centre, centre - low - size + 1), 0);
  int largest = max (abs (low - centre), abs (low + size - 1 - centre));

  return ivec2 (least * least, largest * largest);
}

ivec3 cell_size ()
{
  return ivec3 (1) << ivec3 (grid.shift_l, grid.shift, grid.shift);
}

ivec2 squares_of_column (ivec2 cell, ivec3 place)
{
  ivec3 low = ivec3 (0, cell) * cell_size () + ivec3 (corner_of (grid));

  return squares_of (low.y, cell_size ().y, place.y)
      + squares_of (low.z, cell_size ().z, place.z);
}

void take_cell (inout Ball ball, ivec3 cell, ivec2 squares)
{
  uint at = cell_index (uvec3 (cell), grid);
  int low = cell.x * cell_size ().x + int (grid.first_l);

  squares += squares_of (low, cell_size ().x, ball.place.x);
  if (SEARCH >= LADDER_BALL && squares.x > radius_squared)
    return;
  if (SEARCH >= LADDER_WHOLE_CELLS && squares.y <= radius_squared)
    take_points (ball, starts[at], starts[at + 1]);
  else
    try_points (ball, starts[at], starts[at + 1]);
}

// The cells of a column that a ball reaches, and those of them that it holds as a
// whole, one behind the other.
void take_column (inout Ball ball, ivec2 column, ivec2 squares)
{
  ivec2 left = radius_squared - squares;

  if (left.x < 0)
    return;
  int size = cell_size ().x, from = ball.place.x - int (grid.first_l);
  int far = int (sqrt (float (left.x))) + 1;
  int near = left.y < 0 ? 0 : int (sqrt (float (left.y))) - 1;
  uint at = cell_index (uvec3 (0, column), grid);
  ivec2 outer = clamp (ivec2 (from - far, from + far) >> int (grid.shift_l), 0,
      int (grid.n_l) - 1);
  ivec2 inner = ivec2 (max (from - near + size - 1 >> int (grid.shift_l),
          outer.x), min ((from + near + 1 >> int (grid.shift_l)) - 1, outer.y));

  if (near <= 0 || inner.x > inner.y) {
    try_points (ball, starts[at + outer.x], starts[at + outer.y + 1]);
    return;
  }
  uint first = starts[at + inner.x], end = starts[at + inner.y + 1];

  try_points (ball, starts[at + outer.x], first);
  take_points (ball, first, end);
  try_points (ball, end, starts[at + outer.y + 1]);
}

void search_cells (inout Ball ball)
{
  ivec3 shift = ivec3 (grid.shift_l, grid.shift, grid.shift);
  ivec3 last = ivec3 (grid.n_l, grid.n_a, grid.n_b) - 1;
  ivec3 from = ball.place - ivec3 (corner_of (grid));
  ivec3 low = clamp (from - reach >> shift, ivec3 (0), last);
  ivec3 high = clamp (from + reach >> shift, ivec3 (0), last);

  for (int a = low.y; a <= high.y; a++)
    for (int b = low.z; b <= high.z; b++) {
      ivec2 column = ivec2 (a, b);
      ivec2 squares = squares_of_column (column, ball.place);

      if (SEARCH == LADDER_PREFIX_SUMS)
        take_column (ball, column, squares);
      else
        for (int l = low.x; l <= high.x; l++)
          take_cell (ball, ivec3 (l, column), squares);
    }
}

// --- walkers ---

struct Walker
{
  ivec3 place;
  uint way;                     // its slot among visited places
  uvec2 work;
};

// A walker is where it was not before; returns whether it goes on.
bool arrive (inout Walker walker)
{
  if (!SHARES)
    return true;
  uvec2 point = point_at (uvec3 (walker.place));
  uint slot = visit (point, table_bits);

  if (slot == NO_SLOT) {
    atomicAdd (counts[LADDER_LOST], 1);
    return false;
  }
  if (walker.way != NO_SLOT)
    follow[walker.way] = slot;
  walker.way = slot;
  if (!claim (slot))
    return false;
  places[slot] = point;
  return true;
}

bool step_walker (inout Walker walker)
{
  Ball ball = Ball (walker.place, NO_SUMS, 0);

  if (SEARCH == LADDER_BRUTE_FORCE)
    try_points (ball, 0, n_points);
  else
    search_cells (ball);
  ivec3 move = mean_of (ball.sum);

  walker.work += uvec2 (1, ball.tests);
  if (move == ivec3 (0)) {
    if (SHARES)
      follow[walker.way] = walker.way;
    return false;
  }
  walker.place += move;
  return arrive (walker);
}

// Returns whether there is more to walk.
bool walk (uint id)
{
  Walker walker = Walker (ivec3 (coordinates_of (walkers[id])),
      SHARES ? ways[id] : NO_SLOT, work[id]);
  bool goes_on = !SHARES || walker.way != NO_SLOT || arrive (walker);

  for (uint i = 0; goes_on && i < max_steps; i++)
    goes_on = step_walker (walker);
  walkers[id] = point_at (uvec3 (walker.place));
  work[id] = walker.work;
  if (SHARES)
    ways[id] = walker.way;
  return goes_on;
}

// --- who is not done ---

const uint BALLOT_BITS = SUBGROUP < 32 ? SUBGROUP : 32;

bool is_active (uint at)
{
  switch (MASK) {
  case LADDER_FLAGS:
    return mask[at] != 0;
  case LADDER_BITS:
    return (mask[at / 32] >> at % 32 & 1) != 0;
  case LADDER_BALLOTS:
    return (mask[at / BALLOT_BITS] >> at % BALLOT_BITS & 1) != 0;
  }
  return true;
}

// All lanes come here that hold walkers, of this place in the order, or none.
void put_active (bool goes_on, bool was_active, uint at, uint id)
{
  uvec4 ballot = subgroupBallot (goes_on);
  uint n = subgroupBallotBitCount (ballot), before = 0;

  if (subgroupElect () && n > 0)
    before = atomicAdd (counts[LADDER_ACTIVE], n);
  if (MASK == LADDER_LISTS) {
    before = subgroupBroadcastFirst (before);
    if (goes_on)
      next_list[before + subgroupBallotExclusiveBitCount (ballot)] = id;
  } else if (MASK == LADDER_BALLOTS) {
    if (gl_SubgroupInvocationID % BALLOT_BITS == 0)
      mask[at / BALLOT_BITS] = ballot[gl_SubgroupInvocationID / BALLOT_BITS];
  } else if (was_active && !goes_on) {
    if (MASK == LADDER_FLAGS)
      mask[at] = 0;
    if (MASK == LADDER_BITS)
      atomicAnd (mask[at / 32], ~(1u << at % 32));
  }
}

// Of this lane's place in the order. All lanes come here.
void pass (uint at)
{
  bool is_here = at < end && is_active (at);
  bool goes_on = false;

  if (!subgroupAny (is_here))
    return;
  uint id = !is_here ? 0 : MASK == LADDER_LISTS ? mask[at] : order[at];

  if (is_here)
    goes_on = walk (id);
  put_active (goes_on, is_here, at, id);
}

uint take_turn ()
{
  uint at = 0;

  if (subgroupElect ())
    at = atomicAdd (counts[LADDER_TAKEN], SUBGROUP);
  return first + subgroupBroadcastFirst (at);
}

void main ()
{
  uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  uint number = group * gl_NumSubgroups + gl_SubgroupID;

  if (IS_PERSISTENT)
    for (uint at = take_turn (); at < end; at = take_turn ())
      pass (at + gl_SubgroupInvocationID);
  else
    pass (first + number * SUBGROUP + gl_SubgroupInvocationID);
}
