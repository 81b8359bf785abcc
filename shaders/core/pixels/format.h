/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Formats as specialization constants, and the push constants of shaders that read and write
 * frames of any format (format.glsl). C and GLSL include this; gpu/core/compute/components.h
 * fills them in. */
#ifndef CORE_PIXELS_FORMAT_H
#define CORE_PIXELS_FORMAT_H

/* --- specialization constants --- */

#define FORMAT_IN 0             /* COMPONENT() of the input's red or Y', green or Cb, blue
                                   or Cr, alpha */
#define FORMAT_OUT 4            /* the same of the output */
#define FORMAT_PLANE 8          /* PLANE() of the plane that is written */
/* Specialization constants of the shader itself begin here. */
#define FORMAT_CONSTANTS 9

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

/* --- push constants --- */

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
