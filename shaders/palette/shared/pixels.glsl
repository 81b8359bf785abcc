// SPDX-License-Identifier: LGPL-2.1-or-later
// What shaders that go over a frame's pixels share. packed.glsl and yuv.glsl
// get pixels out of its words and into them.
#include "palette/shared/pixels.h"

layout (push_constant) uniform Push
{
  uint first_item, end_item;    // of this dispatch
  // First row of pixels that is bound: of frames of one plane, and of arrays with a word
  // for each pixel.
  uint first_row;
  uint width, height;
  uint recount;
  uint is_interlaced;           // 4:2:0: each field has its own chroma rows
  // Of planes, in words.
  uint in_offset[3], in_stride[3];
  uint out_offset[3], out_stride[3];
};

// Of a pixel, in an array.
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
