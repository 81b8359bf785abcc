// SPDX-License-Identifier: LGPL-2.1-or-later
// Stores pixels of a frame with one plane, R'G'B' or grey, with the alpha of the input.
// Include this after pixels.glsl.
#include "core/pixels/packed.glsl"

layout (std430, binding = 0) readonly buffer Input { uint input_words[]; };
layout (std430, binding = 1) writeonly buffer Output { uint output_words[]; };
// The same as vectors.
layout (std430, binding = 0) readonly buffer InputVectors { uvec4 input_vectors[]; };
layout (std430, binding = 1) writeonly buffer OutputVectors { uvec4 output_vectors[]; };

DEFINE_LOAD_PIXELS (input_words, input_vectors)
DEFINE_STORE_PIXELS (output_words, output_vectors)

void store_colours (Quad quad, uint colours[4])
{
  uint pixels[4];

  if (HAS_ALPHA)
    load_pixels (quad, pixels);
  for (uint i = 0; i < 4; i++)
    pixels[i] = packed_pixel (colours[i], alpha_of_pixel (pixels[i]));
  store_pixels (quad, pixels);
}
