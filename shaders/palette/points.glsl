// SPDX-License-Identifier: LGPL-2.1-or-later
// Lattice points of colours. Include after a buffer of words, tables, which begins with
// the light of the 256 code values, Q30.
#include "palette/oklab.glsl"

ivec3
point_of_colour (uint colour, uint shift)
{
  return light_to_lattice (uvec3 (tables[colour >> 16 & 255],
          tables[colour >> 8 & 255], tables[colour & 255]), shift);
}
