/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames as shaders see them that read colours and write them: C and GLSL include
 * this. */
#ifndef CORE_PIXELS_CONSTANTS_H
#define CORE_PIXELS_CONSTANTS_H

/* A pixel's colour is R << 16 | G << 8 | B. This bit marks pixels with alpha 0. */
#define TRANSPARENT 0x1000000u

/* Push constants of all these shaders, before their own. */
#define PIXELS_PUSH(uint) \
  /* Items of this dispatch, and the first row of pixels that is bound: of frames of \
   * one plane, and of arrays with a word for each pixel. */ \
  uint first_item, end_item; \
  uint first_row; \
  uint width, height; \
  /* Of subsampled formats: each field has its own chroma rows. */ \
  uint is_interlaced; \
  /* Of planes, in words. */ \
  uint in_offset[3], in_stride[3]; \
  uint out_offset[3], out_stride[3];

/* Specialization constants. Bytes of a pixel, and the byte that has each component; 4:
 * there is none. */
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
/* Whether the byte is luma. */
#define PIXELS_IN_GREY 11
#define PIXELS_OUT_GREY 12
/* Whether U and V share a plane. */
#define PIXELS_IN_INTERLEAVED 13
#define PIXELS_OUT_INTERLEAVED 14
/* Y'CbCr, as gpu_yuv_get_constants() has it. */
#define PIXELS_YUV 15
#define PIXELS_H_COSITED 15
#define PIXELS_V_COSITED 16
#define PIXELS_LUMA_OFFSET 17
#define PIXELS_KY 18
#define PIXELS_RV 19
#define PIXELS_GU 20
#define PIXELS_GV 21
#define PIXELS_BU 22
#define PIXELS_YR 23
#define PIXELS_YG 24
#define PIXELS_YB 25
#define PIXELS_UR 26
#define PIXELS_UG 27
#define PIXELS_UB 28
#define PIXELS_VR 29
#define PIXELS_VG 30
#define PIXELS_VB 31
#define PIXELS_CONSTANTS 32

#endif
