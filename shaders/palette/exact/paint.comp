// SPDX-License-Identifier: LGPL-2.1-or-later
// Converts the fixed points of the listed colours to output colours. Counts distinct
// output colours and distinct fixed points.
#include "palette/exact/grid.glsl"
#include "palette/exact/walk/visited.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Tables { uint tables[]; };
layout (std430, binding = 1) readonly buffer FixedPoints { uvec2 fixed_points[]; };
layout (std430, binding = 2) writeonly buffer Results { uint results[]; };
layout (std430, binding = 3) buffer Used { uint used[]; };
// Hash table of points, zeroed before: index of a point plus 1.
layout (std430, binding = 4) buffer FixedPointTable { uint table[]; };
layout (std430, binding = 5) buffer Control { uint control[]; };
layout (push_constant) uniform Push
{
  uint first, end;
  uint shift;
  uint n_slots;                 // slots of the table, twice the number of points
};

#include "palette/oklab.glsl"

// Enters the point with this index into the table. Returns true if it was not there.
bool is_first (uint number, uvec2 point)
{
  uint slot, at_most;

  umulExtended (scramble (point.x ^ scramble (point.y)), n_slots, slot, at_most);
  for (;;) {
    // A word changes once, from 0: if the plain read is stale, the compare-and-swap decides.
    uint there = table[slot];

    if (there == 0)
      there = atomicCompSwap (table[slot], 0, number + 1);
    if (there == 0)
      return true;
    if (fixed_points[there - 1] == point)
      return false;
    slot = slot + 1 < n_slots ? slot + 1 : 0;
  }
}

// Returns the code value of a light: the largest whose threshold is not above it.
uint code_of (uint light)
{
  uint code = 0;

  for (uint step = 128; step != 0; step >>= 1)
    if (light >= tables[TABLES_THRESHOLDS + code + step])
      code += step;
  return code;
}

void main ()
{
  uint i = first + gl_GlobalInvocationID.x;

  if (i >= end)
    return;
  uvec2 point = fixed_points[i];
  uvec3 light = lattice_to_light (unpack_point (point), shift);
  uint colour = code_of (light.r) << 16 | code_of (light.g) << 8 | code_of (light.b);
  uint bit = 1u << (colour & 31);

  results[i] = colour;
  if ((atomicOr (used[colour >> 5], bit) & bit) == 0)
    atomicAdd (control[CONTROL_OUTPUT_COLOURS], 1);
  if (is_first (i, point))
    atomicAdd (control[CONTROL_FIXED_POINTS], 1);
}
