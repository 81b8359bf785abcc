// SPDX-License-Identifier: LGPL-2.1-or-later
// Output colour of a colour, by its rank among the present colours.

layout (std430, binding = 3) readonly buffer Presence { uint presence[]; };
layout (std430, binding = 4) readonly buffer Ranks { uint ranks[]; };
layout (std430, binding = 5) readonly buffer Results { uint results[]; };

uint result_of (uint number)
{
  uint word = number >> 5, bit = 1u << (number & 31);

  return results[ranks[word] + bitCount (presence[word] & (bit - 1))];
}
