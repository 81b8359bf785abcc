// SPDX-License-Identifier: LGPL-2.1-or-later
// Stores pixels. For shaders in which a thread writes units. They must include words.glsl
// first, and define target[], target_offset, target_stride, width, UNUSED and PIXELS.

#ifndef EXACT
void store_values (uint at, vec4 values)
{
  uvec4 words = pack_values (values);

  for (uint i = 0; i < FOUR_WORDS; i++)
    target[at + i] = words[i];
}

// A unit of shorts is a word, or a pixel of two words.
void store_shorts (uint at, uint unit, vec4 samples[PIXELS])
{
  uvec4 codes = uvec4 (samples[0]);
  uvec4 words;

  if (COMPONENTS == 1)
    codes.y = unit * PIXELS + 1 < width ? uint (samples[PIXELS - 1].x) : 0;
  words = pack_codes (codes);
  target[at] = words.x;
  if (COMPONENTS == 4)
    target[at + 1] = words.y;
}
#endif

// Stores the pixels of a unit. Codes past the plane's edge, which fill up the last word,
// become 0.
void store_unit (uint unit, uint y, Sample samples[PIXELS])
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
  if (ARE_SHORTS) {
    store_shorts (row_at + unit * PIXELS * PIXEL_BYTES / 4, unit, samples);
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
