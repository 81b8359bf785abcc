// SPDX-License-Identifier: LGPL-2.1-or-later
// Moves a group of up to GROUP_WALKERS walkers that are near each other. A workgroup is one
// subgroup, and a walker has a lane. In every step, points that are in the balls of all walkers
// are added up from prefix sums of whole cells (columns.glsl). Points that may be in some balls
// are tested one by one (balls.glsl). The group continues until more than half of the walkers
// have stopped or have come to a visited point, they are too far apart, or the budget of the
// dispatch is spent. Walkers that are not done are listed for the next round.
#extension GL_KHR_shader_subgroup_shuffle : require

layout (local_size_x_id = 3) in;
const uint LANES = gl_WorkGroupSize.x;  // lanes of the subgroup, 64 at most
layout (constant_id = 4) const bool IS_CPU = false;

// Upper bound of the loop rounds of a lane so far, on CPU devices (rounds_of_move()).
uint rounds = 0;

void count_rounds (uint n)
{
  if (IS_CPU)
    rounds += n;
}

#include "palette/exact/walk/walkers.glsl"
#include "palette/exact/walk/columns.glsl"
#include "palette/exact/walk/balls.glsl"

// The walkers, by lane, and the work done. In shared memory, as they are not used while
// points are tested, and registers limit how many subgroups are resident.
shared Walker group[GROUP_WALKERS];
shared Work done;

// --- a step ---

// Sets the centre and the box of the walkers. is_here: the lane has a walker. Returns
// the largest side of the box. All lanes call it.
uint find_box (bool is_here)
{
  ivec3 place = is_here ? group[gl_SubgroupInvocationID].place : ivec3 (0);
  ivec3 low = subgroupMin (is_here ? place : ivec3 (0x7fffffff));
  ivec3 high = subgroupMax (is_here ? place : ivec3 (0));
  ivec3 size = high - low;

  if (subgroupElect ()) {
    centre = (low + high) >> 1;
    box_low = low - centre;
    box_high = high - centre;
  }
  subgroupBarrier ();
  return uint (max (max (size.x, size.y), size.z));
}

// Clears the sums, and sets the balls of the walkers. All lanes call it.
void begin_step (bool is_here, uint rank)
{
  for (uint first = 0; first < 4 * GROUP_WALKERS; first += LANES)
    if (first + gl_SubgroupInvocationID < 4 * GROUP_WALKERS)
      sums_of_balls[first + gl_SubgroupInvocationID] = uvec2 (0);
  if (gl_SubgroupInvocationID < 4)
    base[gl_SubgroupInvocationID] = uvec2 (0);
  if (is_here)
    balls[rank] = ball_around (group[gl_SubgroupInvocationID].place - centre);
  subgroupBarrier ();
}

// Returns the sums over the ball of the walker with this rank.
Sums sums_of_ball (uint rank)
{
  Sums all = Sums (base[0].x, base[1], base[2], base[3]);

  return add_sums (all, Sums (sums_of_balls[4 * rank + 3].x,
          sums_of_balls[4 * rank], sums_of_balls[4 * rank + 1],
          sums_of_balls[4 * rank + 2]));
}

// Sets CONTROL_TOO_LONG if walk_lanes.comp could not have gathered a list of so many
// points. That shader goes over entries of two kinds in batches of one to a lane, and
// over the points of each batch in tiles.
void report_length (uint points)
{
  uint needed = (2 * n_entries + points) / LANES + 4;

  if (needed >= push.max_list_rounds && subgroupElect ())
    atomicOr (control[CONTROL_TOO_LONG], 1);
}

// Returns whether the step that began at rounds_before took more loop rounds than a CPU
// device allows. Its sums are then not valid, and CONTROL_STEP_TOO_LONG is set.
bool is_too_long (uint rounds_before)
{
  if (!IS_CPU || rounds - rounds_before < push.max_step_rounds)
    return false;
  if (subgroupElect ())
    atomicOr (control[CONTROL_STEP_TOO_LONG], 1);
  return true;
}

void count_work (uint n_walkers, uint points)
{
  if (!subgroupElect ())
    return;
  done.steps += n_walkers;
  done.tests += n_walkers * points;
  done.cost = done.tests;
  done.lists++;
}

// Moves this lane's walker, which has this rank among the active ones. Returns whether
// it continues.
bool move_lane (uint rank)
{
  Walker walker = group[gl_SubgroupInvocationID];

  walker.place -= centre;
  bool goes_on = move_walker (walker, sums_of_ball (rank), centre);

  walker.place += centre;
  group[gl_SubgroupInvocationID] = walker;
  return goes_on;
}

// Makes one step of the walkers of the lanes with is_here. Returns whether this lane's
// walker continues. All lanes call it.
bool step_walkers (bool is_here)
{
  uint rounds_before = rounds;
  uvec4 here = subgroupBallot (is_here);
  uint n_walkers = subgroupBallotBitCount (here);
  uint rank = subgroupBallotExclusiveBitCount (here);

  count_rounds (rounds_of_move ());
  begin_step (is_here, rank);
  uint points = sum_balls (n_walkers);

  report_length (points);
  count_work (n_walkers, points);
  if (is_here && !is_too_long (rounds_before))
    is_here = move_lane (rank);
  subgroupBarrier ();
  return is_here;
}

// --- the group ---

bool may_begin ()
{
  uint spent = 0;

  if (subgroupElect ())
    spent = atomicOr (control[CONTROL_SPENT], 0);
  return subgroupBroadcastFirst (spent) < push.max_units;
}

// Lists the walkers of a group from GROUP_WALKERS on for the next round; groups that
// were made for walk_lanes.comp have more. All lanes call it.
void put_off_others (uvec2 word, uint n_walkers)
{
  for (uint i = GROUP_WALKERS; i < n_walkers; i += LANES) {
    uint at = i + gl_SubgroupInvocationID;
    bool exists = at < n_walkers;

    list_walker (exists, exists ? in_order[word.y + at] : 0);
  }
}

void main ()
{
  uint number = control[CONTROL_FIRST_GROUP]
      + gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;

  if (number >= control[CONTROL_NEXT_GROUP])
    return;
  read_constants ();
  uvec2 word = groups[number];
  uint n_listed = (word.x >> 24) + 1;
  uint n_walkers = min (n_listed, GROUP_WALKERS), n_left = n_walkers;
  uint lane = gl_SubgroupInvocationID;
  bool is_here = lane < n_walkers;

  if (is_here)
    group[lane] = read_walker (in_order[word.y + lane], ivec3 (0));
  if (subgroupElect ())
    done = Work (0, 0, 0, 0);
  subgroupBarrier ();
  put_off_others (word, n_listed);
  bool goes_on = may_begin ();

  // Walkers that are farther apart would test more points together than alone. Those of a block
  // lie within two sides of a cell.
  while (goes_on && find_box (is_here) <= (5u << grid.shift) / 2) {
    is_here = step_walkers (is_here);
    n_left = subgroupBallotBitCount (subgroupBallot (is_here));
    goes_on = n_left > 0 && 2 * n_left >= n_walkers
        && done.cost < push.max_tests && rounds < push.max_step_rounds / 8;
  }
  if (lane < n_walkers)
    write_walker (group[lane], ivec3 (0));
  list_walker (is_here, is_here ? group[lane].id : 0);
  if (subgroupElect () && done.lists > 0)
    report (done);
}
