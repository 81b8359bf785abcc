// SPDX-License-Identifier: LGPL-2.1-or-later
// Maps each colour of a frame to another. The output has the format and the alpha of the
// input. Include this after pixels.glsl and the function uint map_colour (uint colour).
// Define YUV for subsampled formats.
layout (std430, binding = 0) readonly buffer Input { uint input_words[]; };

#ifdef YUV
#include "core/pixels/yuv.glsl"

DEFINE_LOAD_YUV (input_words)

uint result_at (uint x, uint y)
{
  return map_colour (load_colour (x, y));
}

#include "core/pixels/write_yuv.glsl"

#else
#include "core/pixels/packed.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 1) writeonly buffer Output { uint output_words[]; };
// The same as vectors.
layout (std430, binding = 0) readonly buffer InputVectors { uvec4 input_vectors[]; };
layout (std430, binding = 1) writeonly buffer OutputVectors { uvec4 output_vectors[]; };

DEFINE_LOAD_PIXELS (input_words, input_vectors)
DEFINE_STORE_PIXELS (output_words, output_vectors)

void main ()
{
  Quad quad = quad_of_thread ();
  uint pixels[4];

  load_pixels (quad, pixels);
  for (uint i = 0; i < 4; i++) {
    uint alpha = IN_ALPHA < 4 ? component (pixels[i], IN_ALPHA) : 255;
    uint colour = colour_of_pixel (pixels[i]) & ~TRANSPARENT;

    pixels[i] = packed_pixel (map_colour (colour), alpha);
  }
  store_pixels (quad, pixels);
}
#endif
