// SPDX-License-Identifier: LGPL-2.1-or-later
// The samples of a plane of bytes, which are in the same places in all frames of a format.
// Include this after core/pixels/format.glsl.

const uint SAMPLES = PLANE_SAMPLES (OUT_PLANE);
const uint SAMPLES_A_WORD = 4;

// Defines a function that returns a sample of a plane in words[]. at: where row 0 begins.
#define DEFINE_SAMPLE(name, words) \
uint \
name (uint at, uint stride, uvec2 pixel, uint index) \
{ \
  uint i = pixel.x * SAMPLES + index; \
  return bitfieldExtract (words[at + pixel.y * stride + i / SAMPLES_A_WORD], \
      int (i % SAMPLES_A_WORD * 8), 8); \
}

// The index of alpha among the samples of a pixel; SAMPLES: there is none.
uint
find_alpha ()
{
  uint index = 0;

  while (index < SAMPLES && PLANE_SLOT (OUT_PLANE, index) != ALPHA)
    index++;
  return index;
}
