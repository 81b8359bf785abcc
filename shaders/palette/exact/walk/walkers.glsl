// SPDX-License-Identifier: LGPL-2.1-or-later
// Common to the shaders that move walkers: buffers, and the work on a walker between
// steps: its move, whether it continues from there, and the list for the next round.
// Places are relative to a centre.
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require

#include "palette/exact/walk/walk.h"
#include "palette/exact/grid.glsl"
#include "palette/exact/moments.glsl"
#include "palette/exact/walk/visited.glsl"
#include "palette/exact/walk/successors.glsl"

layout (constant_id = 0) const bool IS_WEIGHTED = true;
layout (constant_id = 1) const uint LIST_UNITS = 1;     // cost of a list, in units
// Whether sharing is SHARES_KEPT. A constant, as its code would take registers in the
// other cases, too.
layout (constant_id = 2) const bool KEEPS_SUCCESSORS = false;

layout (std430, binding = 0) buffer Control { uint control[]; };
layout (std430, binding = 1) readonly buffer Starts { uint starts[]; };
layout (std430, binding = 2) readonly buffer Sorted { uvec2 sorted[]; };
layout (std430, binding = 3) readonly buffer SortedWeights { uint sorted_weights[]; };
layout (std430, binding = 4) readonly buffer SumsN { uint sums_n[]; };
layout (std430, binding = 5) readonly buffer SumsX { uvec2 sums_x[]; };
layout (std430, binding = 6) readonly buffer SumsY { uvec2 sums_y[]; };
layout (std430, binding = 7) readonly buffer SumsZ { uvec2 sums_z[]; };
layout (std430, binding = 8) readonly buffer Entries { uint entries[]; };
layout (std430, binding = 9) readonly buffer Groups { uvec2 groups[]; };
layout (std430, binding = 10) readonly buffer InOrder { uint in_order[]; };
layout (std430, binding = 11) buffer Walkers { uvec2 walkers[]; };
layout (std430, binding = 12) buffer WalkerSuccessors { uint walker_successors[]; };
layout (std430, binding = 13) writeonly buffer ActiveWalkers { uint active_walkers[]; };
layout (std430, binding = 14) buffer Visited { uint visited[]; };
layout (std430, binding = 15) buffer Successors { uint successors[]; };
layout (push_constant) uniform Push
{
  GridCells grid;
  uint n_entries, n_inside;     // all entries, and those inside, which come first
  int radius_squared;
  uint table_bits;
  uint sharing;                 // SHARES_…
  uint max_tests;               // tests of a workgroup, about
  uint max_units;               // units of the dispatch after which no group begins
  uint few;                     // up to this many walkers in a round are a group each
  uint max_list_rounds;         // most loop rounds of a lane to gather a list
  uint max_step_rounds;         // most loop rounds of a lane in a step of walk.comp, on
                                // CPU devices
  uint max_hops;                // most hops along a known way
} push;

// Returns the most loop rounds of a lane in a step, except those over points: to
// divide, to search the set of visited points, and along a known way. Mesa's CPU device
// leaves all loops of an invocation after 65535 rounds in total.
uint rounds_of_move ()
{
  return 64 + (KEEPS_SUCCESSORS ? push.max_hops : 0);
}

// Read once, by main(): Mesa's CPU device loads push constants for every lane
// wherever they are used.
GridCells grid;
uint n_entries, n_inside;
int radius_squared;
uint table_bits;

void read_constants ()
{
  grid = push.grid;
  n_entries = push.n_entries;
  n_inside = push.n_inside;
  radius_squared = push.radius_squared;
  table_bits = push.table_bits;
}

DEFINE_VISIT (visited)
DEFINE_FIND (visited)
DEFINE_SUCCESSORS (successors)

// --- points of the grid around a cell, and distances to the cell ---

Sums sums_before (uint point)
{
  if (point == 0)
    return NO_SUMS;
  point--;
  return Sums (sums_n[point], sums_x[point], sums_y[point], sums_z[point]);
}

// Adds up over all lanes, in two parts, which do not overflow.
uvec2 add_lanes_wide (uvec2 value)
{
  uint low = subgroupAdd (value.x & 0x3fffff);
  int high = int (subgroupAdd (value.y << 10 | value.x >> 22));

  return wide_add (uvec2 (low, 0), uvec2 (uint (high) << 22, uint (high >> 10)));
}

// Sets the range of points, first to end - 1, of an entry of the table at a cell; both
// are 0 if the entry lies outside the grid.
void range_of_entry (uint entry, uvec3 cell, out uint first, out uint end)
{
  int a = int (cell.y) + int (entry & 31) - 16;
  int b = int (cell.z) + int (entry >> 5 & 31) - 16;
  int l0 = max (int (cell.x) + int (entry >> 10 & 31) - 16, 0);
  int l1 = min (int (cell.x) + int (entry >> 15 & 31) - 16, int (grid.n_l) - 1);

  first = end = 0;
  if (a >= 0 && a < int (grid.n_a) && b >= 0 && b < int (grid.n_b) && l0 <= l1) {
    first = starts[cell_index (uvec3 (l0, a, b), grid)];
    end = starts[cell_index (uvec3 (l1, a, b), grid) + 1];
  }
}

ivec3 place_of_point (uint point, ivec3 centre)
{
  return ivec3 (coordinates_of (sorted[point])) - centre;
}

int square_of (ivec3 p)
{
  return p.x * p.x + p.y * p.y + p.z * p.z;
}

// Squared distances from a point to the nearest and to the farthest place of a cell.
struct Squares
{
  int least, largest;
};

Squares squares_of_place (ivec3 place)
{
  int half_side = 1 << grid.shift >> 1;
  ivec3 low = place + half_side, high = place - (half_side - 1);

  return Squares (square_of (max (max (-low, high), 0)),
      square_of (max (abs (low), abs (high))));
}

// Returns the ball around a walker at q, for tests of points p: -2 q, and the bound of
// |p|² - 2 q·p.
vec4 ball_around (ivec3 q)
{
  return vec4 (-2 * q, radius_squared - square_of (q));
}

// --- walkers ---

struct Walker
{
  uint id, successor;
  ivec3 place;
};

Walker read_walker (uint id, ivec3 centre)
{
  return Walker (id, walker_successors[id], ivec3 (coordinates_of (walkers[id])) - centre);
}

void write_walker (Walker walker, ivec3 centre)
{
  walkers[walker.id] = point_at (uvec3 (walker.place + centre));
  walker_successors[walker.id] = walker.successor;
}

// Lists walkers for the next round. All invocations call it.
void list_walker (bool lists, uint id)
{
  uvec4 ballot = subgroupBallot (lists);
  uint at = 0;

  if (ballot == uvec4 (0))
    return;
  if (subgroupElect ())
    at = atomicAdd (control[CONTROL_ACTIVE], subgroupBallotBitCount (ballot));
  at = subgroupBroadcastFirst (at) + subgroupBallotExclusiveBitCount (ballot);
  if (lists)
    active_walkers[at] = id;
}

// --- steps ---

int move_along (uvec2 sum, uint n, int q)
{
  return wide_divide_rounded (wide_subtract (sum,
          wide_multiply_signed (n, q)), n);
}

// Returns the mean shift step of a walker at q from the sums over its ball.
ivec3 move_of (Sums sum, ivec3 q)
{
  if (sum.n == 0)
    return ivec3 (0);
  return ivec3 (move_along (sum.x, sum.n, q.x), move_along (sum.y, sum.n, q.y),
      move_along (sum.z, sum.n, q.z));
}

// A walker has come to a visited point. Follows successors known from earlier frames, if
// there are any. Returns whether the walker continues from there.
bool join (uint slot, inout Walker walker, ivec3 centre)
{
  bool is_cut = false;

  walker.successor = slot;
  if (KEEPS_SUCCESSORS) {
    walker.successor = follow_known (slot, push.max_hops, is_cut);
    // An atomic read, as another walker may just have inserted the point.
    if (walker.successor != slot)
      walker.place = ivec3 (coordinates_of (point_in_slot (walker.successor,
                  atomicOr (visited[walker.successor], 0), table_bits))) - centre;
  }
  return is_cut || claim (walker.successor);
}

// Ends a step of a walker that does not share its way. Returns whether it continues.
bool arrive_alone (inout Walker walker, ivec3 centre)
{
  if (push.sharing == SHARES_NOTHING) {
    if (walker.successor != (ALONE | ENDLESS))
      walker.successor--;
    return walker.successor != ALONE;
  }
  uint slot = find (point_at (uvec3 (walker.place + centre)), table_bits);

  return slot == NO_SLOT || join (slot, walker, centre);
}

// Ends a step of a walker: sets the successor of the point it came from. Returns
// whether it continues.
bool arrive (inout Walker walker, ivec3 centre)
{
  if ((walker.successor & ALONE) != 0)
    return arrive_alone (walker, centre);
  uint slot = visit (point_at (uvec3 (walker.place + centre)), table_bits);

  if (slot == NO_SLOT) {
    successors[walker.successor] = ALONE | walker.id;
    walker.successor = ALONE | ENDLESS;
    atomicAdd (control[CONTROL_LOST], 1);
    return true;
  }
  successors[walker.successor] = slot;
  return join (slot, walker, centre);
}

// Moves a walker by the sums over its ball. Returns whether it continues.
bool move_walker (inout Walker walker, Sums sum, ivec3 centre)
{
  ivec3 move = move_of (sum, walker.place);

  if (move == ivec3 (0)) {
    if ((walker.successor & ALONE) == 0)
      successors[walker.successor] = walker.successor;
    return false;
  }
  walker.place += move;
  return arrive (walker, centre);
}

// --- work ---

// Work that was done. Budgets depend on cost, in tests, which includes the gathering of lists.
struct Work
{
  uint cost, tests, steps, lists;
};

void add_wide_to_control (uint at, uint n)
{
  uint before = atomicAdd (control[at], n);

  if (before + n < before)
    atomicAdd (control[at + 1], 1);
}

void report (Work work)
{
  atomicAdd (control[CONTROL_SPENT], work.cost / TESTS_PER_UNIT + work.lists * LIST_UNITS);
  add_wide_to_control (CONTROL_STEPS, work.steps);
  add_wide_to_control (CONTROL_TESTS, work.tests);
}
