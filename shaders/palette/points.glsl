// SPDX-License-Identifier: LGPL-2.1-or-later
// Lattice points of colours. Include after a buffer of words, tables (tables.h).
#include "palette/oklab.glsl"

ivec3
point_of_colour (uint colour, uint shift)
{
  return light_to_lattice (uvec3 (tables[TABLES_LIGHTS + (colour >> 16 & 255)],
          tables[TABLES_LIGHTS + (colour >> 8 & 255)],
          tables[TABLES_LIGHTS + (colour & 255)]), shift);
}
