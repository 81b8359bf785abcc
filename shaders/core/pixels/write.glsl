// SPDX-License-Identifier: LGPL-2.1-or-later
// Writes a frame with one plane, R'G'B' or grey, with the alpha of the input. Include this
// after pixels.glsl and the function uint result_at (uint x, uint y), which returns the
// colour of a pixel.
#include "core/pixels/packed.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Input { uint input_words[]; };
layout (std430, binding = 1) writeonly buffer Output { uint output_words[]; };

DEFINE_LOAD_PIXELS (input_words)
DEFINE_STORE_PIXELS (output_words)

void
main ()
{
  Quad quad = quad_of_thread ();
  uint pixels[4];

  if (IN_ALPHA < 4)
    load_pixels (quad, pixels);
  for (uint i = 0; i < 4; i++) {
    uint colour = 0, alpha = 255;

    if (i < quad.n)
      colour = result_at (quad.x + i, quad.y);
    if (IN_ALPHA < 4)
      alpha = component (pixels[i], IN_ALPHA);
    pixels[i] = packed_pixel (colour, alpha);
  }
  store_pixels (quad, pixels);
}
