// SPDX-License-Identifier: LGPL-2.1-or-later
// The map from colours to colours, by the place of a colour among those that
// occur. Include after pixels.glsl.
#include "palette/numbers.glsl"

layout (std430, binding = 2) readonly buffer Numbers { uint numbers[]; };
layout (std430, binding = 3) readonly buffer Presence { uint presence[]; };
layout (std430, binding = 4) readonly buffer Ranks { uint ranks[]; };
layout (std430, binding = 5) readonly buffer Results { uint results[]; };

// What becomes of the pixel; those that are not counted stay.
uint
result_at (uint x, uint y)
{
  uint number = numbers[y * width + x];
  uint word = number >> 5, bit = 1u << (number & 31);

  if ((number & TRANSPARENT) != 0)
    return colour_of_number (number);
  return results[ranks[word] + bitCount (presence[word] & (bit - 1))];
}
