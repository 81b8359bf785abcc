// SPDX-License-Identifier: LGPL-2.1-or-later
// Shared by shaders that process the pixels of a frame. A shader with more push constants
// defines OWN_PUSH before it includes this. load.glsl reads colours; write.glsl writes
// them.
#include "core/pixels/constants.glsl"

// Planes of the frame: 1 for R'G'B' and grey; for Y'CbCr 4:2:0, 2 if Cb and Cr are
// interleaved, else 3. 0: the input is an array by pixel of colours; the output is indexes.
const uint IN_PLANES = IN_0 == 0 ? 0 : COMPONENT_PLANE (IN_2) + 1;
const uint OUT_PLANES = OUT_0 == 0 ? 0 : COMPONENT_PLANE (OUT_2) + 1;

#ifndef OWN_PUSH
#define OWN_PUSH
#endif

layout (push_constant) uniform Push
{
  PIXELS_PUSH (uint)
  OWN_PUSH
};

// Returns the index of a pixel in an array by pixel (PIXELS_ROW_WORDS).
uint index_of_pixel (uint x, uint y)
{
  return (y - first_row) * PIXELS_ROW_WORDS (width) + x;
}

// The pixels of an invocation: up to four successive pixels of a row.
struct Quad
{
  uint x, y;
  uint n;                       // number of existing pixels, 0…4
};

Quad quad_of_thread ()
{
  uint index = first_item + gl_GlobalInvocationID.x;
  uint per_row = (width + 3) / 4;
  Quad quad = Quad (index % per_row * 4, index / per_row, 0);

  if (index < end_item)
    quad.n = min (width - quad.x, 4);
  return quad;
}

// Returns the index of a quad in an array by pixel whose elements are vectors.
uint index_of_quad (Quad quad)
{
  return index_of_pixel (quad.x, quad.y) / 4;
}
