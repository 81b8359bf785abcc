// SPDX-License-Identifier: LGPL-2.1-or-later
// The map from pixels to colours, by the mode that a pixel holds. Include after
// pixels.glsl.
#include "palette/live/modes/steady.h"

layout (std430, binding = 2) readonly buffer Holds { uint holds[]; };
layout (std430, binding = 3) readonly buffer Modes { SteadyMode modes[]; };

uint
result_at (uint x, uint y)
{
  uint hold = holds[index_of_pixel (x, y)];

  return (hold & HOLDS_NONE) != 0 ? hold & 0xffffff
      : modes[hold & 0xffff].shown;
}
