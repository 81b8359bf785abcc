// SPDX-License-Identifier: LGPL-2.1-or-later
// Writes a frame; R'G'B' and grey with the alpha of the input. Include this after pixels.glsl
// and the function uint result_at (uint x, uint y), which returns the colour of a pixel.
#include "core/pixels/store.glsl"
#include "core/pixels/write_yuv.glsl"

void write_packed ()
{
  Quad quad = quad_of_thread ();
  uint shown[4];

  for (uint i = 0; i < 4; i++)
    shown[i] = i < quad.n ? result_at (quad.x + i, quad.y) : 0;
  store_colours (quad, shown);
}

void main ()
{
  if (OUT_PLANES == 1)
    write_packed ();
  else
    write_subsampled ();
}
