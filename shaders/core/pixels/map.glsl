// SPDX-License-Identifier: LGPL-2.1-or-later
// Maps each colour of a frame to another. The output has the format and the alpha of the
// input. Include this after pixels.glsl and the function uint map_colour (uint colour).
#include "core/pixels/store.glsl"

DEFINE_LOAD_YUV (input_words)

uint result_at (uint x, uint y)
{
  return map_colour (load_colour (x, y));
}

#include "core/pixels/write_yuv.glsl"

void map_packed ()
{
  Quad quad = quad_of_thread ();
  uint pixels[4];

  load_pixels (quad, pixels);
  for (uint i = 0; i < 4; i++) {
    uint colour = colour_of_pixel (pixels[i]) & ~TRANSPARENT;

    pixels[i] = packed_pixel (map_colour (colour), alpha_of_pixel (pixels[i]));
  }
  store_pixels (quad, pixels);
}

void main ()
{
  if (OUT_PLANES == 1)
    map_packed ();
  else
    write_subsampled ();
}
