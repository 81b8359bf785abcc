/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The interface of decode.comp and encode.comp, which convert frames of any format to pixels
 * that engines read, and back; and of encode.comp alone, which moves the samples of a frame to
 * one of another format. C and GLSL include this. */
#ifndef CORE_PIXELS_CONVERT_H
#define CORE_PIXELS_CONVERT_H
#include "format.h"

/* --- specialization constants, after those of format.h --- */

/* What the pixels of an engine are. */
#define CONVERT_KIND FORMAT_CONSTANTS
#define CONVERT_MOVED 0         /* the components of the frame, with the same subsampling */
#define CONVERT_CODES 1         /* R'G'B' of the frame and alpha, of 8 bits */
#define CONVERT_CURVED 2        /* the same of sRGB, by a table */
#define CONVERT_HALVES 3        /* linear light and alpha in 0…1, by a table */
#define CONVERT_FLOATS 4        /* the same in floats */

/* The colour model of the frame: one of these. */
#define CONVERT_MODEL (FORMAT_CONSTANTS + 1)
#define CONVERT_RGB 0
#define CONVERT_YUV 1
#define CONVERT_GREY 2

#define CONVERT_CONSTANTS (FORMAT_CONSTANTS + 2)

/* --- push constants, after those of format.h --- */

#define CONVERT_PUSH(uint, float) \
  /* Of the pixels that encode.comp reads, in words. */ \
  uint pixels_offset, pixels_stride; \
  /* For light: Y' is low + luma · its range, in codes; Cb and Cr are middle + chroma · their \
   * range, for chroma in -1/2…1/2. */ \
  float red_weight, blue_weight;        /* in luma */ \
  float luma_low, luma_range; \
  float chroma_middle, chroma_range;

/* --- the table of CONVERT_CURVED --- */

/* A signal is R', G' or B' of a frame. Its unit is finer than a code of 8 bits by this many
 * bits, so that it keeps the steps of deeper codes. With one bit more, Y'CbCr of 16 bits would
 * not fit into sums of 32 bits. */
#define CURVE_BITS 7
#define CURVE_WHITE (255 << CURVE_BITS)

/* The code of sRGB of each signal, 0…CURVE_WHITE, four to a word. Then the signal of each code
 * of sRGB, one to a word. */
#define CURVE_SIGNALS_AT (CURVE_WHITE / 4 + 1)
#define CURVE_WORDS (CURVE_SIGNALS_AT + 256)

/* --- the tables of CONVERT_HALVES and CONVERT_FLOATS --- */

/* A table of a function of 0…1. Entries are 256 an octave, and between two the function is
 * linear; below the first it is proportional. For gammas up to 2.8, relative errors are below
 * 10^-5, but in the one entry where a function has a knee. */
#define TRANSFER_SHIFT 15       /* bits of a float below an entry */
#define TRANSFER_SIZE(octaves) ((octaves) * 256 + 2)
#define TRANSFER_FIRST(octaves) ((127 - (octaves)) * 256)

/* From codes to light; the least code is 1 of 65535. From light to codes. */
#define TRANSFER_DECODE_OCTAVES 17
#define TRANSFER_ENCODE_OCTAVES 38
#define TRANSFER_DECODE_AT 0
#define TRANSFER_ENCODE_AT TRANSFER_SIZE (TRANSFER_DECODE_OCTAVES)
#define TRANSFER_TABLE_SIZE \
  (TRANSFER_ENCODE_AT + TRANSFER_SIZE (TRANSFER_ENCODE_OCTAVES))

#endif
