/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The interface between gpu/blur/ and the shaders that convert frames to linear light, in
 * floats, and back. C and GLSL include this. */
#ifndef BLUR_TRANSFER_H
#define BLUR_TRANSFER_H

/* --- specialization constants, after those of core/pixels/format.h --- */

#define TRANSFER_MODEL 9        /* TRANSFER_RGB… */
#define TRANSFER_HALF 10        /* whether light is stored as halves, not floats */
#define TRANSFER_H_COSITED 11   /* whether chroma lies on the first column of those that */
#define TRANSFER_V_COSITED 12   /* share it, and on the first row; else between them */
#define TRANSFER_CONSTANTS 13

#define TRANSFER_RGB 0
#define TRANSFER_YUV 1
#define TRANSFER_GREY 2

/* --- push constants --- */

/* Y' is low + luma · its range, in codes; Cb and Cr are middle + chroma · their range, for
 * chroma in -1/2…1/2. */
#define TRANSFER_PUSH(float) \
  float red_weight, blue_weight;        /* in luma */ \
  float luma_low, luma_range; \
  float chroma_middle, chroma_range;

/* --- tables --- */

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
