/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pixel formats as specialization constants, and the push constants of shaders that read or
 * write pixels. C and GLSL include this. */
#ifndef CORE_PIXELS_FORMAT_H
#define CORE_PIXELS_FORMAT_H

/* --- specialization constants --- */

#define FORMAT_IN 0             /* COMPONENT() of the input's red or Y', green or Cb, blue
                                   or Cr, alpha */
#define FORMAT_OUT 4            /* the same of the output */
#define FORMAT_PLANE 8          /* PLANE() of the plane that is written */
#define FORMAT_YUV 9            /* Y'CbCr encoding: those of gpu_yuv_get_constants() */
/* Whether four successive words of a frame are loaded and stored as a vector: not on CPU
 * devices, which do so word by word. */
#define FORMAT_VECTORS 26
/* Specialization constants of the shader itself begin here. */
#define FORMAT_CONSTANTS 27

/* --- components --- */

/* A component: its plane; its lowest bit in a pixel of the plane; its bits; the bytes of such
 * a pixel; in pairs of pixels, the bits from the first Y' to the second, else 0; the
 * subsampling of the plane. A component that the format lacks is 0. */
#define COMPONENT(plane, bit, bits, pixel, second, shift_x, shift_y) \
  ((plane) | (bit) << 2 | (bits) << 9 | (pixel) << 15 | (second) << 20 \
  | (shift_x) << 25 | (shift_y) << 27)
#define COMPONENT_PLANE(component) ((component) & 3)
#define COMPONENT_BIT(component) ((component) >> 2 & 127)
#define COMPONENT_BITS(component) ((component) >> 9 & 63)
#define COMPONENT_PIXEL(component) ((component) >> 15 & 31)
#define COMPONENT_SECOND(component) ((component) >> 20 & 31)
#define COMPONENT_SHIFT_X(component) ((component) >> 25 & 3)
#define COMPONENT_SHIFT_Y(component) ((component) >> 27 & 3)

/* --- planes --- */

/* What a sample of a pixel is: component 0…3, or one of these. */
#define SLOT_SECOND 4           /* the second Y' of a pair */
#define SLOT_UNUSED 5           /* written with all bits set */
#define SLOT_EMPTY 6            /* written as 0 */

/* A plane: the samples of a pixel; the bits of a sample, of which @low are not used; what the
 * samples are; its index. */
#define PLANE(samples, bits, low, first, second, third, fourth, index) \
  ((samples) | (bits) << 3 | (low) << 9 | (first) << 12 | (second) << 15 \
  | (third) << 18 | (fourth) << 21 | (index) << 24)
#define PLANE_SAMPLES(plane) ((plane) & 7)
#define PLANE_BITS(plane) ((plane) >> 3 & 63)
#define PLANE_LOW(plane) ((plane) >> 9 & 7)
#define PLANE_SLOT(plane, index) ((plane) >> (12 + 3 * (index)) & 7)
#define PLANE_INDEX(plane) ((plane) >> 24 & 3)

/* --- the pixels of frames that need no conversion, and arrays by pixel (pixels.glsl) --- */

/* The colour of a pixel is R << 16 | G << 8 | B. This bit marks pixels whose
 * alpha is below least_alpha. */
#define TRANSPARENT 0x1000000u

/* Words of a row in an array by pixel, which has one word per pixel: rows are padded, so that
 * four successive pixels are a vector. width: of the frame in pixels. */
#define PIXELS_ROW_WORDS(width) (((width) + 3) / 4 * 4)

/* The most planes of such frames. */
#define PIXELS_PLANES 3

/* Push constants of all these shaders, before any others. */
#define PIXELS_PUSH(uint) \
  /* first_item, end_item: the items of this dispatch, end exclusive. first_row: first \
   * bound row of pixels, for frames with one plane and arrays by pixel. \
   * width, height: size of the frame in pixels. */ \
  uint first_item, end_item; \
  uint first_row; \
  uint width, height; \
  /* For formats with alpha: pixels with less get TRANSPARENT. */ \
  uint least_alpha; \
  /* Whether each field has its own chroma rows, for subsampled formats. */ \
  uint is_interlaced; \
  /* Offset and stride of each plane in words. */ \
  uint in_offset[PIXELS_PLANES], in_stride[PIXELS_PLANES]; \
  uint out_offset[PIXELS_PLANES], out_stride[PIXELS_PLANES];

/* --- frames of any format, sample by sample (format.glsl) --- */

/* Push constants of all these shaders, before any others. An item is a word of the plane that
 * is written, or a pixel: gpu/core/compute/components.h. */
#define FORMAT_PUSH(uint) \
  /* The items of this dispatch, end exclusive; the words of a row. */ \
  uint first_item, end_item; \
  uint row_words; \
  /* The size of the frame, and the width of the plane, in pixels of each. */ \
  uint width, height; \
  uint plane_width; \
  /* Offset and stride of each plane of the input, and of the plane that is written, in \
   * words. */ \
  uint in_offset[4], in_stride[4]; \
  uint out_offset, out_stride;

#endif
