// SPDX-License-Identifier: LGPL-2.1-or-later
// The samples of a plane, in the order in which they lie in words: format.glsl.

const uint SAMPLES = PLANE_SAMPLES (OUT_PLANE);
const uint SAMPLE_BITS = PLANE_BITS (OUT_PLANE);
// The last of four components that share a word has less bits.
const uint SAMPLES_A_WORD = (32 + SAMPLE_BITS - 1) / SAMPLE_BITS;

// Whether pixels of the plane are pairs of pixels of the frame, with a Y' each.
const bool HAS_PAIRS = COMPONENT_SECOND (OUT_0) > 0;

// Returns what sample @i of a word is: component 0…3 or SLOT_….
uint slot_at (uint word, uint i)
{
  // The first case depends on constants only.
  uint index = SAMPLES_A_WORD % SAMPLES == 0 ? i % SAMPLES
      : (word * SAMPLES_A_WORD + i) % SAMPLES;

  return PLANE_SLOT (OUT_PLANE, index);
}

// Returns the component that a sample belongs to.
uint component_of (uint slot)
{
  return slot == SLOT_SECOND ? 0 : slot;
}

// Returns the column, in its component, of a sample of a pixel.
uint column_of (uint slot, uint pixel)
{
  return slot == SLOT_SECOND ? 2 * pixel + 1 : HAS_PAIRS && slot == 0 ? 2 * pixel : pixel;
}
