// SPDX-License-Identifier: LGPL-2.1-or-later
// For walk.comp: finds the points that the balls around the walkers of a subgroup may
// hold, and adds up those that all balls hold. Within a column of the grid, points are
// in the order of cells along L. The points that are in all balls are one range, whose
// sums are a difference of prefix sums. The points that may be in some balls are a
// range before it and a range after it. These ranges consist of pairs of points:
// finding the range of an item costs as much as testing a point against two walkers.
//
// A lane processes two columns at a time. Ranges are listed in shared memory. Values that are the
// same for all lanes are there, too, as registers limit how many subgroups are resident.

// Centre of the box around the walkers, and the box relative to it.
shared ivec3 centre, box_low, box_high;

// Sums of the points that all balls hold: weight, x, y, z.
shared uvec2 base[4];

// Ranges of pairs of points: the number of pairs in the ranges before; and the range's
// first point minus the number of points in the ranges before, modulo 2^32.
const uint MAX_RANGES = 192 + 4 * LANES;
shared uint range_offset[MAX_RANGES], range_base[MAX_RANGES];

// Single points, which are in no pair: one for each column at most.
const uint MAX_SINGLES = 64 + 2 * LANES;
shared uint singles[MAX_SINGLES];

struct Ranges
{
  uint n, pairs, singles;
};

// The rectangle of columns that balls may reach.
struct Window
{
  uvec2 first, n;
};

// Bounds of the square root, not less and not more than it, for 0 <= square < 2^23.
int root_above (int square)
{
  return int (sqrt (float (square))) + 1;
}

int root_below (int square)
{
  return int (sqrt (float (square))) - 1;
}

uint clamp_cell (int at, uint n)
{
  return uint (clamp (at, 0, int (n) - 1));
}

Window window_of_balls ()
{
  int reach = root_above (radius_squared);
  ivec2 origin = ivec2 (corner_of (grid).yz) - centre.yz;
  ivec2 low = (box_low.yz - reach - origin) >> int (grid.shift);
  ivec2 high = (box_high.yz + reach - origin) >> int (grid.shift);
  uvec2 first = uvec2 (clamp_cell (low.x, grid.n_a), clamp_cell (low.y, grid.n_b));
  uvec2 last = uvec2 (clamp_cell (high.x, grid.n_a), clamp_cell (high.y, grid.n_b));

  return Window (first, last - first + 1);
}

// Returns the squared radius minus the squared distance in a and b between the box and a
// column: for the nearest places, and for the farthest.
ivec2 squares_left (ivec2 low)
{
  ivec2 high = low + (1 << grid.shift) - 1;
  ivec2 least = max (max (low - box_high.yz, box_low.yz - high), 0);
  ivec2 largest = max (abs (low - box_high.yz), abs (high - box_low.yz));

  return radius_squared - ivec2 (least.x * least.x + least.y * least.y,
      largest.x * largest.x + largest.y * largest.y);
}

// Points of a column: first to end - 1 may be in some ball; of these, inner_first to
// inner_end - 1 are in all balls.
struct Column
{
  uint first, inner_first, inner_end, end;
};

// Returns the points of a column; none if it does not exist.
Column points_of_column (bool exists, uvec2 place)
{
  ivec3 origin = ivec3 (corner_of (grid)) - centre;
  ivec2 left = squares_left (ivec2 (place << grid.shift) + origin.yz);
  int shift = int (grid.shift_l), last = int (grid.n_l) - 1;
  uint at = (place.x * grid.n_b + place.y) * grid.n_l;
  int reach = root_above (max (left.x, 0));
  // Cells outer.x to outer.y are within reach of some ball; cells inner.x to inner.y lie
  // wholly inside all balls.
  ivec2 outer = clamp ((ivec2 (box_low.x - reach, box_high.x + reach)
          - origin.x) >> shift, 0, last);

  reach = root_below (max (left.y, 0));
  ivec2 inner = (ivec2 (box_high.x - reach + (1 << shift) - 1, box_low.x + reach
          + 1) - origin.x >> shift) - ivec2 (0, 1);

  inner = ivec2 (max (inner.x, 0), min (inner.y, last));
  if (left.y < 0 || inner.x > inner.y)
    inner = ivec2 (outer.y + 1, outer.y);
  if (!exists || left.x < 0) {
    at = 0;
    outer = inner = ivec2 (0, -1);
  }
  return Column (starts[at + outer.x], starts[at + inner.x],
      starts[at + inner.y + 1], starts[at + outer.y + 1]);
}

// If no more points of a column than this are in all balls, they are tested, too.
const uint FEW_INSIDE = 3;

// Makes both ranges consist of whole pairs, by moving points from the inner range to
// them. Returns whether a single point is left over, the one at end.
bool pair_up (inout Column column)
{
  uint left = column.end - column.first & 1;

  if (column.inner_end - column.inner_first > FEW_INSIDE) {
    column.inner_first += column.inner_first - column.first & 1;
    column.inner_end -= column.end - column.inner_end & 1;
    return false;
  }
  column.end -= left;
  column.inner_first = column.inner_end = column.end;
  return left != 0;
}

// Writes a range at this index of the list, unless it is empty; advances the index, and
// the offset by its pairs.
void put_range (uint first, uint end, inout uint at, inout uint offset)
{
  if (first == end)
    return;
  range_offset[at] = offset;
  range_base[at] = first - 2 * offset;
  at++;
  offset += end - first >> 1;
}

uint count_ranges (Column column)
{
  return uint (column.inner_first > column.first) + uint (column.end > column.inner_end);
}

uint count_tried (Column column)
{
  return column.inner_first - column.first + column.end - column.inner_end;
}

// Appends ranges of this lane's columns. All lanes call it.
void list_ranges (Column one, Column other, inout Ranges ranges)
{
  // One scan for both: pairs are fewer than 2^23, and ranges at most four for each of 64 lanes.
  uint both = (count_tried (one) + count_tried (other) >> 1) << 9
      | count_ranges (one) + count_ranges (other);
  uint before = subgroupExclusiveAdd (both);
  uint at = ranges.n + (before & 511), offset = ranges.pairs + (before >> 9);

  put_range (one.first, one.inner_first, at, offset);
  put_range (one.inner_end, one.end, at, offset);
  put_range (other.first, other.inner_first, at, offset);
  put_range (other.inner_end, other.end, at, offset);
  both = subgroupAdd (both);
  ranges.n += both & 511;
  ranges.pairs += both >> 9;
}

// Returns whether the lists have room for two more columns of each lane.
bool have_room (Ranges ranges)
{
  return ranges.n <= MAX_RANGES - 4 * LANES && ranges.singles <= MAX_SINGLES - 2 * LANES;
}

// Appends a single point of this lane, if it exists. All lanes call it.
void list_single (bool exists, uint number, inout Ranges ranges)
{
  uvec4 ballot = subgroupBallot (exists);

  if (exists)
    singles[ranges.singles + subgroupBallotExclusiveBitCount (ballot)] = number;
  ranges.singles += subgroupBallotBitCount (ballot);
}

// Adds the sums of all lanes to base. All lanes call it.
void add_to_base (Sums sums)
{
  sums = sums_about (sums, uvec3 (centre));
  uint n = subgroupAdd (sums.n);
  uvec2 x = add_lanes_wide (sums.x), y = add_lanes_wide (sums.y);
  uvec2 z = add_lanes_wide (sums.z);

  if (subgroupElect ()) {
    base[0].x += n;
    base[1] = wide_add (base[1], x);
    base[2] = wide_add (base[2], y);
    base[3] = wide_add (base[3], z);
  }
  subgroupBarrier ();
}

// Returns this lane's column, of the columns of the window from first on.
Column column_of_window (Window window, uint first)
{
  uint i = first + gl_SubgroupInvocationID;
  uint a = uint ((float (i) + 0.5) / float (window.n.y));

  return points_of_column (a < window.n.x, window.first + uvec2 (a,
          i - a * window.n.y));
}

Sums sums_inside_column (Column column)
{
  if (column.inner_end == column.inner_first)
    return NO_SUMS;
  return subtract_sums (sums_before (column.inner_end), sums_before (column.inner_first));
}

// --- points of ranges ---

// Position in the ranges: the first pair of a tile, which has a pair for each lane, and
// the number of ranges that began before it.
struct RangeCursor
{
  uint tile, ranges;
};

// Returns a bitmap of the lanes, 64 at most, whose pair is the first of a range.
uvec2 lanes_where_ranges_begin (Ranges ranges, RangeCursor cursor)
{
  uint number = cursor.ranges + gl_SubgroupInvocationID;
  uint lane = LANES;

  if (number < ranges.n)
    lane = range_offset[number] - cursor.tile;
  if (LANES <= 32)
    return uvec2 (subgroupOr (lane < LANES ? 1u << lane : 0), 0);
  return subgroupOr (uvec2 (lane < 32 ? 1u << lane : 0,
          lane - 32 < 32 ? 1u << (lane - 32) : 0));
}

// Returns the first point of this lane's pair of the tile, or any value if there is
// none; advances the cursor. All lanes call it.
uint next_pair (Ranges ranges, inout RangeCursor cursor)
{
  uvec2 begins = lanes_where_ranges_begin (ranges, cursor);
  uvec2 mine = begins & gl_SubgroupLeMask.xy;
  uint number = cursor.ranges + bitCount (mine.x) + bitCount (mine.y) - 1;
  uint point = 2 * (cursor.tile + gl_SubgroupInvocationID) + range_base[number];

  cursor.ranges += bitCount (begins.x) + bitCount (begins.y);
  cursor.tile += LANES;
  return point;
}
