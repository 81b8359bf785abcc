// SPDX-License-Identifier: LGPL-2.1-or-later
// The sum of absolute differences of two colours' components, in code values.

uint
change_of_colour (uint from, uint to)
{
  ivec3 a = ivec3 (from >> 16 & 255, from >> 8 & 255, from & 255);
  ivec3 b = ivec3 (to >> 16 & 255, to >> 8 & 255, to & 255);
  ivec3 d = abs (a - b);

  return uint (d.r + d.g + d.b);
}
