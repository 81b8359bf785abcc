// SPDX-License-Identifier: LGPL-2.1-or-later
// Of walk.comp: what balls around the walkers of a subgroup hold of listed ranges.
// Each lane takes points, four at a time, as what it waits for is memory, and tries
// them with one walker after the other. What lanes have found is added up in the
// end, and before it could overflow.
//
// Distances are computed as |p|² - 2 q·p in floats: the lattice is such that
// these are integers below 2^24 near a ball's surface, so the outcome is exact however
// it is rounded, fused or ordered; what is larger is far outside. Sums are integers: of the low bits of weights in one
// word per lane. What is left of heavy weights is added by the lanes that have the
// walkers, one point after the other.

const uint LIGHT = 1023;        // low bits of weights
const uint MAX_TILES = 256;     // times LIGHT times 4096 is less than 2^31

// Walkers as points are tried with them, and the sums that were found for each: x,
// y, z, weight.
shared vec4 balls[GROUP_WALKERS];
shared uvec2 sums_of_balls[4 * GROUP_WALKERS];

// What lanes have found, a row for each of these sums.
const uint ROW = LANES + 1;
shared int found_by_lane[4 * GROUP_WALKERS * ROW];

// Calls step (k) for the walkers, of which there are n, and perhaps one more; and
// for four of anything. Numbers have to be constants, for arrays to stay in
// registers.
#define FOR_WALKERS(step, n) \
  if (n > 0) { step (0) step (1) } \
  if (n > 2) { step (2) step (3) }
#define FOR_FOUR(step) step (0) step (1) step (2) step (3)

struct Point
{
  ivec3 whole;
  vec3 place;                   // the same
  float square;
  uint weight;                  // 0 where there is none
};

// About the centre.
Point
load_point (uint number, bool exists, ivec3 about)
{
  ivec3 whole = ivec3 (0);
  uint weight = 0;

  if (exists) {
    whole = ivec3 (coordinates_of (sorted[number])) - about;
    weight = IS_WEIGHTED ? weights[number] : 1;
  }
  vec3 place = vec3 (whole);

  return Point (whole, place, dot (place, place), weight);
}

ivec4
try_point (Point point, vec4 ball, ivec4 found)
{
  float distance = fma (ball.x, point.place.x, point.square);

  distance = fma (ball.y, point.place.y, distance);
  distance = fma (ball.z, point.place.z, distance);
  int w = distance <= ball.w ? int (point.weight & LIGHT) : 0;

  return found + ivec4 (point.whole * w, w);
}

// --- adding up ---

void
put_row (uint row, int value)
{
  found_by_lane[row * ROW + gl_SubgroupInvocationID] = value;
}

// In two parts that do not overflow.
uvec2
sum_of_row (uint row)
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

// Adds what lanes have found for each walker to its sums, and clears it. All lanes
// come here.
void
collect (uint n_walkers, inout ivec4 found[GROUP_WALKERS])
{
#define PUT(k) \
  put_row (4 * k, found[k].x); \
  put_row (4 * k + 1, found[k].y); \
  put_row (4 * k + 2, found[k].z); \
  put_row (4 * k + 3, found[k].w); \
  found[k] = ivec4 (0);
  FOR_WALKERS (PUT, n_walkers)
  subgroupBarrier ();
  for (uint row = gl_SubgroupInvocationID; row < 4 * n_walkers; row += LANES)
    sums_of_balls[row] = wide_add (sums_of_balls[row], sum_of_row (row));
  subgroupBarrier ();
}

// Adds a point's weight, if the ball of this lane's walker holds it.
void
add_heavy (ivec3 whole, uint weight, uint rank)
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

// What the low bits of weights leave, of all lanes' points. All lanes come here.
void
try_heavy (Point point, uint n_walkers)
{
  uvec4 heavy = subgroupBallot (point.weight > LIGHT);

  while (heavy != uvec4 (0)) {
    uint lane = subgroupBallotFindLSB (heavy);
    ivec3 whole = subgroupShuffle (point.whole, lane);
    uint weight = subgroupShuffle (point.weight, lane) & ~LIGHT;

    if (gl_SubgroupInvocationID < n_walkers)
      add_heavy (whole, weight, gl_SubgroupInvocationID);
    heavy &= ~(lane < 32 ? uvec4 (1u << lane, 0, 0, 0)
        : uvec4 (0, 1u << (lane - 32), 0, 0));
  }
}

// --- points ---

// Tries all points of the ranges. All lanes come here.
void
try_ranges (Ranges ranges, uint n_walkers)
{
  ivec3 about = centre;
  Cursor cursor = Cursor (0, 0);
  uint at = gl_SubgroupInvocationID, tiles = 0;
  ivec4 found[GROUP_WALKERS];

#define CLEAR(k) found[k] = ivec4 (0);
  FOR_WALKERS (CLEAR, GROUP_WALKERS)
  for (; cursor.tile < ranges.points; at += 4 * LANES) {
    uint number[4];
    Point points[4];

#define FIND(i) number[i] = next_point (ranges, cursor);
#define LOAD(i) \
    points[i] = load_point (number[i], at + i * LANES < ranges.points, about);
#define TRY(k) \
    { \
      vec4 ball = balls[k]; \
      found[k] = try_point (points[0], ball, found[k]); \
      found[k] = try_point (points[1], ball, found[k]); \
      found[k] = try_point (points[2], ball, found[k]); \
      found[k] = try_point (points[3], ball, found[k]); \
    }
#define TRY_HEAVY(i) try_heavy (points[i], n_walkers);
    FOR_FOUR (FIND)
    FOR_FOUR (LOAD)
    FOR_WALKERS (TRY, n_walkers)
    if (IS_WEIGHTED) {
      FOR_FOUR (TRY_HEAVY)
    }
    tiles += 4;
    if (tiles == MAX_TILES) {
      collect (n_walkers, found);
      tiles = 0;
    }
  }
  collect (n_walkers, found);
}
