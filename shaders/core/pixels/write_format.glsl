// SPDX-License-Identifier: LGPL-2.1-or-later
// Writes a plane of a frame of any format, from the function code_at(): format.glsl.
#include "core/pixels/make_words.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 1) writeonly buffer Output { uint output_words[]; };

void main ()
{
  uint item = first_item + gl_GlobalInvocationID.x;
  uint word = item % row_words, y = item / row_words;

  if (item < end_item)
    output_words[out_offset + y * out_stride + word] = word_at (word, y);
}
