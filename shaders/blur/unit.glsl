// SPDX-License-Identifier: LGPL-2.1-or-later
// Stores pixels. For shaders in which a thread writes units. They must include words.glsl
// first, and define target[], target_offset, target_stride, width, UNUSED and PIXELS.

#ifndef EXACT
void
store_values (uint at, vec4 values)
{
  uvec4 words = pack_values (values);

  for (uint i = 0; i < FOUR_WORDS; i++)
    target[at + i] = words[i];
}
#endif

// Stores the pixels of a unit. Codes past the plane's edge, which fill up the last word,
// become 0.
void
store_unit (uint unit, uint y, Sample samples[PIXELS])
{
  uint words[3] = uint[3] (0, 0, 0);
  uint row_at = target_offset + y * target_stride;
  uint at = row_at + unit * PIXELS * COMPONENTS / CODES_A_WORD;
  uint used = 0;

#ifndef EXACT
  if (ARE_VALUES) {
    store_values (row_at + unit * FOUR_WORDS, samples[0]);
    return;
  }
#endif
  for (uint p = 0; p < PIXELS; p++) {
    uvec4 codes = uvec4 (samples[p]);

    if (unit * PIXELS + p >= width)
      break;
    for (uint c = 0; c < COMPONENTS; c++) {
      uint i = p * COMPONENTS + c;
      uint code = int (c) == UNUSED ? 255 : codes[c];
      words[i / CODES_A_WORD] |= code << CODE_SHIFT (i);
    }
    used = ((p + 1) * COMPONENTS + CODES_A_WORD - 1) / CODES_A_WORD;
  }
  for (uint i = 0; i < used; i++)
    target[at + i] = words[i];
}
