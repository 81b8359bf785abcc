// SPDX-License-Identifier: LGPL-2.1-or-later
// For walk.comp: tests listed points against the balls around the walkers of a
// subgroup, and adds up those inside. Each lane loads four points at a time, to hide
// memory latency, and tests them against one walker after the other. The sums of all
// lanes are added up at the end, and before they could overflow. This is outside the
// loop, so that sums stay in the same registers from one tile to the next.
//
// Distances are computed as |p|² - 2 q·p in floats. Near a ball's surface these are
// integers below 2^24, due to the choice of the lattice, so the result of a test is
// exact for any rounding, fusing or order; larger ones are far outside. Sums are exact,
// too. With weights they are integers: of the low bits of weights, in a word for each
// lane. The lanes of the walkers add the high bits of heavy weights, one point after the
// other. Without weights they are integers below 2^24, in floats.

const uint LIGHT = 1023;        // mask of the low bits of weights
const uint MAX_POINTS = 256;    // points of a lane: 256 * LIGHT * 4096 is below 2^31
const uint MAX_TILES = (MAX_POINTS - (MAX_SINGLES + LANES - 1) / LANES) / 4;    // of four points
const float NOWHERE = 1e30;     // squared distance of a missing point

// Balls of the walkers (ball_around()), and the sums that were found for each: x, y, z, weight.
shared vec4 balls[GROUP_WALKERS];
shared uvec2 sums_of_balls[4 * GROUP_WALKERS];

// Sums of all lanes, with a row for each of sums_of_balls.
const uint ROW = LANES + 1;
shared int found_by_lane[4 * GROUP_WALKERS * ROW];

// Calls step (k) for n walkers, at least one. The numbers k are constants, so that
// arrays stay in registers.
#define FOR_WALKERS(step, n) \
  step (0) \
  if (n > 1) { step (1) } \
  if (n > 2) { step (2) } \
  if (n > 3) { step (3) }

struct Point
{
  ivec3 whole;                  // coordinates about the centre; used with weights
  vec3 place;                   // the same, as floats
  float square;                 // squared length, or NOWHERE
  uint weight;                  // 0 if the point is missing
};

// Loads a point relative to `about`; if it does not exist, it is in no ball.
Point load_point (uint number, bool exists, ivec3 about)
{
  uvec2 point = sorted[number];
  uint weight = IS_WEIGHTED ? exists ? sorted_weights[number] : 0 : 1;
  ivec3 whole = ivec3 (coordinates_of (point)) - about;
  vec3 place = IS_WEIGHTED ? vec3 (whole) : vec3 (coordinates_of (point)) - vec3 (about);

  return Point (whole, place, exists ? dot (place, place) : NOWHERE, weight);
}

// A lane's sums over each walker's ball: x, y, z, weight; without weights, the bits of floats.
struct Found
{
  ivec4 sums[GROUP_WALKERS];
};

// Returns the sums, with this point added if the ball holds it.
ivec4 try_point (Point point, vec4 ball, ivec4 sums)
{
  float distance = fma (ball.x, point.place.x, point.square);

  distance = fma (ball.y, point.place.y, distance);
  distance = fma (ball.z, point.place.z, distance);
  if (IS_WEIGHTED) {
    int w = distance <= ball.w ? int (point.weight & LIGHT) : 0;

    return sums + ivec4 (point.whole * w, w);
  }
  float one = float (distance <= ball.w);
  vec4 before = intBitsToFloat (sums);

  return floatBitsToInt (vec4 (fma (point.place, vec3 (one), before.xyz),
          before.w + one));
}

// --- adding up ---

void put_row (uint row, int value)
{
  found_by_lane[row * ROW + gl_SubgroupInvocationID] = value;
}

// Adds up in two parts, which do not overflow.
uvec2 sum_of_row (uint row)
{
  uint low = 0;
  int high = 0;

  for (uint lane = 0; lane < LANES; lane += 4)
    for (uint i = 0; i < 4; i++) {
      int value = found_by_lane[row * ROW + lane + i];

      low += uint (value) & 0xffff;
      high += value >> 16;
    }
  return wide_add (uvec2 (low, 0), wide_multiply_signed (65536, high));
}

// Upper bound of the loop rounds of collect() and sum_of_row().
const uint ROUNDS_OF_COLLECTING = (4 * GROUP_WALKERS / LANES + 2) * (6 * LANES / 4 + 2);

// Adds the sums of all lanes to those of each walker, and clears them. All lanes call it.
void collect (uint n_walkers, inout Found found)
{
#define PUT(k) \
  if (!IS_WEIGHTED) \
    found.sums[k] = ivec4 (intBitsToFloat (found.sums[k])); \
  put_row (4 * k, found.sums[k].x); \
  put_row (4 * k + 1, found.sums[k].y); \
  put_row (4 * k + 2, found.sums[k].z); \
  put_row (4 * k + 3, found.sums[k].w); \
  found.sums[k] = ivec4 (0);
  FOR_WALKERS (PUT, n_walkers)
  subgroupBarrier ();
  for (uint first = 0; first < 4 * GROUP_WALKERS; first += LANES) {
    uint row = first + gl_SubgroupInvocationID;

    if (row < 4 * n_walkers)
      sums_of_balls[row] = wide_add (sums_of_balls[row], sum_of_row (row));
  }
  count_rounds (ROUNDS_OF_COLLECTING);
  subgroupBarrier ();
}

// Adds a point with this weight, if the ball of this lane's walker holds it.
void add_heavy (ivec3 whole, uint weight, uint rank)
{
  vec4 ball = balls[rank];
  vec3 place = vec3 (whole);

  if (dot (place, place) + dot (ball.xyz, place) > ball.w)
    return;
  Sums sums = sums_of_place (whole, weight);

  sums_of_balls[4 * rank] = wide_add (sums_of_balls[4 * rank], sums.x);
  sums_of_balls[4 * rank + 1] = wide_add (sums_of_balls[4 * rank + 1], sums.y);
  sums_of_balls[4 * rank + 2] = wide_add (sums_of_balls[4 * rank + 2], sums.z);
  sums_of_balls[4 * rank + 3].x += sums.n;
}

// Adds the high bits of the weights of all lanes' points. All lanes call it.
void try_heavy (Point point, uint n_walkers)
{
  uvec4 heavy = subgroupBallot (point.weight > LIGHT);

  count_rounds (subgroupBallotBitCount (heavy) + 1);
  while (heavy != uvec4 (0)) {
    uint lane = subgroupBallotFindLSB (heavy);
    ivec3 whole = subgroupShuffle (point.whole, lane);
    uint weight = subgroupShuffle (point.weight, lane) & ~LIGHT;

    if (gl_SubgroupInvocationID < n_walkers)
      add_heavy (whole, weight, gl_SubgroupInvocationID);
    heavy &= ~(lane < 32 ? uvec4 (1u << lane, 0, 0, 0) : uvec4 (0, 1u << (lane - 32), 0, 0));
  }
}

// --- points ---

#define TRY(k, point) found.sums[k] = try_point (point, ball, found.sums[k]);

// Tests the pairs of the ranges from the cursor on, as many as fit before sums could
// overflow. All lanes call it.
void try_ranges (Ranges ranges, uint n_walkers, inout RangeCursor cursor,
    inout Found found)
{
  ivec3 about = centre;
  uint end = min (ranges.pairs, cursor.tile + MAX_TILES * 2 * LANES);

  for (uint at = cursor.tile + gl_SubgroupInvocationID; cursor.tile < end;
      at += 2 * LANES) {
    Point points[4];

#define LOAD_PAIR(i) \
    { \
      bool exists = at + i * LANES < ranges.pairs; \
      uint number = next_pair (ranges, cursor); \
      number = exists ? number : 0; \
      points[2 * i] = load_point (number, exists, about); \
      points[2 * i + 1] = load_point (number + 1, exists, about); \
    }
#define TRY_FOUR(k) \
    { \
      vec4 ball = balls[k]; \
      TRY (k, points[0]) \
      TRY (k, points[1]) \
      TRY (k, points[2]) \
      TRY (k, points[3]) \
    }
#define TRY_HEAVY(i) try_heavy (points[i], n_walkers);
    count_rounds (1);
    LOAD_PAIR (0)
    LOAD_PAIR (1)
    FOR_WALKERS (TRY_FOUR, n_walkers)
    uint most = max (max (points[0].weight, points[1].weight),
        max (points[2].weight, points[3].weight));

    if (IS_WEIGHTED && subgroupBallot (most > LIGHT) != uvec4 (0)) {
      TRY_HEAVY (0)
      TRY_HEAVY (1)
      TRY_HEAVY (2)
      TRY_HEAVY (3)
    }
  }
}

// Tests the single points. All lanes call it.
void try_singles (uint n, uint n_walkers, inout Found found)
{
  for (uint first = 0; first < n; first += LANES) {
    uint at = first + gl_SubgroupInvocationID;
    bool exists = at < n;
    Point point = load_point (exists ? singles[at] : 0, exists, centre);

#define TRY_ONE(k) \
    { \
      vec4 ball = balls[k]; \
      TRY (k, point) \
    }
    count_rounds (1);
    FOR_WALKERS (TRY_ONE, n_walkers)
    if (IS_WEIGHTED)
      try_heavy (point, n_walkers);
  }
}

// Tests all listed points. All lanes call it.
void try_listed (Ranges ranges, uint n_walkers)
{
  Found found;
  RangeCursor cursor = RangeCursor (0, 0);

#define CLEAR(k) found.sums[k] = ivec4 (0);
  FOR_WALKERS (CLEAR, GROUP_WALKERS)
  try_singles (ranges.singles, n_walkers, found);
  do {
    try_ranges (ranges, n_walkers, cursor, found);
    collect (n_walkers, found);
  } while (cursor.tile < ranges.pairs);
}

// --- columns ---

// Goes over columns from first on, as long as the lists have room: lists their ranges
// of pairs and single points, and adds up the points that all balls hold. Returns the
// number of columns of the window. All lanes call it.
uint list_columns (inout uint first, out Ranges ranges)
{
  Window window = window_of_balls ();
  uint n_columns = window.n.x * window.n.y;
  Sums inside = NO_SUMS;

  ranges = Ranges (0, 0, 0);
  for (; first < n_columns && have_room (ranges); first += 2 * LANES) {
    Column one = column_of_window (window, first);
    Column other = column_of_window (window, first + LANES);
    bool leaves_one = pair_up (one), other_leaves_one = pair_up (other);

    count_rounds (1);
    inside = add_sums (inside, sums_inside_column (one));
    inside = add_sums (inside, sums_inside_column (other));
    list_ranges (one, other, ranges);
    list_single (leaves_one, one.end, ranges);
    list_single (other_leaves_one, other.end, ranges);
  }
  add_to_base (inside);
  return n_columns;
}

// Adds up the points of all balls, in shared memory. Returns the number of points that
// were tested. All lanes call it.
uint sum_balls (uint n_walkers)
{
  uint points = 0, column = 0, n_columns;

  do {
    Ranges ranges;

    // A round of this loop, and the last round of each inner loop.
    count_rounds (4);
    n_columns = list_columns (column, ranges);
    try_listed (ranges, n_walkers);
    points += 2 * ranges.pairs + ranges.singles;
  } while (column < n_columns);
  return points;
}
