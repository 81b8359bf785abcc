// SPDX-License-Identifier: LGPL-2.1-or-later
// Looks every pixel's colour up and writes the output frame.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/pixels.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Input { uint input_words[]; };
layout (std430, binding = 1) writeonly buffer Output { uint output_words[]; };
layout (std430, binding = 2) readonly buffer Colours { uint colours[]; };
layout (std430, binding = 3) readonly buffer Presence { uint presence[]; };
layout (std430, binding = 4) readonly buffer Ranks { uint ranks[]; };
layout (std430, binding = 5) readonly buffer Results { uint results[]; };

DEFINE_LOAD_PIXELS (input_words)
DEFINE_STORE_PIXELS (output_words)

uint
result_of (uint colour)
{
  uint word = colour >> 5, bit = 1u << (colour & 31);

  return results[ranks[word] + bitCount (presence[word] & (bit - 1))];
}

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
      colour = colours[quad.y * width + quad.x + i];
    if (IN_ALPHA < 4)
      alpha = component (pixels[i], IN_ALPHA);
    if (i < quad.n && (colour & TRANSPARENT) == 0)
      colour = result_of (colour);
    pixels[i] = packed_pixel (colour, alpha);
  }
  store_pixels (quad, pixels);
}
