// SPDX-License-Identifier: LGPL-2.1-or-later
// Computes the same as walk.comp, for devices where barriers, reductions and branches are
// expensive. A workgroup is one subgroup, each lane has walkers of its own, and every candidate
// point is loaded once and shuffled to all lanes. So sums stay in registers, and no lane waits.
//
// If a list would take too many loop rounds, walk.comp continues.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

layout (local_size_x_id = 3) in;
const uint LANES = gl_WorkGroupSize.x;  // lanes of the subgroup

#include "palette/exact/walk/walkers.glsl"

layout (constant_id = 5) const uint CAPACITY = 512;     // a multiple of LANES
layout (constant_id = 6) const uint HEAVY_CAPACITY = 64;        // a multiple of LANES
// Lanes run in lockstep and need no barrier, which on a CPU device would make every
// workgroup a coroutine.
layout (constant_id = 4) const bool IS_VECTOR = false;

// Loop rounds: gathering a list takes at most push.max_list_rounds, and a group begins
// no step after twice as many. So its last step ends after five times as many, plus
// some for its other parts, before the CPU device leaves loops.

// --- the list ---

// Weights up to this are light: a sum over a list of light weights times coordinates,
// which are up to 2560 from a cell's centre, fits into 32 bits.
const uint MOST_LIGHT = 127;
const int LIST_BIAS = 4096;

// Light candidates: x, y, z plus LIST_BIAS, and the weight, 16 bits each.
shared uvec2 light[CAPACITY];
shared uint heavy[HEAVY_CAPACITY];      // indices of points

// Number of candidates in the lists.
struct Listed
{
  uint light, heavy;
};

// Position from which gathering continues: the table is processed in batches of one
// entry to a lane, the points of a batch in tiles of one point to a lane.
struct ListCursor
{
  uint batch, tile;
};

uint ceiling (uint n)
{
  return (n + LANES - 1) / LANES;
}

// Makes writes of any lane to shared memory visible to all lanes.
void meet ()
{
  if (!IS_VECTOR)
    subgroupBarrier ();
}

bool any_lane (bool here)
{
  return subgroupBallot (here) != uvec4 (0);
}

// Calls step (k) for all lanes k; k has to be a constant.
#define FOR_4_LANES(step, k) \
  step (k) \
  step (k + 1) \
  step (k + 2) \
  step (k + 3)
#define FOR_16_LANES(step, k) \
  FOR_4_LANES (step, k) \
  FOR_4_LANES (step, k + 4) \
  FOR_4_LANES (step, k + 8) \
  FOR_4_LANES (step, k + 12)
#define FOR_ALL_LANES(step) \
  FOR_4_LANES (step, 0) \
  if (LANES > 4) { \
    FOR_4_LANES (step, 4) \
  } \
  if (LANES > 8) { \
    FOR_4_LANES (step, 8) \
    FOR_4_LANES (step, 12) \
  } \
  if (LANES > 16) { \
    FOR_16_LANES (step, 16) \
  } \
  if (LANES > 32) { \
    FOR_16_LANES (step, 32) \
    FOR_16_LANES (step, 48) \
  }

// Returns the sums over the entries whose cells lie wholly inside every ball; each lane
// has a part of them.
Sums sums_inside_entries (uvec3 cell)
{
  Sums sum = NO_SUMS;
  uvec3 centre = centre_of (cell, grid);
  uint at = gl_SubgroupInvocationID;

  do {
    uint first = 0, end = 0;

    if (at < n_inside)
      range_of_entry (entries[at], cell, first, end);
    if (end > first)
      sum = add_sums (sum, sums_about (subtract_sums (sums_before (end), sums_before (first)),
              centre));
    at += LANES;
  } while (any_lane (at < n_inside));
  return sum;
}

// Returns the point with number i in the ranges of all lanes. Of each lane's range,
// offset is the number of its first point; number + shift is the index of a point.
uint point_of_batch (uint i, uint offset, uint shift)
{
  uint point = 0;

#define CHOOSE(k) \
  { \
    uint first = subgroupShuffle (offset, k); \
    uint to_point = subgroupShuffle (shift, k); \
    point = first <= i ? i + to_point : point; \
  }
  FOR_ALL_LANES (CHOOSE)
#undef CHOOSE
  return point;
}

// Appends the lanes' points with a weight above 0 to the lists.
void append (inout Listed list, uint point, ivec3 place, uint weight)
{
  bool is_heavy = weight > MOST_LIGHT;
  uvec4 lights = subgroupBallot (weight != 0 && !is_heavy);
  uvec4 heavies = subgroupBallot (is_heavy);
  uvec3 biased = uvec3 (place + LIST_BIAS);

  if (weight != 0 && !is_heavy)
    light[list.light + subgroupBallotExclusiveBitCount (lights)] =
        uvec2 (biased.x | biased.y << 16, biased.z | weight << 16);
  if (is_heavy)
    heavy[list.heavy + subgroupBallotExclusiveBitCount (heavies)] = point;
  list.light += subgroupBallotBitCount (lights);
  list.heavy += subgroupBallotBitCount (heavies);
}

// Gathers candidates from the cursor on until a list is full or all candidates are listed.
// Returns whether all are. with_base: continues to the end even if a list is full, to add the
// points that every ball holds to base, of which each lane has a part; the cursor stays where the
// list became full. Adds its loop rounds to rounds, and stops if these are too many.
bool gather (uvec3 cell, bool with_base, inout ListCursor cursor,
    inout Sums base, out Listed list, inout uint rounds)
{
  ivec3 centre = ivec3 (centre_of (cell, grid));
  ListCursor at = cursor;
  bool is_full = false;

  list = Listed (0, 0);
  meet ();
  do {
    uint entry = at.batch + gl_SubgroupInvocationID;
    uint first = 0, end = 0;

    if (entry < n_entries)
      range_of_entry (entries[entry], cell, first, end);
    uint offset = subgroupExclusiveAdd (end - first);
    uint total = subgroupAdd (end - first);

    rounds++;
    do {
      uint i = at.tile + gl_SubgroupInvocationID;
      uint point = point_of_batch (i, offset, first - offset);
      ivec3 place = ivec3 (0);
      uint weight = 0;

      rounds++;
      if (i < total) {
        place = place_of_point (point, centre);
        weight = IS_WEIGHTED ? sorted_weights[point] : 1;
      }
      Squares squares = squares_of_place (place);

      if (squares.largest <= radius_squared) {
        if (with_base)
          base = add_sums (base, sums_of_place (place, weight));
        weight = 0;
      }
      if (squares.least > radius_squared)
        weight = 0;
      if (!is_full && (list.light + LANES > CAPACITY
              || list.heavy + LANES > HEAVY_CAPACITY)) {
        is_full = true;
        cursor = at;
      }
      append (list, point, place, is_full ? 0 : weight);
      at.tile += LANES;
    } while (at.tile < total && (with_base || !is_full) && rounds < push.max_list_rounds);
    at = at.tile < total ? at : ListCursor (at.batch + LANES, 0);
  } while (at.batch < n_entries && (with_base || !is_full) && rounds < push.max_list_rounds);
  if (!is_full)
    cursor = at;
  meet ();
  return !is_full && at.batch >= n_entries;
}

// --- balls ---

// Sums for a lane's walker: over light candidates in words, over heavy ones in two words each.
struct Found
{
  ivec4 light;                  // x, y, z and weights
  Sums heavy;
};

#define DISTANCE(ball, p) \
  fma (ball.z, p.z, fma (ball.y, p.y, fma (ball.x, p.x, p.w)))

ivec4 test_light (uint n, vec4 ball)
{
  uint i = gl_SubgroupInvocationID;
  ivec4 found = ivec4 (0);

#define TEST(k) \
  { \
    vec4 p = subgroupShuffle (place, k); \
    ivec4 m = subgroupShuffle (moment, k); \
    found += DISTANCE (ball, p) <= ball.w ? m : ivec4 (0); \
  }
  do {
    uvec2 entry = light[i];
    ivec3 p = ivec3 (entry.x & 0xffff, entry.x >> 16, entry.y & 0xffff) - LIST_BIAS;
    int weight = i < n ? int (entry.y >> 16) : 0;
    vec4 place = vec4 (p, square_of (p));
    ivec4 moment = ivec4 (p * weight, weight);

    FOR_ALL_LANES (TEST)
    i += LANES;
  } while (any_lane (i < n));
#undef TEST
  return found;
}

Sums test_heavy (uint n, ivec3 centre, vec4 ball)
{
  uint i = gl_SubgroupInvocationID;
  Sums found = NO_SUMS;

#define TEST(k) \
  { \
    vec4 p = subgroupShuffle (place, k); \
    uint n = subgroupShuffle (moment.n, k); \
    uvec2 x = subgroupShuffle (moment.x, k); \
    uvec2 y = subgroupShuffle (moment.y, k); \
    uvec2 z = subgroupShuffle (moment.z, k); \
    if (DISTANCE (ball, p) <= ball.w) \
      found = add_sums (found, Sums (n, x, y, z)); \
  }
  while (any_lane (i < n)) {
    ivec3 p = ivec3 (0);
    Sums moment = NO_SUMS;

    if (i < n) {
      p = place_of_point (heavy[i], centre);
      moment = sums_of_place (p, sorted_weights[heavy[i]]);
    }
    vec4 place = vec4 (p, square_of (p));

    FOR_ALL_LANES (TEST)
    i += LANES;
  }
#undef TEST
  return found;
}

// Returns the sums over the candidates in the ball around the lane's walker.
Sums sums_of_ball (Listed list, ivec3 centre, ivec3 place)
{
  vec4 ball = ball_around (place);
  ivec4 found = test_light (list.light, ball);
  Sums sum = Sums (uint (found.w), wide_from_signed (found.x),
      wide_from_signed (found.y), wide_from_signed (found.z));

  if (!IS_WEIGHTED)
    return sum;
  return add_sums (sum, test_heavy (list.heavy, centre, ball));
}

// --- walkers ---

// The walkers of the group; those that still walk come first.
shared uvec2 walker_state[LANES_WALKERS]; // id, successor
shared ivec3 walker_place[LANES_WALKERS];

// Sums of each walker over the parts of a long list so far.
shared Sums walker_sums[LANES_WALKERS];

Walker walker_from_group (uint at)
{
  uvec2 state = walker_state[at];

  return Walker (state.x, state.y, walker_place[at]);
}

void put_into_group (uint at, Walker walker)
{
  walker_state[at] = uvec2 (walker.id, walker.successor);
  walker_place[at] = walker.place;
}

// --- the group ---

struct Group
{
  uvec3 cell;
  uint n_walkers;
  Sums base;                    // sums of the points that all balls hold
  Listed list;
  bool is_whole;                // the list has all candidates
  uint list_rounds;             // loop rounds to gather the list
  // Of a step, for every LANES walkers: most loop rounds, and cost in rounds of tests.
  uint step_rounds, step_cost;
};

ivec3 centre_of_group (Group group)
{
  return ivec3 (centre_of (group.cell, grid));
}

// Loops over the walkers of a group, one to a lane, in as many sets as needed.
#define FOR_ALL_WALKERS(group) \
  for (uint at = gl_SubgroupInvocationID; \
      any_lane (at < group.n_walkers); at += LANES)

Group load_group (uint number)
{
  uvec2 word = groups[number];
  Group group;

  group.cell = cell_from_index (word.x & 0xffffff, grid);
  group.n_walkers = (word.x >> 24) + 1;
  FOR_ALL_WALKERS (group)
    if (at < group.n_walkers)
      put_into_group (at, read_walker (in_order[word.y + at],
              centre_of_group (group)));
  return group;
}

// Gathers the list of the group's cell. Returns false if that takes too many loop rounds.
bool enter_cell (inout Group group, inout Work work)
{
  ListCursor cursor = ListCursor (n_inside, 0);
  Sums base = sums_inside_entries (group.cell);

  group.list_rounds = ceiling (n_inside);
  group.is_whole = gather (group.cell, true, cursor, base, group.list, group.list_rounds);
  group.step_cost = group.is_whole
      ? ceiling (group.list.light) + 3 * ceiling (group.list.heavy) + 8
      : 3 * group.list_rounds;
  group.step_rounds = rounds_of_move () + (group.is_whole
      ? ceiling (group.list.light) + ceiling (group.list.heavy)
      : 2 * group.list_rounds);
  group.base = Sums (subgroupAdd (base.n), add_lanes_wide (base.x), add_lanes_wide (base.y),
      add_lanes_wide (base.z));
  work.lists++;
  work.cost += group.list_rounds * LANES * LANES;
  return group.list_rounds < push.max_list_rounds;
}

void add_to_walkers (Group group)
{
  FOR_ALL_WALKERS (group) {
    bool exists = at < group.n_walkers;
    ivec3 place = exists ? walker_place[at] : ivec3 (0);
    Sums sum = sums_of_ball (group.list, centre_of_group (group), place);

    if (exists)
      walker_sums[at] = add_sums (walker_sums[at], sum);
  }
}

void sum_balls (inout Group group, inout Work work)
{
  ListCursor cursor = ListCursor (n_inside, 0);
  bool is_last = group.is_whole;
  Sums no_base = NO_SUMS;

  FOR_ALL_WALKERS (group)
    if (at < group.n_walkers)
      walker_sums[at] = group.base;
  do {
    uint rounds = 0;

    if (!group.is_whole)
      is_last = gather (group.cell, false, cursor, no_base, group.list, rounds);
    work.tests += group.n_walkers * (group.list.light + group.list.heavy);
    add_to_walkers (group);
  } while (!is_last);
}

// Makes one step of all walkers. Walkers that leave the cell are listed, unless keeps_all.
void step_walkers (inout Group group, bool keeps_all, inout Work work)
{
  ivec3 centre = centre_of_group (group);
  uint n_staying = 0;

  sum_balls (group, work);
  work.steps += group.n_walkers;
  FOR_ALL_WALKERS (group) {
    Walker walker = Walker (0, 0, ivec3 (0));
    bool stays = false, leaves = false;

    if (at < group.n_walkers) {
      walker = walker_from_group (at);
      bool goes_on = move_walker (walker, walker_sums[at], centre);
      uvec2 point = point_at (uvec3 (walker.place + centre));

      stays = goes_on && (keeps_all || cell_of (point, grid) == group.cell);
      leaves = goes_on && !stays;
      if (!stays)
        write_walker (walker, centre);
    }
    uvec4 staying = subgroupBallot (stays);

    list_walker (leaves, walker.id);
    // All lanes have read the walkers of this set.
    meet ();
    if (stays)
      put_into_group (n_staying + subgroupBallotExclusiveBitCount (staying), walker);
    n_staying += subgroupBallotBitCount (staying);
  }
  meet ();
  group.n_walkers = n_staying;
}

// Lists walkers from…n_walkers-1 of the group for the next round.
void put_off (inout Group group, uint from)
{
  FOR_ALL_WALKERS (group) {
    bool exists = at >= from && at < group.n_walkers;
    Walker walker = Walker (0, 0, ivec3 (0));

    if (exists) {
      walker = walker_from_group (at);
      write_walker (walker, centre_of_group (group));
    }
    list_walker (exists, walker.id);
  }
  group.n_walkers = min (group.n_walkers, from);
}

// Sets the group's cell to that of its only walker. Returns whether it changed.
bool follow_walker (inout Group group)
{
  ivec3 place = walker_place[0] + centre_of_group (group);
  uvec3 now = cell_of (point_at (uvec3 (place)), grid);

  if (now == group.cell)
    return false;
  group.cell = now;
  meet ();
  walker_place[0] = place - centre_of_group (group);
  meet ();
  return true;
}

// Returns whether the dispatch may begin another group: not after a list was too long,
// as walk.comp then takes over. Other groups write both words meanwhile, so one lane's
// value is broadcast to all.
bool may_begin ()
{
  return subgroupBroadcastFirst (atomicOr (control[CONTROL_TOO_LONG], 0)) == 0
      && subgroupBroadcastFirst (atomicOr (control[CONTROL_SPENT], 0))
      < push.max_units;
}

void main ()
{
  uint number = control[CONTROL_FIRST_GROUP]
      + gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;

  if (number >= control[CONTROL_NEXT_GROUP])
    return;
  read_constants ();
  Group group = load_group (number);
  // With so few walkers, each group has one.
  bool keeps_all = control[CONTROL_ROUND_WALKERS] <= push.few;
  Work work = Work (0, 0, 0, 0);
  uint rounds = 0, max_rounds = 2 * push.max_list_rounds;
  bool goes_on = may_begin ();

  while (goes_on) {
    bool has_moved = false;

    goes_on = enter_cell (group, work);
    rounds += 2 * group.list_rounds;
    if (!goes_on && subgroupElect ())
      atomicOr (control[CONTROL_TOO_LONG], 1);
    // Puts off walkers if a step of all would take too many loop rounds.
    put_off (group, LANES * max (max_rounds / group.step_rounds, 1));
    while (goes_on && !has_moved) {
      rounds += group.step_rounds * ceiling (group.n_walkers);
      // In a round of tests every lane tests LANES points.
      work.cost += group.step_cost * ceiling (group.n_walkers) * LANES * LANES;
      step_walkers (group, keeps_all, work);
      if (keeps_all)
        has_moved = follow_walker (group);
      goes_on = group.n_walkers > 0 && rounds < max_rounds;
    }
  }
  put_off (group, 0);
  if (subgroupElect () && work.lists > 0)
    report (work);
}
