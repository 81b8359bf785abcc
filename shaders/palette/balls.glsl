// SPDX-License-Identifier: LGPL-2.1-or-later
// Of walk.comp: sums over what balls around the walkers of a cell hold, a row
// for each walker in shared memory, and one for what all balls hold.
//
// Distances are computed as |p|² - 2 q·p in floats: the lattice is such that
// all of these are integers below 2^24, so the outcome is exact however it is
// rounded, fused or ordered.

const uint MAX_WALKERS = 64;
// With so many, each adds so few digits that their sums fit 32 bits.
const uint MIN_LANES = 16;
const uint LOW_BITS = 22;       // of sums in two parts
const uint LOW = (1u << LOW_BITS) - 1;

// Of a row: 0 the weight; 1, 3, 5 low and 2, 4, 6 high parts of x, y, z.
const uint ROW = 7;
const uint BASE_ROW = MAX_WALKERS;
shared int rows[(MAX_WALKERS + 1) * ROW];

shared int place_x[MAX_WALKERS], place_y[MAX_WALKERS], place_z[MAX_WALKERS];

ivec3
place_of_walker (uint walker)
{
  return ivec3 (place_x[walker], place_y[walker], place_z[walker]);
}

void
set_place (uint walker, ivec3 place)
{
  place_x[walker] = place.x;
  place_y[walker] = place.y;
  place_z[walker] = place.z;
}

// --- rows ---

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

// Adds the sums of a subgroup's threads. All of them come here.
void
add_to_row (uint row, bool is_real, Sums sum)
{
  int parts[ROW] = int[ROW] (int (sum.n), low_part (sum.x),
      high_part (sum.x), low_part (sum.y), high_part (sum.y),
      low_part (sum.z), high_part (sum.z));

  for (uint i = 0; i < ROW; i++) {
    int part = subgroupAdd (parts[i]);

    if (subgroupElect () && is_real)
      atomicAdd (rows[row * ROW + i], part);
  }
}

Sums
sums_of_row (uint row)
{
  uint at = row * ROW;

  return Sums (uint (rows[at]), from_parts (rows[at + 1], rows[at + 2]),
      from_parts (rows[at + 3], rows[at + 4]),
      from_parts (rows[at + 5], rows[at + 6]));
}

void
clear_row (uint row)
{
  for (uint i = 0; i < ROW; i++)
    rows[row * ROW + i] = 0;
}

// --- digits ---

// 2^23 as a float: the last bits of its mantissa count ones.
const uint ONES = 0x4b000000u;

// Adds what a subgroup's threads found for one walker. All of them come here;
// shift: of the digit that was summed.
void
add_digits_to_row (uint row, bool is_real, uvec4 found, uint shift)
{
  ivec3 sum = ivec3 (found.xyz - (ONES + uint (LIST_BIAS)) * found.w);
  ivec3 low = (sum & int (LOW >> shift)) << shift;
  ivec3 high = sum >> (LOW_BITS - shift);
  uint n = subgroupAdd (found.w);

  low = subgroupAdd (low);
  high = subgroupAdd (high);
  if (!subgroupElect () || !is_real)
    return;
  uint at = row * ROW;

  atomicAdd (rows[at], int (n << shift));
  atomicAdd (rows[at + 1], low.x);
  atomicAdd (rows[at + 2], high.x);
  atomicAdd (rows[at + 3], low.y);
  atomicAdd (rows[at + 4], high.y);
  atomicAdd (rows[at + 5], low.z);
  atomicAdd (rows[at + 6], high.z);
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

// --- heavy weights ---

Sums
test_heavy (uint walker, uint first, uint stride, ivec3 centre)
{
  ivec3 q = place_of_walker (walker);
  Sums sum = NO_SUMS;

  for (uint i = first; i < listed.heavy; i += stride) {
    ivec3 p = place_of_point (heavy[i], centre);

    if (square_of (p - q) <= radius_squared)
      sum = add_sums (sum, sums_of_place (p,
              above_digits (weights[heavy[i]])));
  }
  return sum;
}

// --- all of them ---

// Adds to the walkers' rows what of the list their balls hold. A quad of
// walkers is the work of at least a subgroup, so that sums stay within one. All
// threads come here.
void
test_walkers (uint n_walkers, ivec3 centre)
{
  uint n_quads = (n_walkers + 3) / 4;
  uint lanes = max (GROUP_THREADS >> findMSB (2 * n_quads - 1),
      max (gl_SubgroupSize, MIN_LANES));
  uint lane = gl_LocalInvocationID.x & (lanes - 1);
  uint low_end = listed.low, high_first = CAPACITY - listed.high;

  for (uint first = 0; first < n_quads; first += GROUP_THREADS / lanes) {
    uint walker = (first + gl_LocalInvocationID.x / lanes) * 4;
    bool is_real = walker < n_walkers;
    vec4 quad[4];
    uvec4 found[4];

    for (uint k = 0; k < 4; k++)
      quad[k] = ball_around (place_of_walker (min (walker + k,
                  n_walkers - 1)));
    test_list (quad, lane, is_real ? low_end : 0, lanes, found);
    for (uint k = 0; k < 4; k++)
      add_digits_to_row (walker + k, walker + k < n_walkers, found[k], 0);
    if (IS_WEIGHTED && high_first < CAPACITY) {
      test_list (quad, high_first + lane, is_real ? CAPACITY : 0, lanes,
          found);
      for (uint k = 0; k < 4; k++)
        add_digits_to_row (walker + k, walker + k < n_walkers, found[k],
            DIGIT_BITS);
    }
    if (IS_WEIGHTED && listed.heavy > 0)
      for (uint k = 0; k < 4; k++) {
        bool exists = walker + k < n_walkers;

        add_to_row (walker + k, exists,
            test_heavy (min (walker + k, n_walkers - 1),
                exists ? lane : HEAVY_CAPACITY, lanes, centre));
      }
  }
}
