// SPDX-License-Identifier: LGPL-2.1-or-later
// Loads the colours of four pixels at a time. Include this after pixels.glsl and the
// declaration of a buffer words[] with the frame, at binding 0. Define YUV for subsampled
// formats, MARKED if each word is the colour of a pixel (pixels.h).
#if defined (MARKED)

void load_colours (Quad quad, out uint loaded[4])
{
  for (uint i = 0; i < 4; i++)
    loaded[i] = i < quad.n ? words[index_of_pixel (quad.x + i, quad.y)] : 0;
}

#elif defined (YUV)
#include "core/pixels/yuv.glsl"

DEFINE_LOAD_YUV (words)

#else
#include "core/pixels/packed.glsl"

layout (std430, binding = 0) readonly buffer FrameVectors { uvec4 vectors[]; };

DEFINE_LOAD_PIXELS (words, vectors)

void load_colours (Quad quad, out uint loaded[4])
{
  load_pixels (quad, loaded);
  for (uint i = 0; i < 4; i++)
    loaded[i] = colour_of_pixel (loaded[i]);
}
#endif
