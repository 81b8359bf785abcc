// SPDX-License-Identifier: LGPL-2.1-or-later
// Lets the walkers of one cell step together. Whatever the ball around any
// place in the cell holds wholly is added up once, from prefix sums of whole
// cells; points that some balls hold and others do not (candidates) are
// gathered into shared memory once; then all walkers step against that list
// until they stop, meet a visited point, leave the cell, or have used up
// what one dispatch may spend. Those that are not done are listed for the
// next round.
//
// Places are relative to the cell's centre from here on.
#version 450
#extension GL_GOOGLE_include_directive : require

// 64 at least, a power of two: small where barriers are dear.
layout (local_size_x_id = 3) in;
#define GROUP_THREADS gl_WorkGroupSize.x

#include "common/group.glsl"
#include "palette/walkers.glsl"
#include "palette/surroundings.glsl"

layout (constant_id = 1) const uint CAPACITY = 512;
layout (constant_id = 2) const uint POINTS = 1;  // of a thread per tile
layout (constant_id = 4) const uint HEAVY_CAPACITY = 64;

#include "palette/candidates.glsl"
#include "palette/balls.glsl"

shared uint walker_id[MAX_WALKERS], walker_way[MAX_WALKERS];
shared uint n_staying;
shared bool is_spent;

// --- walkers ---

Walker
walker_from_group (uint at)
{
  return Walker (walker_id[at], walker_way[at], place_of_walker (at));
}

void
put_into_group (uint at, Walker walker)
{
  walker_id[at] = walker.id;
  walker_way[at] = walker.way;
  set_place (at, walker.place);
}

// Walkers from…n_walkers-1 of the group as they are, for the next round. All
// threads come here.
void
put_off (uint from, uint n_walkers, ivec3 centre)
{
  uint me = gl_LocalInvocationID.x;
  bool is_put_off = me >= from && me < n_walkers;
  uint id = 0;

  if (is_put_off) {
    Walker walker = walker_from_group (me);

    write_walker (walker, centre);
    id = walker.id;
  }
  list_walker (is_put_off, id);
}

// --- steps ---

// Entries of the list, each of which a walker is tested with.
uint
count_listed ()
{
  return listed.low + listed.high + listed.heavy;
}

// What the ball around each thread's walker holds. All threads come here.
Sums
sum_ball (uint n_walkers, uvec3 cell, bool is_whole, inout uint tests)
{
  uint me = gl_LocalInvocationID.x;
  ivec3 centre = ivec3 (centre_of (cell, grid));
  Sums sum = sums_of_row (BASE_ROW), no_base = NO_SUMS;
  Cursor cursor = Cursor (0, 0);
  uint n_candidates = 0;
  bool is_last = is_whole;

  do {
    if (!is_whole)
      is_last = gather (cell, false, cursor, no_base, n_candidates);
    test_walkers (n_walkers, centre);
    tests += n_walkers * count_listed ();
    barrier ();
    if (me < n_walkers) {
      sum = add_sums (sum, sums_of_row (me));
      clear_row (me);
    }
    barrier ();
  } while (!is_last);
  return sum;
}

// One step of all walkers; returns how many are still in the cell and not
// done. keeps_all: those that leave the cell are kept as well. All threads come
// here.
uint
step_walkers (uint n_walkers, uvec3 cell, bool is_whole, bool keeps_all,
    inout uint tests)
{
  uint me = gl_LocalInvocationID.x;
  ivec3 centre = ivec3 (centre_of (cell, grid));
  Sums sum = sum_ball (n_walkers, cell, is_whole, tests);
  Walker walker = Walker (0, 0, ivec3 (0));
  bool stays = false, leaves = false;

  if (me == 0)
    n_staying = 0;
  if (me < n_walkers) {
    walker = walker_from_group (me);
    bool goes_on = move_walker (walker, sum, centre);
    uvec2 point = point_at (uvec3 (walker.place + centre));

    stays = goes_on && (keeps_all || cell_of (point, grid) == cell);
    leaves = goes_on && !stays;
    if (!stays)
      write_walker (walker, centre);
  }
  list_walker (leaves, walker.id);
  barrier ();
  if (stays)
    put_into_group (atomicAdd (n_staying, 1), walker);
  barrier ();
  return n_staying;
}

// --- the group ---

// Whether the dispatch may begin another group. All threads come here.
bool
may_begin ()
{
  if (gl_LocalInvocationID.x == 0)
    is_spent = atomicOr (control[CONTROL_SPENT], 0) >= push.max_units;
  barrier ();
  return !is_spent;
}

// Tells where walk_lanes.comp could not have gathered a list of so many. It goes
// over entries, of two kinds, in batches of one per lane, and over the points of
// each batch in tiles.
void
report_length (uint n_candidates)
{
  uint rounds = (2 * n_entries + n_candidates) / gl_SubgroupSize + 4;

  if (gl_LocalInvocationID.x == 0 && rounds >= push.max_list_rounds)
    atomicOr (control[CONTROL_TOO_LONG], 1);
}

// The list of a cell, or the first part of it, and what all balls hold: these
// sums are there after the next barrier. Returns what a step of one walker
// costs, in tests. All threads come here.
uint
enter_cell (uvec3 cell, out bool is_whole, inout Work work)
{
  Cursor cursor = Cursor (0, 0);
  Sums base = NO_SUMS;
  uint n_candidates = 0;

  for (uint row = gl_LocalInvocationID.x; row <= BASE_ROW;
      row += GROUP_THREADS)
    clear_row (row);
  is_whole = gather (cell, true, cursor, base, n_candidates);
  report_length (n_candidates);
  add_to_row (BASE_ROW, true, base);
  work.cost += n_candidates;
  work.lists++;
  work.listed += is_whole ? count_listed () : n_candidates;
  return is_whole ? listed.low + listed.high + 4 * listed.heavy + 32
      : n_candidates;
}

// The cell that the group's only walker is in now, with its place relative to
// that one's centre. All threads come here.
uvec3
follow_walker (uvec3 cell)
{
  ivec3 place = place_of_walker (0) + ivec3 (centre_of (cell, grid));
  uvec3 now = cell_of (point_at (uvec3 (place)), grid);

  if (now == cell)
    return cell;
  barrier ();
  if (gl_LocalInvocationID.x == 0)
    set_place (0, place - ivec3 (centre_of (now, grid)));
  barrier ();
  return now;
}

void
main ()
{
  uint number = control[CONTROL_FIRST_GROUP]
      + gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  uint me = gl_LocalInvocationID.x;

  if (number >= control[CONTROL_NEXT_GROUP])
    return;
  read_constants ();
  uvec2 group = groups[number];
  uvec3 cell = cell_from_index (group.x & 0xffffff, grid);
  uint n_walkers = (group.x >> 24) + 1;
  // The group has one walker then.
  bool keeps_all = control[CONTROL_ROUND_WALKERS] <= push.few;
  Work work = Work (0, 0, 0, 0, 0);

  if (me < n_walkers)
    put_into_group (me, read_walker (order[group.y + me],
            ivec3 (centre_of (cell, grid))));
  bool goes_on = may_begin ();

  while (goes_on) {
    bool is_whole;
    uint cost = enter_cell (cell, is_whole, work);
    // Fewer walkers where a step of all of them would take too long.
    uint n = min (n_walkers, max (push.max_tests / cost, 1));
    uvec3 entered = cell;

    put_off (n, n_walkers, ivec3 (centre_of (cell, grid)));
    n_walkers = n;
    barrier ();
    do {
      work.steps += n_walkers;
      work.cost += n_walkers * cost;
      n_walkers = step_walkers (n_walkers, cell, is_whole, keeps_all,
          work.tests);
      if (keeps_all && n_walkers > 0)
        cell = follow_walker (cell);
      goes_on = n_walkers > 0 && work.cost < push.max_tests;
    } while (goes_on && cell == entered);
  }
  put_off (0, n_walkers, ivec3 (centre_of (cell, grid)));
  if (me == 0 && work.lists > 0)
    report (work);
}
