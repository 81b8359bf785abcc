// SPDX-License-Identifier: LGPL-2.1-or-later
// The map from pixels to colours, by the colours that they have. Include after
// pixels.glsl.
#include "palette/count/numbers.glsl"
#include "palette/exact/results.glsl"

layout (std430, binding = 2) readonly buffer Numbers { uint numbers[]; };

// What becomes of the pixel; those that are not counted stay.
uint
result_at (uint x, uint y)
{
  uint number = numbers[index_of_pixel (x, y)];

  return (number & TRANSPARENT) != 0 ? colour_of_number (number)
      : result_of (number);
}
