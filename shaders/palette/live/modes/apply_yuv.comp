// SPDX-License-Identifier: LGPL-2.1-or-later
// Writes a frame in Y'CbCr 4:2:0: each pixel shows the mode that it holds.
#include "core/pixels/pixels.glsl"
#include "palette/live/modes/temporal.h"

layout (std430, binding = 1) writeonly buffer Output { uint output_words[]; };
layout (std430, binding = 2) readonly buffer PixelModes { uint pixel_modes[]; };
layout (std430, binding = 3) readonly buffer Modes { TemporalMode modes[]; };

uint result_at (uint x, uint y)
{
  uint pixel_mode = pixel_modes[index_of_pixel (x, y)];

  return (pixel_mode & PIXEL_WITHOUT_MODE) != 0 ? pixel_mode & 0xffffff
      : modes[pixel_mode & 0xffff].shown;
}

#include "core/pixels/write_yuv.glsl"

void main ()
{
  write_subsampled ();
}
