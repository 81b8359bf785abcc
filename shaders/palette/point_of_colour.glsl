// SPDX-License-Identifier: LGPL-2.1-or-later
// The lattice point of a colour. Include after lattice.glsl, the buffer tables,
// which begins with the light of the 256 codes, and the push constant shift.

uvec2
point_of_colour (uint colour)
{
  uvec3 light = uvec3 (tables[colour >> 16], tables[colour >> 8 & 255],
      tables[colour & 255]);

  return pack_point (light_to_lattice (light, shift));
}
