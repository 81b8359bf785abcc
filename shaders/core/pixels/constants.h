/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Colours, push constants and specialization constants of the shaders that read or write
 * pixels. Included from C and GLSL. */
#ifndef CORE_PIXELS_CONSTANTS_H
#define CORE_PIXELS_CONSTANTS_H

/* The colour of a pixel is R << 16 | G << 8 | B. This bit marks pixels whose
 * alpha is below least_alpha. */
#define TRANSPARENT 0x1000000u

/* Words of a row in an array by pixel, which has one word per pixel: rows are padded, so that
 * four successive pixels are a vector. width: of the frame in pixels. */
#define PIXELS_ROW_WORDS(width) (((width) + 3) / 4 * 4)

/* The most planes of formats that these shaders support. */
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

/* Indexes of the specialization constants. BYTES: bytes per pixel. RED to UNUSED: index of
 * the byte with this component, or 4 if there is none. If red, green and blue are the same
 * byte, the format is grey, and this byte is luma. */
#define PIXELS_IN_BYTES 0
#define PIXELS_IN_RED 1
#define PIXELS_IN_GREEN 2
#define PIXELS_IN_BLUE 3
#define PIXELS_IN_ALPHA 4
#define PIXELS_OUT_BYTES 5
#define PIXELS_OUT_RED 6
#define PIXELS_OUT_GREEN 7
#define PIXELS_OUT_BLUE 8
#define PIXELS_OUT_ALPHA 9
#define PIXELS_OUT_UNUSED 10
/* Planes of the frame: 1 for R'G'B' and grey; for Y'CbCr 4:2:0, 2 if Cb and Cr are
 * interleaved, else 3. The input may be an array by pixel of colours: 0. */
#define PIXELS_IN_PLANES 11
#define PIXELS_OUT_PLANES 12
/* Y'CbCr encoding: the constants from gpu_yuv_get_constants(). */
#define PIXELS_YUV 13
#define PIXELS_H_COSITED 13
#define PIXELS_V_COSITED 14
#define PIXELS_LUMA_OFFSET 15
#define PIXELS_KY 16
#define PIXELS_RV 17
#define PIXELS_GU 18
#define PIXELS_GV 19
#define PIXELS_BU 20
#define PIXELS_YR 21
#define PIXELS_YG 22
#define PIXELS_YB 23
#define PIXELS_UR 24
#define PIXELS_UG 25
#define PIXELS_UB 26
#define PIXELS_VR 27
#define PIXELS_VG 28
#define PIXELS_VB 29
/* Whether four successive words of a frame are loaded and stored as a vector: not on CPU
 * devices, which do so word by word. */
#define PIXELS_VECTORS 30
/* Specialization constants of the shader itself begin here. */
#define PIXELS_CONSTANTS 31

#endif
