// SPDX-License-Identifier: LGPL-2.1-or-later
// Writes a frame of indexes, which are slots of modes, and its palette.
#include "core/pixels/pixels.glsl"
#include "core/pixels/packed.glsl"
#include "palette/live/modes/temporal.h"

layout (local_size_x = 256) in;
layout (std430, binding = 1) writeonly buffer Output { uint words[]; };
layout (std430, binding = 2) readonly buffer PixelModes { uint pixel_modes[]; };
layout (std430, binding = 3) readonly buffer Modes { TemporalMode modes[]; };
layout (std430, binding = 4) readonly buffer State { Temporal state; };

const uint OPAQUE = 0xff000000u;

// Index of pixels without a mode, such as those that are not counted.
const uint INDEX_OF_NONE = 255;

uint index_at (uint x, uint y)
{
  uint pixel_mode = pixel_modes[index_of_pixel (x, y)];

  return (pixel_mode & PIXEL_WITHOUT_MODE) != 0 ? INDEX_OF_NONE : pixel_mode & 255;
}

uint palette_entry (uint index)
{
  if ((state.limited.standing[index / 32] >> index % 32 & 1) != 0)
    return OPAQUE | modes[index].shown;
  return HAS_ALPHA && index == INDEX_OF_NONE ? 0 : OPAQUE;
}

void main ()
{
  Quad quad = quad_of_thread ();
  uint thread = first_item + gl_GlobalInvocationID.x, indexes = 0;

  for (uint i = 0; i < quad.n; i++)
    indexes |= index_at (quad.x + i, quad.y) << 8 * i;
  if (quad.n > 0)
    words[out_offset[0] + quad.y * out_stride[0] + quad.x / 4] = indexes;
  // The first workgroup has 256 invocations, however small the frame is.
  if (thread < 256)
    words[out_offset[1] + thread * out_stride[1]] = palette_entry (thread);
}
