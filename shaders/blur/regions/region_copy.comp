// SPDX-License-Identifier: LGPL-2.1-or-later
// Copies a plane. A thread writes one word.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "core/pixels/format.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Input { uint input_words[]; };
layout (std430, binding = 1) writeonly buffer Output { uint output_words[]; };

void
main ()
{
  uint item = first_item + gl_GlobalInvocationID.x;
  uint word = item % row_words, y = item / row_words;
  uint plane = PLANE_INDEX (OUT_PLANE);

  if (item < end_item)
    output_words[out_offset + y * out_stride + word] =
        input_words[in_offset[plane] + y * in_stride[plane] + word];
}
