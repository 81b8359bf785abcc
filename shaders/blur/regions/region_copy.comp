// SPDX-License-Identifier: LGPL-2.1-or-later
// Copies a plane, with alpha as it is or inverted. A thread writes one word.
#include "blur/regions/shared.h"
#include "core/pixels/format.glsl"
#include "core/pixels/samples.glsl"

layout (constant_id = FORMAT_CONSTANTS + COPY_INVERTS) const bool INVERTS = false;

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Input { uint input_words[]; };
layout (std430, binding = 1) writeonly buffer Output { uint output_words[]; };

// Returns the bits of a word that are alpha.
uint alpha_bits (uint word)
{
  uint bits = 0;

  for (uint i = 0; i < SAMPLES_A_WORD; i++)
    if (slot_at (word, i) == ALPHA)
      bits |= largest_code (IN_3) << (i * SAMPLE_BITS + PLANE_LOW (OUT_PLANE));
  return bits;
}

void main ()
{
  uint item = first_item + gl_GlobalInvocationID.x;
  uint word = item % row_words, y = item / row_words;
  uint plane = PLANE_INDEX (OUT_PLANE);

  if (item < end_item)
    output_words[out_offset + y * out_stride + word] =
        input_words[in_offset[plane] + y * in_stride[plane] + word]
        ^ (INVERTS ? alpha_bits (word) : 0);
}
