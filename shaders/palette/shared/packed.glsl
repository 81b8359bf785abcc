// SPDX-License-Identifier: LGPL-2.1-or-later
// Pixels of packed RGB formats, four at a time.

// Byte positions of components; 4 = there is none.
layout (constant_id = 0) const uint IN_BYTES = 4;
layout (constant_id = 1) const uint IN_RED = 0;
layout (constant_id = 2) const uint IN_GREEN = 1;
layout (constant_id = 3) const uint IN_BLUE = 2;
layout (constant_id = 4) const uint IN_ALPHA = 4;
layout (constant_id = 5) const uint OUT_BYTES = 4;
layout (constant_id = 6) const uint OUT_RED = 0;
layout (constant_id = 7) const uint OUT_GREEN = 1;
layout (constant_id = 8) const uint OUT_BLUE = 2;
layout (constant_id = 9) const uint OUT_ALPHA = 4;
layout (constant_id = 10) const uint OUT_UNUSED = 4;

uint
component (uint pixel, uint position)
{
  return (pixel >> (8 * position)) & 255;
}

uint
counted_colour (uint pixel)
{
  uint colour = component (pixel, IN_RED) << 16
      | component (pixel, IN_GREEN) << 8 | component (pixel, IN_BLUE);

  if (IN_ALPHA < 4 && component (pixel, IN_ALPHA) == 0)
    colour |= TRANSPARENT;
  return colour;
}

#define DEFINE_LOAD_PIXELS(words) \
void \
load_pixels (Quad quad, out uint pixels[4]) \
{ \
  uint at = in_offset[0] + (quad.y - first_row) * in_stride[0]; \
  if (IN_BYTES == 4) { \
    for (uint i = 0; i < 4; i++) \
      pixels[i] = i < quad.n ? words[at + quad.x + i] : 0; \
  } else { \
    uint n_words = (quad.n * 3 + 3) / 4; \
    uint w[3]; \
    at += quad.x / 4 * 3; \
    for (uint i = 0; i < 3; i++) \
      w[i] = i < n_words ? words[at + i] : 0; \
    pixels[0] = w[0]; \
    pixels[1] = w[0] >> 24 | w[1] << 8; \
    pixels[2] = w[1] >> 16 | w[2] << 16; \
    pixels[3] = w[2] >> 8; \
  } \
}

// alpha: 0…255, ignored where the format has none.
uint
packed_pixel (uint colour, uint alpha)
{
  uint pixel = component (colour, 2) << (8 * OUT_RED)
      | component (colour, 1) << (8 * OUT_GREEN)
      | component (colour, 0) << (8 * OUT_BLUE);

  if (OUT_ALPHA < 4)
    pixel |= alpha << (8 * OUT_ALPHA);
  if (OUT_UNUSED < 4)
    pixel |= 255u << (8 * OUT_UNUSED);
  return pixel;
}

#define DEFINE_STORE_PIXELS(words) \
void \
store_pixels (Quad quad, uint pixels[4]) \
{ \
  uint at = out_offset[0] + (quad.y - first_row) * out_stride[0]; \
  if (OUT_BYTES == 4) { \
    for (uint i = 0; i < quad.n; i++) \
      words[at + quad.x + i] = pixels[i]; \
  } else { \
    uint n_words = (quad.n * 3 + 3) / 4; \
    uint w[3] = uint[3] (pixels[0] | pixels[1] << 24, \
        pixels[1] >> 8 | pixels[2] << 16, pixels[2] >> 16 | pixels[3] << 8); \
    at += quad.x / 4 * 3; \
    for (uint i = 0; i < n_words; i++) \
      words[at + i] = w[i]; \
  } \
}
