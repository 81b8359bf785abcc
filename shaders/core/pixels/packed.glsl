// SPDX-License-Identifier: LGPL-2.1-or-later
// Loads and stores pixels of formats with one plane, R'G'B' or grey. Four pixels at a time
// take as many words as a pixel has bytes.
#ifndef CORE_PACKED
#define CORE_PACKED
#include "core/pixels/yuv.glsl"

const uint IN_BYTES = COMPONENT_PIXEL (IN_0), OUT_BYTES = COMPONENT_PIXEL (OUT_0);
const bool HAS_ALPHA = IN_3 != 0;

// Number of words that contain the existing pixels of a quad.
#define WORDS_OF_QUAD(quad, bytes) (((quad).n * (bytes) + 3) / 4)

// Returns the byte of a pixel that begins at a bit.
uint byte_at (uint pixel, uint bit)
{
  return (pixel >> bit) & 255;
}

// Returns the colour of a loaded pixel.
uint colour_of_pixel (uint pixel)
{
  bool is_grey = IN_0 == IN_1;
  uint colour = is_grey ? grey_of_luma (byte_at (pixel, COMPONENT_BIT (IN_0)))
      : byte_at (pixel, COMPONENT_BIT (IN_0)) << 16
      | byte_at (pixel, COMPONENT_BIT (IN_1)) << 8
      | byte_at (pixel, COMPONENT_BIT (IN_2));

  if (HAS_ALPHA && byte_at (pixel, COMPONENT_BIT (IN_3)) < least_alpha)
    colour |= TRANSPARENT;
  return colour;
}

// Returns the alpha of a loaded pixel.
uint alpha_of_pixel (uint pixel)
{
  return HAS_ALPHA ? byte_at (pixel, COMPONENT_BIT (IN_3)) : 255;
}

// Returns whether the pixels of each quad are read or written as a vector of four words of the
// frame. Rows of frames need no padding, and it is not written.
bool are_vectors (uint bytes, uint offset, uint stride)
{
  return VECTORS && bytes == 4 && (width | offset | stride) % 4 == 0;
}

// Loads the pixels of a quad. The bytes of a pixel begin at the lowest byte of its word;
// the bytes above them belong to other pixels. words, vectors: the frame.
#define DEFINE_LOAD_PIXELS(words, vectors) \
void \
load_vector (Quad quad, uint at, out uint pixels[4]) \
{ \
  uvec4 loaded = quad.n > 0 ? vectors[at / 4] : uvec4 (0); \
  for (uint i = 0; i < 4; i++) \
    pixels[i] = loaded[i]; \
} \
void \
load_words (Quad quad, uint at, out uint pixels[4]) \
{ \
  uint n_words = WORDS_OF_QUAD (quad, IN_BYTES); \
  uint w[5]; \
  for (uint i = 0; i < 5; i++) \
    w[i] = i < IN_BYTES && i < n_words ? words[at + i] : 0; \
  for (uint i = 0; i < 4; i++) { \
    uint first = i * IN_BYTES / 4, bit = i * IN_BYTES % 4 * 8; \
    pixels[i] = bit == 0 ? w[first] \
        : w[first] >> bit | w[first + 1] << (32 - bit); \
  } \
} \
void \
load_pixels (Quad quad, out uint pixels[4]) \
{ \
  uint at = in_offset[0] + (quad.y - first_row) * in_stride[0] \
      + quad.x / 4 * IN_BYTES; \
  if (are_vectors (IN_BYTES, in_offset[0], in_stride[0])) \
    load_vector (quad, at, pixels); \
  else \
    load_words (quad, at, pixels); \
}

// Returns the pixel in the output format. alpha: 0…255, ignored if the format has none.
uint packed_pixel (uint colour, uint alpha)
{
  uint red = byte_at (colour, 16), green = byte_at (colour, 8);
  uint blue = byte_at (colour, 0);

  if (OUT_0 == OUT_1)           // grey, without alpha
    return luma_of_rgb (ivec3 (red, green, blue));
  uint pixel = red << COMPONENT_BIT (OUT_0) | green << COMPONENT_BIT (OUT_1)
      | blue << COMPONENT_BIT (OUT_2);

  if (OUT_3 != 0)
    pixel |= alpha << COMPONENT_BIT (OUT_3);
  for (uint i = 0; i < 4; i++)
    if (PLANE_SLOT (OUT_PLANE, i) == SLOT_UNUSED)
      pixel |= 255u << (8 * i);
  return pixel;
}

// Stores the pixels of a quad, as returned by packed_pixel(). words, vectors: the frame.
#define DEFINE_STORE_PIXELS(words, vectors) \
void \
store_words (Quad quad, uint at, uint pixels[4]) \
{ \
  uint n_words = WORDS_OF_QUAD (quad, OUT_BYTES); \
  uint w[5] = uint[5] (0, 0, 0, 0, 0); \
  for (uint i = 0; i < 4; i++) { \
    uint first = i * OUT_BYTES / 4, bit = i * OUT_BYTES % 4 * 8; \
    w[first] |= pixels[i] << bit; \
    if (bit != 0) \
      w[first + 1] |= pixels[i] >> (32 - bit); \
  } \
  for (uint i = 0; i < OUT_BYTES && i < n_words; i++) \
    words[at + i] = w[i]; \
} \
void \
store_pixels (Quad quad, uint pixels[4]) \
{ \
  uint at = out_offset[0] + (quad.y - first_row) * out_stride[0] \
      + quad.x / 4 * OUT_BYTES; \
  if (!are_vectors (OUT_BYTES, out_offset[0], out_stride[0])) \
    store_words (quad, at, pixels); \
  else if (quad.n > 0) \
    vectors[at / 4] = uvec4 (pixels[0], pixels[1], pixels[2], pixels[3]); \
}

#endif
