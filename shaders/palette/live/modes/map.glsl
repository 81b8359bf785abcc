// SPDX-License-Identifier: LGPL-2.1-or-later
// Output colour of a pixel, by the mode that it holds. Include after pixels.glsl.
#include "palette/live/modes/temporal.h"

layout (std430, binding = 2) readonly buffer PixelModes { uint pixel_modes[]; };
layout (std430, binding = 3) readonly buffer Modes { TemporalMode modes[]; };

uint
result_at (uint x, uint y)
{
  uint pixel_mode = pixel_modes[index_of_pixel (x, y)];

  return (pixel_mode & PIXEL_WITHOUT_MODE) != 0 ? pixel_mode & 0xffffff
      : modes[pixel_mode & 0xffff].shown;
}
