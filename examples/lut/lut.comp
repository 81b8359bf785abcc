// SPDX-License-Identifier: LGPL-2.1-or-later
// Maps colours through a 3D table, trilinearly, with integers: the same on every device.
#define OWN_PUSH uint side;
#include "core/pixels/pixels.glsl"

// Code values times 256; red varies fastest.
layout (std430, binding = 2) readonly buffer Table { uvec4 table[]; };

// Interpolates between a and b. part: weight of b out of 255.
uvec4 between (uvec4 a, uvec4 b, uint part)
{
  return (a * (255 - part) + b * part + 127) / 255;
}

uvec4 along_red (uvec3 cell, uint part)
{
  uint at = (cell.b * side + cell.g) * side + cell.r;
  return between (table[at], table[at + 1], part);
}

uint map_colour (uint colour)
{
  uvec3 place = uvec3 (colour >> 16, colour >> 8 & 255, colour & 255) * (side - 1);
  uvec3 cell = min (place / 255, side - 2), part = place - cell * 255;
  uvec4 near = between (along_red (cell, part.r),
      along_red (cell + uvec3 (0, 1, 0), part.r), part.g);
  uvec4 far = between (along_red (cell + uvec3 (0, 0, 1), part.r),
      along_red (cell + uvec3 (0, 1, 1), part.r), part.g);
  uvec4 mapped = min ((between (near, far, part.b) + 128) >> 8, 255);

  return mapped.r << 16 | mapped.g << 8 | mapped.b;
}

#include "core/pixels/map.glsl"
