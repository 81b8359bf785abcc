// SPDX-License-Identifier: LGPL-2.1-or-later
// The map from colours to colours, by the place of a colour among those that
// occur. Include after pixels.glsl.

layout (std430, binding = 2) readonly buffer Colours { uint colours[]; };
layout (std430, binding = 3) readonly buffer Presence { uint presence[]; };
layout (std430, binding = 4) readonly buffer Ranks { uint ranks[]; };
layout (std430, binding = 5) readonly buffer Results { uint results[]; };

// What becomes of the pixel; those that are not counted stay.
uint
result_at (uint x, uint y)
{
  uint colour = colours[y * width + x];
  uint word = colour >> 5, bit = 1u << (colour & 31);

  if ((colour & TRANSPARENT) != 0)
    return colour & ~TRANSPARENT;
  return results[ranks[word] + bitCount (presence[word] & (bit - 1))];
}
