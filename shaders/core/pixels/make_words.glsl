// SPDX-License-Identifier: LGPL-2.1-or-later
// Makes the words of a plane of a frame of any format, from the function code_at():
// format.glsl.
#include "core/pixels/samples.glsl"

// Returns the bits of a sample of a pixel.
uint sample_bits (uint slot, uint pixel, uint y)
{
  if (slot == SLOT_EMPTY)
    return 0;
  if (slot == SLOT_UNUSED)
    return (1u << SAMPLE_BITS) - 1;
  uint x = column_of (slot, pixel);

  return code_at (component_of (slot), slot == SLOT_SECOND ? min (x, width - 1) : x, y)
      << PLANE_LOW (OUT_PLANE);
}

// Samples past the last column, which fill up the last word of a row, become 0.
uint word_at (uint word, uint y)
{
  uint bits = 0;

  for (uint i = 0; i < SAMPLES_A_WORD; i++) {
    uint pixel = (word * SAMPLES_A_WORD + i) / SAMPLES;

    if (pixel < plane_width)
      bits |= sample_bits (slot_at (word, i), pixel, y) << (i * SAMPLE_BITS);
  }
  return bits;
}
