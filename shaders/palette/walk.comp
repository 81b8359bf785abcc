// SPDX-License-Identifier: LGPL-2.1-or-later
// Lets the walkers of one cell step together. Whatever the ball around any
// place in the cell holds wholly is added up once, from prefix sums of whole
// cells; points that some balls hold and others do not (candidates) are
// gathered into shared memory once; then all walkers step against that list
// until they stop, meet a visited point, leave the cell, or have used up
// what one dispatch may spend. Those that are not done are listed for the
// next round.
//
// Coordinates are relative to the cell's centre from here on. Distances are
// computed as |p|² - 2 q·p in floats: the lattice is such that all of these
// are integers below 2^24, so the outcome is exact however it is rounded,
// fused or ordered.
//
// Weights are split into digits to base 1024, a list for each of the two
// lowest: then no thread's sum of a digit times a coordinate exceeds 32 bits.
// What is left of heavy weights is summed in two words.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_ballot : require

// 64 at least, a power of two: small where barriers are dear.
layout (local_size_x_id = 3) in;
#define GROUP_THREADS gl_WorkGroupSize.x

#include "common/group.glsl"
#include "palette/control.glsl"
#include "palette/grid.glsl"
#include "palette/lattice.glsl"
#include "palette/visited.glsl"
#include "palette/ways.glsl"

layout (constant_id = 0) const bool IS_WEIGHTED = true;
layout (constant_id = 1) const uint CAPACITY = 512;
layout (constant_id = 2) const uint POINTS = 1;  // of a thread per tile
layout (constant_id = 4) const uint HEAVY_CAPACITY = 64;

layout (std430, binding = 0) buffer Control { uint control[]; };
layout (std430, binding = 1) readonly buffer Starts { uint starts[]; };
layout (std430, binding = 2) readonly buffer Sorted { uvec2 sorted[]; };
layout (std430, binding = 3) readonly buffer Weights { uint weights[]; };
layout (std430, binding = 4) readonly buffer SumsN { uint sums_n[]; };
layout (std430, binding = 5) readonly buffer SumsX { uvec2 sums_x[]; };
layout (std430, binding = 6) readonly buffer SumsY { uvec2 sums_y[]; };
layout (std430, binding = 7) readonly buffer SumsZ { uvec2 sums_z[]; };
layout (std430, binding = 8) readonly buffer Entries { uint entries[]; };
layout (std430, binding = 9) readonly buffer Groups { uvec2 groups[]; };
layout (std430, binding = 10) readonly buffer Order { uint order[]; };
layout (std430, binding = 11) buffer Walkers { uvec2 walkers[]; };
layout (std430, binding = 12) buffer Ways { uint ways[]; };
layout (std430, binding = 13) writeonly buffer List { uint list[]; };
layout (std430, binding = 14) buffer Visited { uint visited[]; };
layout (std430, binding = 15) writeonly buffer Follow { uint follow[]; };
layout (push_constant) uniform Push
{
  Grid grid;
  uint n_entries;
  int radius_squared;
  uint table_bits;
  uint is_sharing;
  uint max_tests;               // of a workgroup, about
  uint max_units;               // of the dispatch; then no more is begun
  uint few;                     // so few walkers go on from cell to cell
};

DEFINE_VISIT (visited)
DEFINE_FIND (visited)

const uint MAX_WALKERS = 64;
// With so many, each adds so few digits that their sums fit 32 bits.
const uint MIN_LANES = 16;
const uint TILE = GROUP_THREADS;
const uint TILE_POINTS = POINTS * GROUP_THREADS;
const uint DIGIT_BITS = 10;
const uint DIGIT = (1u << DIGIT_BITS) - 1;
const uint LOW_BITS = 22;       // of sums in two parts
const uint LOW = (1u << LOW_BITS) - 1;

// Candidates: low digits from the front, high digits from the back. An entry
// is x, y, z from LIST_BIAS on and the digit, 16 bits each.
shared uint list_xy[CAPACITY], list_zw[CAPACITY];
const int LIST_BIAS = 4096;
shared uint heavy[HEAVY_CAPACITY];      // numbers of points
shared uint n_low, n_high, n_heavy;
// What tiles append, by turns: low, high, heavy of each of three.
shared uint tile_counts[9];

shared uint range_first[TILE], range_offset[TILE];

// Per walker: 0 the weight; 1, 3, 5 low and 2, 4, 6 high parts of x, y, z.
shared int sums[MAX_WALKERS * 7];
shared int base_sums[7];

shared int place_x[MAX_WALKERS], place_y[MAX_WALKERS], place_z[MAX_WALKERS];
shared uint walker_id[MAX_WALKERS], walker_way[MAX_WALKERS];
shared uint n_staying;
shared bool is_spent;

struct Sums
{
  uint n;
  uvec2 x, y, z;                // signed
};

const Sums NO_SUMS = Sums (0, uvec2 (0), uvec2 (0), uvec2 (0));

// --- what is in the ball wherever the walker is in the cell ---

void
add_moment (inout Sums sum, uint n, uvec2 x, uvec2 y, uvec2 z)
{
  sum.n += n;
  sum.x = wide_add (sum.x, x);
  sum.y = wide_add (sum.y, y);
  sum.z = wide_add (sum.z, z);
}

uvec2
moment_about (uvec2 after, uvec2 before, uint n, uint centre)
{
  return wide_subtract (wide_subtract (after, before),
      wide_multiply (n, centre));
}

void
add_range (inout Sums sum, uint first, uint end, uvec3 centre)
{
  uint n = sums_n[end - 1], n_before = 0;
  uvec2 x = uvec2 (0), y = uvec2 (0), z = uvec2 (0);

  if (first > 0) {
    n_before = sums_n[first - 1];
    x = sums_x[first - 1];
    y = sums_y[first - 1];
    z = sums_z[first - 1];
  }
  n -= n_before;
  add_moment (sum, n, moment_about (sums_x[end - 1], x, n, centre.x),
      moment_about (sums_y[end - 1], y, n, centre.y),
      moment_about (sums_z[end - 1], z, n, centre.z));
}

void
add_weighted (inout Sums sum, uint weight, ivec3 p)
{
  add_moment (sum, weight, wide_multiply_signed (weight, p.x),
      wide_multiply_signed (weight, p.y), wide_multiply_signed (weight, p.z));
}

int
low_part (uvec2 value)
{
  return int (value.x & LOW);
}

int
high_part (uvec2 value)
{
  return int (value.y << (32 - LOW_BITS) | value.x >> LOW_BITS);
}

uvec2
from_parts (int low, int high)
{
  return wide_add (uvec2 (uint (low), 0),
      uvec2 (uint (high) << LOW_BITS, uint (high >> (32 - LOW_BITS))));
}

// All threads come here.
void
add_to_base (Sums sum)
{
  int parts[7] = int[7] (int (sum.n), low_part (sum.x), high_part (sum.x),
      low_part (sum.y), high_part (sum.y), low_part (sum.z),
      high_part (sum.z));

  for (uint i = 0; i < 7; i++) {
    int part = subgroupAdd (parts[i]);

    if (subgroupElect ())
      atomicAdd (base_sums[i], part);
  }
}

// --- candidates ---

// Where gathering goes on: entries of the table come in batches of one per
// thread, the points that a batch's entries hold in tiles of one per thread.
struct Cursor
{
  uint batch, tile;
};

// Ranges of points of one batch into shared memory; returns their number of
// points. Sums up entries that hold whole balls' insides where wanted.
uint
load_batch (uint batch, uvec3 cell, uvec3 centre, bool with_base,
    inout Sums base)
{
  uint at = batch + gl_LocalInvocationID.x;
  uint first = 0, length = 0, total;

  if (at < n_entries) {
    uint entry = entries[at];
    int a = int (cell.y) + int (entry & 31) - 16;
    int b = int (cell.z) + int (entry >> 5 & 31) - 16;
    int l0 = max (int (cell.x) + int (entry >> 10 & 31) - 16, 0);
    int l1 = min (int (cell.x) + int (entry >> 15 & 31) - 16,
        int (grid.n_l) - 1);
    bool is_inside = (entry >> 20) != 0;

    if (a >= 0 && a < int (grid.n_a) && b >= 0 && b < int (grid.n_b)
        && l0 <= l1) {
      first = starts[cell_index (uvec3 (l0, a, b), grid)];
      length = starts[cell_index (uvec3 (l1, a, b), grid) + 1] - first;
    }
    if (is_inside) {
      if (with_base && length > 0)
        add_range (base, first, first + length, centre);
      length = 0;
    }
  }
  uint offset = group_exclusive_scan (length, total);

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

void
put (uint at, ivec3 p, uint digit)
{
  uvec3 biased = uvec3 (p + LIST_BIAS);

  list_xy[at] = biased.x | biased.y << 16;
  list_zw[at] = biased.z | digit << 16;
}

struct Counts
{
  uint low, high, heavy;
};

// Where this thread's points go among those of the tile. All threads come
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
  at.low += subgroupBroadcastFirst (low);
  at.high += subgroupBroadcastFirst (high);
  at.heavy += subgroupBroadcastFirst (heavy);
  return at;
}

// Gathers candidates from the cursor on until the list is full or all are in;
// returns whether the cursor is at the end. With base: goes on to the end for
// the sake of base_sums and n_candidates, the cursor staying where the list
// became full.
bool
gather (uvec3 cell, bool with_base, inout Cursor cursor,
    inout uint n_candidates)
{
  int half_side = 1 << grid.shift >> 1;
  uvec3 centre = (cell << grid.shift) + uvec3 (0, grid.first_a, grid.first_b)
      + half_side;
  Sums base = NO_SUMS;
  Cursor at = cursor;
  Counts used = Counts (0, 0, 0);
  uint turn = 0;
  bool is_full = false;

  barrier ();
  if (gl_LocalInvocationID.x < 9)
    tile_counts[gl_LocalInvocationID.x] = 0;
  for (; at.batch < n_entries && (with_base || !is_full);
      at = Cursor (at.batch + TILE, 0)) {
    uint total = load_batch (at.batch, cell, centre, with_base, base);

    if (with_base)
      n_candidates += total;
    for (; at.tile < total && (with_base || !is_full);
        at.tile += TILE_POINTS) {
      ivec3 ps[POINTS];
      uint weight[POINTS], points[POINTS];
      Counts mine = Counts (0, 0, 0);

      for (uint k = 0; k < POINTS; k++) {
        uint i = at.tile + k * GROUP_THREADS + gl_LocalInvocationID.x;

        weight[k] = 0;
        ps[k] = ivec3 (0);
        points[k] = 0;
        if (i < total) {
          points[k] = point_of_batch (i);
          uvec2 packed = sorted[points[k]];

          ps[k] = ivec3 (packed.y, packed.x & 0xffff, packed.x >> 16)
              - ivec3 (centre);
          weight[k] = IS_WEIGHTED ? weights[points[k]] : 1;
        }
      }
      for (uint k = 0; k < POINTS; k++) {
        ivec3 p = ps[k];
        ivec3 low = p + half_side, high = p - (half_side - 1);
        ivec3 nearest = max (max (-low, high), 0);
        ivec3 farthest = max (abs (low), abs (high));
        bool is_inside = farthest.x * farthest.x + farthest.y * farthest.y
            + farthest.z * farthest.z <= radius_squared;
        bool is_candidate = !is_inside && nearest.x * nearest.x
            + nearest.y * nearest.y + nearest.z * nearest.z <= radius_squared;

        if (is_inside && with_base && weight[k] != 0)
          add_weighted (base, weight[k], p);
        if (!is_candidate)
          weight[k] = 0;
        mine.low += uint ((weight[k] & DIGIT) != 0);
        if (IS_WEIGHTED) {
          mine.high += uint ((weight[k] >> DIGIT_BITS & DIGIT) != 0);
          mine.heavy += uint (weight[k] >> (2 * DIGIT_BITS) != 0);
        }
      }
      Counts to = claim (mine, turn);

      barrier ();
      Counts all = Counts (tile_counts[turn * 3], tile_counts[turn * 3 + 1],
          tile_counts[turn * 3 + 2]);
      // Everybody has read the turn before; it is up again after the next.
      turn = turn == 0 ? 2 : turn - 1;
      if (gl_LocalInvocationID.x < 3)
        tile_counts[turn * 3 + gl_LocalInvocationID.x] = 0;
      turn = turn == 0 ? 2 : turn - 1;
      if (!is_full && (used.low + all.low + used.high + all.high > CAPACITY
              || used.heavy + all.heavy > HEAVY_CAPACITY)) {
        is_full = true;
        cursor = at;
      }
      if (!is_full) {
        for (uint k = 0; k < POINTS; k++) {
          uint low = weight[k] & DIGIT;
          uint high = weight[k] >> DIGIT_BITS & DIGIT;

          if (low != 0)
            put (used.low + to.low++, ps[k], low);
          if (IS_WEIGHTED && high != 0)
            put (CAPACITY - 1 - used.high - to.high++, ps[k], high);
          if (IS_WEIGHTED && weight[k] >> (2 * DIGIT_BITS) != 0)
            heavy[used.heavy + to.heavy++] = points[k];
        }
        used.low += all.low;
        used.high += all.high;
        used.heavy += all.heavy;
      }
    }
    // The ranges are replaced next.
    barrier ();
  }
  if (with_base)
    add_to_base (base);
  if (!is_full)
    cursor = at;
  if (gl_LocalInvocationID.x == 0) {
    n_low = used.low;
    n_high = used.high;
    n_heavy = used.heavy;
  }
  barrier ();
  return !is_full;
}

// --- steps ---

// 2^23 as a float: the last bits of its mantissa count ones.
const uint ONES = 0x4b000000u;

// Adds what the threads of a quad found for one walker. All threads come
// here; shift: of the digit that was summed.
void
add_to_walker (uint walker, bool is_real, uvec4 found, uint shift)
{
  ivec3 sum = ivec3 (found.xyz - (ONES + uint (LIST_BIAS)) * found.w);
  ivec3 low = (sum & int (LOW >> shift)) << shift;
  ivec3 high = sum >> (LOW_BITS - shift);
  uint n = subgroupAdd (found.w);

  low = subgroupAdd (low);
  high = subgroupAdd (high);
  if (!subgroupElect () || !is_real)
    return;
  uint at = walker * 7;

  atomicAdd (sums[at], int (n << shift));
  atomicAdd (sums[at + 1], low.x);
  atomicAdd (sums[at + 2], high.x);
  atomicAdd (sums[at + 3], low.y);
  atomicAdd (sums[at + 4], high.y);
  atomicAdd (sums[at + 5], low.z);
  atomicAdd (sums[at + 6], high.z);
}

// Distances in floats, sums in integers modulo 2^32.
uvec4
test (vec3 p, float square, uvec3 bits, uint digit, vec4 walker, uvec4 sum)
{
  float distance = fma (walker.x, p.x, square);

  distance = fma (walker.y, p.y, distance);
  distance = fma (walker.z, p.z, distance);
  uint w = distance <= walker.w ? digit : 0;

  return uvec4 (bits * w + sum.xyz, sum.w + w);
}

// Four walkers against the candidates first, first + stride… below end.
void
test_list (vec4 quad[4], uint first, uint end, uint stride, out uvec4 found[4])
{
  for (uint k = 0; k < 4; k++)
    found[k] = uvec4 (0);
  for (uint i = first; i < end; i += stride) {
    uint xy = list_xy[i], zw = list_zw[i];
    uvec3 bits = uvec3 (xy & 0xffff, xy >> 16, zw & 0xffff) | ONES;
    vec3 p = uintBitsToFloat (bits) - (8388608.0 + float (LIST_BIAS));
    float square = dot (p, p);
    uint digit = IS_WEIGHTED ? zw >> 16 : 1;

    for (uint k = 0; k < 4; k++)
      found[k] = test (p, square, bits, digit, quad[k], found[k]);
  }
}

// A walker as test() wants it: -2 q, and the distance compared with.
vec4
prepare_walker (uint walker)
{
  ivec3 q = ivec3 (place_x[walker], place_y[walker], place_z[walker]);

  return vec4 (-2 * q,
      radius_squared - (q.x * q.x + q.y * q.y + q.z * q.z));
}

Sums
test_heavy (uint walker, uint first, uint stride, ivec3 centre)
{
  ivec3 q = ivec3 (place_x[walker], place_y[walker], place_z[walker]);
  Sums sum = NO_SUMS;

  for (uint i = first; i < n_heavy; i += stride) {
    uvec2 packed = sorted[heavy[i]];
    ivec3 p = ivec3 (packed.y, packed.x & 0xffff, packed.x >> 16) - centre;
    ivec3 d = p - q;

    if (d.x * d.x + d.y * d.y + d.z * d.z <= radius_squared)
      add_weighted (sum, weights[heavy[i]] >> (2 * DIGIT_BITS)
          << (2 * DIGIT_BITS), p);
  }
  return sum;
}

void
add_heavy_to_walker (uint walker, bool is_real, Sums sum)
{
  int parts[7] = int[7] (int (sum.n), low_part (sum.x), high_part (sum.x),
      low_part (sum.y), high_part (sum.y), low_part (sum.z),
      high_part (sum.z));

  for (uint i = 0; i < 7; i++) {
    int part = subgroupAdd (parts[i]);

    if (subgroupElect () && is_real)
      atomicAdd (sums[walker * 7 + i], part);
  }
}

// All walkers against the list; a quad of walkers is the work of at least a
// subgroup, so that sums stay within one.
void
test_walkers (uint n_walkers, ivec3 centre)
{
  uint n_quads = (n_walkers + 3) / 4;
  uint lanes = max (GROUP_THREADS >> findMSB (2 * n_quads - 1),
      max (gl_SubgroupSize, MIN_LANES));
  uint lane = gl_LocalInvocationID.x & (lanes - 1);
  uint low_end = n_low;
  uint high_first = CAPACITY - n_high;

  for (uint first = 0; first < n_quads; first += GROUP_THREADS / lanes) {
    uint quad = first + gl_LocalInvocationID.x / lanes;
    bool is_real = quad < n_quads;
    vec4 quad_walkers[4];
    uvec4 found[4];

    for (uint k = 0; k < 4; k++)
      quad_walkers[k] = prepare_walker (min (quad * 4 + k, n_walkers - 1));
    test_list (quad_walkers, lane, is_real ? low_end : 0, lanes, found);
    for (uint k = 0; k < 4; k++)
      add_to_walker (quad * 4 + k, quad * 4 + k < n_walkers,
          found[k], 0);
    if (IS_WEIGHTED && high_first < CAPACITY) {
      test_list (quad_walkers, high_first + lane, is_real ? CAPACITY : 0,
          lanes, found);
      for (uint k = 0; k < 4; k++)
        add_to_walker (quad * 4 + k, quad * 4 + k < n_walkers,
            found[k], DIGIT_BITS);
    }
    if (IS_WEIGHTED && n_heavy > 0)
      for (uint k = 0; k < 4; k++) {
        uint walker = quad * 4 + k;
        bool exists = walker < n_walkers;

        add_heavy_to_walker (walker, exists,
            test_heavy (min (walker, n_walkers - 1),
                exists ? lane : HEAVY_CAPACITY, lanes, centre));
      }
  }
}

Sums
take_sums (uint walker)
{
  uint at = walker * 7;
  Sums sum = Sums (uint (sums[at]), from_parts (sums[at + 1], sums[at + 2]),
      from_parts (sums[at + 3], sums[at + 4]),
      from_parts (sums[at + 5], sums[at + 6]));

  for (uint i = 0; i < 7; i++)
    sums[at + i] = 0;
  return sum;
}

Sums
base_of_cell ()
{
  return Sums (uint (base_sums[0]), from_parts (base_sums[1], base_sums[2]),
      from_parts (base_sums[3], base_sums[4]),
      from_parts (base_sums[5], base_sums[6]));
}

int
move_along (uvec2 sum, uint n, int q)
{
  return wide_divide_rounded (wide_subtract (sum,
          wide_multiply_signed (n, q)), n);
}

// From a walker's place and sums to its move.
ivec3
move_of (Sums sum, ivec3 q)
{
  if (sum.n == 0)
    return ivec3 (0);
  return ivec3 (move_along (sum.x, sum.n, q.x), move_along (sum.y, sum.n, q.y),
      move_along (sum.z, sum.n, q.z));
}

// Whether a walker that came to point goes on; keeps its way up to date.
bool
arrive (uint walker, uvec2 point, inout uint way)
{
  if ((way & ALONE) != 0) {
    if (is_sharing == 0) {
      if (way != (ALONE | ENDLESS))
        way--;
      return way != ALONE;
    }
    uint slot = find (point, table_bits);

    if (slot == NO_SLOT)
      return true;
    way = slot;
    return false;
  }

  bool is_new;
  uint slot = visit (point, table_bits, is_new);

  if (slot == NO_SLOT) {
    follow[way] = ALONE | walker;
    way = ALONE | ENDLESS;
    atomicAdd (control[CONTROL_LOST], 1);
    return true;
  }
  follow[way] = slot;
  way = slot;
  return is_new;
}

// Lists walkers for the next round. All threads come here.
void
list_walker (bool lists, uint walker)
{
  uvec4 ballot = subgroupBallot (lists);
  uint at = 0;

  if (ballot == uvec4 (0))
    return;
  if (subgroupElect ())
    at = atomicAdd (control[CONTROL_ACTIVE], subgroupBallotBitCount (ballot));
  at = subgroupBroadcastFirst (at) + subgroupBallotExclusiveBitCount (ballot);
  if (lists)
    list[at] = walker;
}

void
add_wide_to_control (uint at, uint n)
{
  uint before = atomicAdd (control[at], n);

  if (before + n < before)
    atomicAdd (control[at + 1], 1);
}

// One step of all walkers; returns how many are still in the cell and not
// done. keeps_all: those that leave the cell are kept as well.
uint
step_walkers (uint n_walkers, uvec3 cell, uvec3 centre, bool is_whole,
    bool keeps_all)
{
  uint me = gl_LocalInvocationID.x;
  Sums sum = base_of_cell ();
  Cursor cursor = Cursor (0, 0);
  uint ignored = 0;
  bool is_last = is_whole;

  do {
    if (!is_whole)
      is_last = gather (cell, false, cursor, ignored);
    test_walkers (n_walkers, ivec3 (centre));
    barrier ();
    if (me < n_walkers) {
      Sums found = take_sums (me);

      add_moment (sum, found.n, found.x, found.y, found.z);
    }
    barrier ();
  } while (!is_last);

  bool stays = false, leaves = false;
  uint id = 0, way = 0;
  ivec3 q = ivec3 (0);

  if (me == 0)
    n_staying = 0;
  if (me < n_walkers) {
    id = walker_id[me];
    way = walker_way[me];
    q = ivec3 (place_x[me], place_y[me], place_z[me]);
    ivec3 move = move_of (sum, q);

    if (move == ivec3 (0)) {
      if ((way & ALONE) == 0)
        follow[way] = way;
    } else {
      q += move;
    }
    ivec3 lab = q + ivec3 (centre);
    uvec2 point = uvec2 (uint (lab.y) | uint (lab.z) << 16, uint (lab.x));
    bool goes_on = move != ivec3 (0) && arrive (id, point, way);
    bool is_here = all (equal (cell_of (point, grid), cell));

    stays = goes_on && (is_here || keeps_all);
    leaves = goes_on && !stays;
    if (!stays) {
      walkers[id] = point;
      ways[id] = way;
    }
  }
  list_walker (leaves, id);
  barrier ();
  if (stays) {
    uint at = atomicAdd (n_staying, 1);

    walker_id[at] = id;
    walker_way[at] = way;
    place_x[at] = q.x;
    place_y[at] = q.y;
    place_z[at] = q.z;
  }
  barrier ();
  return n_staying;
}

uvec3
centre_of (uvec3 cell)
{
  return (cell << grid.shift) + uvec3 (0, grid.first_a, grid.first_b)
      + (1u << grid.shift >> 1);
}

// Walkers from…n_walkers-1 of the group as they are, for the next round.
void
put_off (uint from, uint n_walkers, uvec3 centre)
{
  uint me = gl_LocalInvocationID.x;
  bool is_put_off = me >= from && me < n_walkers;
  uint id = 0;

  if (is_put_off) {
    id = walker_id[me];
    uvec3 lab = uvec3 (ivec3 (place_x[me], place_y[me], place_z[me])
        + ivec3 (centre));

    walkers[id] = uvec2 (lab.y | lab.z << 16, lab.x);
    ways[id] = walker_way[me];
  }
  list_walker (is_put_off, id);
}

void
clear_sums ()
{
  for (uint i = gl_LocalInvocationID.x; i < MAX_WALKERS * 7;
      i += GROUP_THREADS)
    sums[i] = 0;
  if (gl_LocalInvocationID.x < 7)
    base_sums[gl_LocalInvocationID.x] = 0;
  barrier ();
}

void
main ()
{
  uint number = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  uint me = gl_LocalInvocationID.x;

  number += control[CONTROL_FIRST_GROUP];
  if (number >= control[CONTROL_NEXT_GROUP])
    return;
  uvec2 group = groups[number];
  uvec3 cell = cell_from_index (group.x & 0xffffff, grid);
  uint n_walkers = (group.x >> 24) + 1;
  bool keeps_all = control[CONTROL_ROUND_WALKERS] <= few;
  uint tests = 0, steps = 0, lists = 0, listed = 0;

  if (me < n_walkers) {
    uint id = order[group.y + me];
    uvec2 point = walkers[id];
    ivec3 q = ivec3 (point.y, point.x & 0xffff, point.x >> 16)
        - ivec3 (centre_of (cell));

    walker_id[me] = id;
    walker_way[me] = ways[id];
    place_x[me] = q.x;
    place_y[me] = q.y;
    place_z[me] = q.z;
  }

  if (me == 0)
    is_spent = atomicOr (control[CONTROL_SPENT], 0) >= max_units;
  barrier ();
  if (is_spent)
    tests = max_tests;

  while (n_walkers > 0 && tests < max_tests) {
    uvec3 centre = centre_of (cell);
    Cursor cursor = Cursor (0, 0);
    uint n_candidates = 0;

    clear_sums ();
    bool is_whole = gather (cell, true, cursor, n_candidates);
    uint cost = is_whole ? n_low + n_high + 4 * n_heavy + 32 : n_candidates;
    uint most = max (max_tests / cost, 1);

    tests += n_candidates;
    lists++;
    listed += is_whole ? n_low + n_high + n_heavy : n_candidates;
    // Fewer walkers where a step of all of them would take too long.
    put_off (min (most, n_walkers), n_walkers, centre);
    n_walkers = min (most, n_walkers);
    barrier ();
    bool is_here = true;

    do {
      steps += n_walkers;
      tests += n_walkers * cost;
      n_walkers = step_walkers (n_walkers, cell, centre, is_whole, keeps_all);
      if (keeps_all && n_walkers > 0) {
        ivec3 q = ivec3 (place_x[0], place_y[0], place_z[0]) + ivec3 (centre);
        uvec3 now = cell_of (uvec2 (uint (q.y) | uint (q.z) << 16,
                uint (q.x)), grid);

        is_here = all (equal (now, cell));
        if (!is_here) {
          barrier ();
          if (me == 0) {
            q -= ivec3 (centre_of (now));
            place_x[0] = q.x;
            place_y[0] = q.y;
            place_z[0] = q.z;
          }
          cell = now;
          barrier ();
        }
      }
    } while (n_walkers > 0 && is_here && tests < max_tests);
  }
  put_off (0, n_walkers, centre_of (cell));
  if (me == 0 && lists > 0) {
    atomicAdd (control[CONTROL_SPENT], tests / TESTS_PER_UNIT + 1);
    add_wide_to_control (CONTROL_STEPS, steps);
    add_wide_to_control (CONTROL_TESTS, tests);
    atomicAdd (control[CONTROL_LISTS], lists);
    add_wide_to_control (CONTROL_LISTED, listed);
  }
}
