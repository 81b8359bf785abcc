// SPDX-License-Identifier: LGPL-2.1-or-later
// Moves the samples of a frame to another format with the same components and the same
// subsampling. If components have other bits, codes are scaled and rounded. Alpha for a
// plane with fewer samples is the mean of that of the pixels that share a sample.
#include "core/pixels/format.glsl"

layout (std430, binding = 0) readonly buffer Input { uint input_words[]; };

DEFINE_FETCH (input_words)

#include "core/pixels/alpha.glsl"

// Whether the plane that is written has samples of Cb.
const bool IS_CHROMA = PLANE_SLOT (OUT_PLANE, 0) == 1;

uint code_at (uint c, uint x, uint y)
{
  uint code = c == ALPHA && IS_CHROMA
      ? mean_alpha (COMPONENT_SHIFT_X (OUT_1), COMPONENT_SHIFT_Y (OUT_1), x, y)
      : fetch (c, x, y);
  uint from = largest_code (in_component (c)), to = largest_code (out_component (c));

  return from == to ? code : scale_code (code, from, to);
}

#include "core/pixels/write_format.glsl"
