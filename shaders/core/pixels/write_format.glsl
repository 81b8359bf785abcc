// SPDX-License-Identifier: LGPL-2.1-or-later
// Writes a plane of a frame of any format, from the function code_at(): format.glsl.

layout (local_size_x = 256) in;
layout (std430, binding = 1) writeonly buffer Output { uint output_words[]; };

const uint SAMPLES = PLANE_SAMPLES (OUT_PLANE);
const uint SAMPLE_BITS = PLANE_BITS (OUT_PLANE);
// The last of four components that share a word has less bits.
const uint SAMPLES_A_WORD = (32 + SAMPLE_BITS - 1) / SAMPLE_BITS;

// Returns the bits of a sample of a pixel.
uint
sample_at (uint index, uint pixel, uint y)
{
  uint slot = PLANE_SLOT (OUT_PLANE, index);
  bool is_pair = COMPONENT_SECOND (OUT_0) > 0;

  if (slot == SLOT_EMPTY)
    return 0;
  if (slot == SLOT_UNUSED)
    return (1u << SAMPLE_BITS) - 1;
  if (slot == SLOT_SECOND)
    return code_at (0, min (2 * pixel + 1, width - 1), y);
  return code_at (slot, is_pair && slot == 0 ? 2 * pixel : pixel, y)
      << PLANE_LOW (OUT_PLANE);
}

// Samples past the last column, which fill up the last word of a row, become 0.
uint
word_at (uint word, uint y)
{
  uint bits = 0;

  for (uint i = 0; i < SAMPLES_A_WORD; i++) {
    uint at = word * SAMPLES_A_WORD + i;

    if (at / SAMPLES < plane_width)
      bits |= sample_at (at % SAMPLES, at / SAMPLES, y) << (i * SAMPLE_BITS);
  }
  return bits;
}

void
main ()
{
  uint item = first_item + gl_GlobalInvocationID.x;
  uint word = item % row_words, y = item / row_words;

  if (item < end_item)
    output_words[out_offset + y * out_stride + word] = word_at (word, y);
}
