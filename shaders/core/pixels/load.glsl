// SPDX-License-Identifier: LGPL-2.1-or-later
// Loads the colours of four pixels at a time, of a frame or of an array of colours. Include
// this after pixels.glsl and the declaration of a buffer words[] with them, at binding 0.
#include "core/pixels/packed.glsl"

layout (std430, binding = 0) readonly buffer FrameVectors { uvec4 vectors[]; };

DEFINE_LOAD_PIXELS (words, vectors)
DEFINE_LOAD_YUV (words)

void load_colours (Quad quad, out uint loaded[4])
{
  if (IN_PLANES > 1) {
    load_subsampled (quad, loaded);
  } else if (IN_PLANES == 1) {
    load_pixels (quad, loaded);
    for (uint i = 0; i < 4; i++)
      loaded[i] = colour_of_pixel (loaded[i]);
  } else {
    for (uint i = 0; i < 4; i++)
      loaded[i] = i < quad.n ? words[index_of_pixel (quad.x + i, quad.y)] : 0;
  }
}
