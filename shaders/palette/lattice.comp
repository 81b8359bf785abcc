// SPDX-License-Identifier: LGPL-2.1-or-later
// Lattice points of the listed colours.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/lattice.glsl"

layout (local_size_x = 256) in;
// Light of the 256 codes, then the light from which on a value is a code.
layout (std430, binding = 0) readonly buffer Tables { uint tables[]; };
layout (std430, binding = 1) readonly buffer List { uint list[]; };
layout (std430, binding = 2) writeonly buffer Points { uvec2 points[]; };
layout (push_constant) uniform Push
{
  uint first, end;
  uint shift;
};

void
main ()
{
  uint i = first + gl_GlobalInvocationID.x;

  if (i >= end)
    return;
  uint colour = list[i];
  uvec3 light = uvec3 (tables[colour >> 16], tables[colour >> 8 & 255],
      tables[colour & 255]);

  points[i] = pack_point (light_to_lattice (light, shift));
}
