// SPDX-License-Identifier: LGPL-2.1-or-later
// Moves the samples of a frame to another format with the same components and the same
// subsampling. If components have other bits, codes are scaled and rounded. Alpha for a
// plane with fewer samples is the mean of that of the pixels that share a sample.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "core/pixels/format.glsl"

layout (std430, binding = 0) readonly buffer Input { uint input_words[]; };

DEFINE_FETCH (input_words)

const uint ALPHA_SHIFT_X = COMPONENT_SHIFT_X (OUT_1);
const uint ALPHA_SHIFT_Y = COMPONENT_SHIFT_Y (OUT_1);

// Returns the mean alpha of the pixels that share the sample of a subsampled plane. Beyond the
// last column and row, the last is repeated.
uint
mean_alpha (uint x, uint y)
{
  uint sum = 0, count = 1u << (ALPHA_SHIFT_X + ALPHA_SHIFT_Y);

  for (uint i = 0; i < count; i++) {
    uint column = (x << ALPHA_SHIFT_X) + (i & ((1u << ALPHA_SHIFT_X) - 1));
    uint row = (y << ALPHA_SHIFT_Y) + (i >> ALPHA_SHIFT_X);

    sum += fetch (ALPHA, min (column, width - 1), min (row, height - 1));
  }
  return (sum + count / 2) / count;
}

// Whether the plane that is written has samples of Cb.
const bool IS_CHROMA = PLANE_SLOT (OUT_PLANE, 0) == 1;

uint
code_at (uint c, uint x, uint y)
{
  uint code = c == ALPHA && IS_CHROMA ? mean_alpha (x, y) : fetch (c, x, y);

  uint from = largest_code (in_component (c)), to = largest_code (out_component (c));

  return from == to ? code : scale_code (code, from, to);
}

#include "core/pixels/write_format.glsl"
