// SPDX-License-Identifier: LGPL-2.1-or-later
// Of walk.comp: the list, in shared memory, of points that balls around some
// places of a cell hold and balls around others do not; and how it is gathered
// out of the grid. A list too long for its memory comes in several parts.
//
// Weights are split into digits to base 1024, a list for each of the two
// lowest: then no thread's sum of a digit times a coordinate exceeds 32 bits.
// What is left of heavy weights is summed in two words.

const uint TILE = GROUP_THREADS;
const uint TILE_POINTS = POINTS * GROUP_THREADS;
const uint DIGIT_BITS = 10;
const uint DIGIT = (1u << DIGIT_BITS) - 1;

// Low digits from the front, high digits from the back. An entry is x, y, z
// from LIST_BIAS on and the digit, 16 bits each.
shared uint list_xy[CAPACITY], list_zw[CAPACITY];
const int LIST_BIAS = 4096;
shared uint heavy[HEAVY_CAPACITY];      // numbers of points

struct Counts
{
  uint low, high, heavy;
};

const Counts NO_COUNTS = Counts (0, 0, 0);

shared Counts listed;           // what the list holds

// What tiles append: three by turns, so that one barrier a tile is enough.
shared uint tile_counts[9];

shared uint range_first[TILE], range_offset[TILE];

// Where gathering goes on: entries of the table come in batches of one per
// thread, the points that a batch's entries hold in tiles of POINTS per
// thread.
struct Cursor
{
  uint batch, tile;
};

Counts
add_counts (Counts a, Counts b)
{
  return Counts (a.low + b.low, a.high + b.high, a.heavy + b.heavy);
}

bool
is_room_for (Counts counts)
{
  return counts.low + counts.high <= CAPACITY
      && counts.heavy <= HEAVY_CAPACITY;
}

// Ranges of points of one batch into shared memory; returns their number of
// points. Entries that every ball holds wholly are added to base, where
// wanted. All threads come here.
uint
load_batch (uint batch, uvec3 cell, bool with_base, inout Sums base)
{
  uint at = batch + gl_LocalInvocationID.x;
  uint first = 0, end = 0, total;

  if (at < n_entries) {
    uint entry = entries[at];
    bool is_inside = (entry >> 20) != 0;

    range_of_entry (entry, cell, first, end);
    if (is_inside) {
      if (with_base && end > first)
        base = add_sums (base, sums_of_range (first, end,
                centre_of (cell, grid)));
      end = first;
    }
  }
  uint offset = group_exclusive_scan (end - first, total);

  range_first[gl_LocalInvocationID.x] = first;
  range_offset[gl_LocalInvocationID.x] = offset;
  barrier ();
  return total;
}

// The point that is number at among those of the batch.
uint
point_of_batch (uint at)
{
  uint range = 0;

  for (uint step = TILE / 2; step != 0; step >>= 1)
    if (range_offset[range + step] <= at)
      range += step;
  return range_first[range] + at - range_offset[range];
}

// This thread's points of a tile; weight 0 where there is none.
void
load_points (uint tile, uint total, ivec3 centre, out uint point[POINTS],
    out ivec3 place[POINTS], out uint weight[POINTS])
{
  for (uint k = 0; k < POINTS; k++) {
    uint i = tile + k * GROUP_THREADS + gl_LocalInvocationID.x;

    point[k] = 0;
    place[k] = ivec3 (0);
    weight[k] = 0;
    if (i < total) {
      point[k] = point_of_batch (i);
      place[k] = place_of_point (point[k], centre);
      weight[k] = IS_WEIGHTED ? weights[point[k]] : 1;
    }
  }
}

// Leaves points that are candidates their weights. Those that balls around all
// places of the cell hold are added to base, where wanted.
void
keep_candidates (ivec3 place[POINTS], inout uint weight[POINTS],
    bool with_base, inout Sums base)
{
  for (uint k = 0; k < POINTS; k++) {
    Squares squares = squares_of_place (place[k]);
    bool is_inside = squares.largest <= radius_squared;

    if (is_inside && with_base && weight[k] != 0)
      base = add_sums (base, sums_of_place (place[k], weight[k]));
    if (is_inside || squares.least > radius_squared)
      weight[k] = 0;
  }
}

uint
low_digit (uint weight)
{
  return weight & DIGIT;
}

uint
high_digit (uint weight)
{
  return weight >> DIGIT_BITS & DIGIT;
}

uint
above_digits (uint weight)
{
  return weight >> (2 * DIGIT_BITS) << (2 * DIGIT_BITS);
}

// Entries that points of these weights take.
Counts
count_entries (uint weight[POINTS])
{
  Counts counts = NO_COUNTS;

  for (uint k = 0; k < POINTS; k++) {
    counts.low += uint (low_digit (weight[k]) != 0);
    if (IS_WEIGHTED) {
      counts.high += uint (high_digit (weight[k]) != 0);
      counts.heavy += uint (above_digits (weight[k]) != 0);
    }
  }
  return counts;
}

// Where this thread's entries go among those of the tile. All threads come
// here.
Counts
claim (Counts mine, uint turn)
{
  Counts at = Counts (subgroupExclusiveAdd (mine.low), 0, 0);
  uint lows = subgroupAdd (mine.low), highs = 0, heavies = 0;
  uint low = 0, high = 0, heavy = 0;

  if (IS_WEIGHTED) {
    at.high = subgroupExclusiveAdd (mine.high);
    at.heavy = subgroupExclusiveAdd (mine.heavy);
    highs = subgroupAdd (mine.high);
    heavies = subgroupAdd (mine.heavy);
  }
  if (subgroupElect ()) {
    low = atomicAdd (tile_counts[turn * 3], lows);
    if (highs != 0)
      high = atomicAdd (tile_counts[turn * 3 + 1], highs);
    if (heavies != 0)
      heavy = atomicAdd (tile_counts[turn * 3 + 2], heavies);
  }
  return add_counts (at, Counts (subgroupBroadcastFirst (low),
          subgroupBroadcastFirst (high), subgroupBroadcastFirst (heavy)));
}

// All entries of the tile that was claimed. Makes the counts of the turn
// before the last ready for the one after the next: everybody has read them.
Counts
finish_claims (inout uint turn)
{
  barrier ();
  Counts all = Counts (tile_counts[turn * 3], tile_counts[turn * 3 + 1],
      tile_counts[turn * 3 + 2]);
  uint oldest = turn == 0 ? 2 : turn - 1;

  if (gl_LocalInvocationID.x < 3)
    tile_counts[oldest * 3 + gl_LocalInvocationID.x] = 0;
  turn = oldest == 0 ? 2 : oldest - 1;
  return all;
}

void
put (uint at, ivec3 place, uint digit)
{
  uvec3 biased = uvec3 (place + LIST_BIAS);

  list_xy[at] = biased.x | biased.y << 16;
  list_zw[at] = biased.z | digit << 16;
}

void
append (uint point[POINTS], ivec3 place[POINTS], uint weight[POINTS],
    Counts at)
{
  for (uint k = 0; k < POINTS; k++) {
    if (low_digit (weight[k]) != 0)
      put (at.low++, place[k], low_digit (weight[k]));
    if (IS_WEIGHTED && high_digit (weight[k]) != 0)
      put (CAPACITY - 1 - at.high++, place[k], high_digit (weight[k]));
    if (IS_WEIGHTED && above_digits (weight[k]) != 0)
      heavy[at.heavy++] = point[k];
  }
}

// Gathers candidates from the cursor on until the list is full or all are in;
// returns whether the cursor is at the end. With base: goes on to the end for
// the sake of base, this thread's part of what every ball holds, and of
// n_candidates, the cursor staying where the list became full. All threads
// come here.
bool
gather (uvec3 cell, bool with_base, inout Cursor cursor, inout Sums base,
    inout uint n_candidates)
{
  ivec3 centre = ivec3 (centre_of (cell, grid));
  Cursor at = cursor;
  Counts used = NO_COUNTS;
  uint turn = 0;
  bool is_full = false;

  barrier ();
  if (gl_LocalInvocationID.x < 9)
    tile_counts[gl_LocalInvocationID.x] = 0;
  for (; at.batch < n_entries && (with_base || !is_full);
      at = Cursor (at.batch + TILE, 0)) {
    uint total = load_batch (at.batch, cell, with_base, base);

    n_candidates += total;
    for (; at.tile < total && (with_base || !is_full);
        at.tile += TILE_POINTS) {
      uint point[POINTS], weight[POINTS];
      ivec3 place[POINTS];

      load_points (at.tile, total, centre, point, place, weight);
      keep_candidates (place, weight, with_base, base);
      Counts mine = claim (count_entries (weight), turn);
      Counts all = finish_claims (turn);

      if (!is_full && !is_room_for (add_counts (used, all))) {
        is_full = true;
        cursor = at;
      }
      if (!is_full) {
        append (point, place, weight, add_counts (used, mine));
        used = add_counts (used, all);
      }
    }
    // The ranges are replaced next.
    barrier ();
  }
  if (!is_full)
    cursor = at;
  if (gl_LocalInvocationID.x == 0)
    listed = used;
  barrier ();
  return !is_full;
}
