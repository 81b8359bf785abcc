// SPDX-License-Identifier: LGPL-2.1-or-later
// Colours to lattice points in Oklab and back, in integers. The colour space and its matrices are
// Björn Ottosson's; Qn is a value times 2^n. Include after a buffer of words, tables (tables.h).
#include "core/wide.glsl"
#include "palette/tables.h"

// Q30: light to cone response.
const uvec3 LMS_ROWS[3] = uvec3[3] (
    uvec3 (442619434, 575882676, 55239714),
    uvec3 (227529649, 730895571, 115316604),
    uvec3 (94814047, 302493299, 676434479));

// x³, 0 <= x <= 2^21.
uvec2 cube (uint x)
{
  uvec2 square = wide_multiply (x, x);
  uvec2 result = wide_multiply (square.x, x);

  result.y += square.y * x;
  return result;
}

// Returns the largest x with x³ <= value; value is Q60, x is Q20. The float estimate may
// be off by a few units and differs between devices; the loops correct it.
uint cube_root (uvec2 value)
{
  float approximation = float (value.y) * 4294967296.0 + float (value.x);
  uint x = approximation < 1.0 ? 0 : uint (exp2 (log2 (approximation) * (1.0 / 3.0)));

  while (wide_less (value, cube (x)))
    x--;
  while (!wide_less (value, cube (x + 1)))
    x++;
  return x;
}

uint cone_root (uvec3 light, uvec3 row)
{
  return cube_root (wide_add (wide_add (wide_multiply (light.x, row.x),
              wide_multiply (light.y, row.y)),
          wide_multiply (light.z, row.z)));
}

uvec2 to_lab_times (uint entry, uint root)
{
  return wide_multiply (tables[TABLES_TO_LAB + entry], root);
}

// Returns (plus - minus) rounded from Q50 to the lattice. Terms are separated by sign,
// as an entry of the matrix may exceed 31 bits.
int to_lattice (uvec2 plus, uvec2 minus, uint shift)
{
  int high = int (wide_subtract (plus, minus).y);

  return (high + (1 << (17 - shift))) >> (18 - shift);
}

ivec3 light_to_lattice (uvec3 light, uint shift)
{
  uint l = cone_root (light, LMS_ROWS[0]);
  uint m = cone_root (light, LMS_ROWS[1]);
  uint s = cone_root (light, LMS_ROWS[2]);

  return ivec3 (
      to_lattice (wide_add (to_lab_times (0, l), to_lab_times (1, m)),
          to_lab_times (2, s), shift),
      to_lattice (wide_add (to_lab_times (3, l), to_lab_times (5, s)),
          to_lab_times (4, m), shift),
      to_lattice (wide_add (to_lab_times (6, l), to_lab_times (7, m)),
          to_lab_times (8, s), shift));
}

uvec2 multiply_both_signed (int a, int b)
{
  int high, low;

  imulExtended (a, b, high, low);
  return uvec2 (uint (low), uint (high));
}

// Returns a cone root, Q20, from lattice coordinates. L is not negative, and its factor
// may exceed 31 bits.
int root_of (ivec3 lab, uint row, uint shift)
{
  uint at = TABLES_TO_ROOTS + 3 * row, down = 10 + shift;
  uvec2 sum = wide_multiply (uint (lab.x), tables[at]);

  sum = wide_add (sum, multiply_both_signed (int (tables[at + 1]), lab.y));
  sum = wide_add (sum, multiply_both_signed (int (tables[at + 2]), lab.z));
  sum = wide_add (sum, uvec2 (1u << (down - 1), 0));
  return int (sum.y << (32 - down) | sum.x >> down);
}

// x³ from Q60 to Q30, rounded.
int rounded_cube (int x)
{
  uvec2 value = cube (uint (abs (x)));

  if (x < 0)
    value = wide_negate (value);
  value = wide_add (value, uvec2 (1u << 29, 0));
  return int (value.y << 2 | value.x >> 30);
}

// Returns the light of a colour channel, Q30, clamped to 0…2^30; the row is Q28.
uint channel (ivec3 lms, ivec3 row)
{
  uvec2 sum = wide_add (wide_add (multiply_both_signed (lms.x, row.x),
          multiply_both_signed (lms.y, row.y)),
      multiply_both_signed (lms.z, row.z));

  sum = wide_add (sum, uvec2 (1u << 27, 0));
  return uint (clamp (int (sum.y << 4 | sum.x >> 28), 0, 1 << 30));
}

uvec3 lattice_to_light (ivec3 lab, uint shift)
{
  ivec3 lms = ivec3 (
      rounded_cube (root_of (lab, 0, shift)),
      rounded_cube (root_of (lab, 1, shift)),
      rounded_cube (root_of (lab, 2, shift)));

  return uvec3 (
      channel (lms, ivec3 (1094342007, -887907069, 62000518)),
      channel (lms, ivec3 (-340493734, 700551418, -91622228)),
      channel (lms, ivec3 (-1126378, -188822497, 458384331)));
}

ivec3 point_of_colour (uint colour, uint shift)
{
  return light_to_lattice (uvec3 (tables[TABLES_LIGHTS + (colour >> 16 & 255)],
          tables[TABLES_LIGHTS + (colour >> 8 & 255)],
          tables[TABLES_LIGHTS + (colour & 255)]), shift);
}
