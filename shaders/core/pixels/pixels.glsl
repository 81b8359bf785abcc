// SPDX-License-Identifier: LGPL-2.1-or-later
// What shaders that go over a frame's pixels share. To add push constants of its own, a
// shader defines OWN_PUSH before. load.glsl reads colours; write.glsl and write_yuv.glsl
// write them.
#include "core/pixels/constants.h"

#ifndef OWN_PUSH
#define OWN_PUSH
#endif

layout (push_constant) uniform Push
{
  PIXELS_PUSH (uint)
  OWN_PUSH
};

// Of a pixel, in an array with a word for each.
uint
index_of_pixel (uint x, uint y)
{
  return (y - first_row) * width + x;
}

// Where a thread's pixels are: the frame is cut into runs of four along rows.
struct Quad
{
  uint x, y;
  uint n;                       // pixels that exist, 0…4
};

Quad
quad_of_thread ()
{
  uint index = first_item + gl_GlobalInvocationID.x;
  uint per_row = (width + 3) / 4;
  Quad quad = Quad (index % per_row * 4, index / per_row, 0);

  if (index < end_item)
    quad.n = min (width - quad.x, 4);
  return quad;
}
