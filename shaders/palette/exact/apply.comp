// SPDX-License-Identifier: LGPL-2.1-or-later
// Writes a frame: each pixel gets the output colour of its colour.
#include "core/pixels/pixels.glsl"
#include "palette/count/numbers.glsl"
#include "palette/exact/results.glsl"

layout (std430, binding = 2) readonly buffer Numbers { uint numbers[]; };

// Returns the output colour of a pixel; a pixel that is not counted keeps its colour.
uint result_at (uint x, uint y)
{
  uint number = numbers[index_of_pixel (x, y)];

  return (number & TRANSPARENT) != 0 ? colour_of_number (number) : result_of (number);
}

#include "core/pixels/write.glsl"
