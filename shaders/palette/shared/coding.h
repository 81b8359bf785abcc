/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Specialization constants of the shaders that convert frames to 8-bit R'G'B' and back
 * (coding.glsl). C and GLSL include this. */
#ifndef PALETTE_CODING_H
#define PALETTE_CODING_H
#include "../../core/pixels/format.h"

/* The colour model of the frame: one of these. */
#define CODING_MODEL FORMAT_CONSTANTS
#define CODING_RGB 0
#define CODING_YUV 1
#define CODING_GREY 2

/* Y'CbCr encoding: the constants from gpu_yuv_get_constants(). */
#define CODING_H_COSITED (FORMAT_CONSTANTS + 1)
#define CODING_V_COSITED (FORMAT_CONSTANTS + 2)
#define CODING_LUMA_OFFSET (FORMAT_CONSTANTS + 3)
#define CODING_KY (FORMAT_CONSTANTS + 4)
#define CODING_RV (FORMAT_CONSTANTS + 5)
#define CODING_GU (FORMAT_CONSTANTS + 6)
#define CODING_GV (FORMAT_CONSTANTS + 7)
#define CODING_BU (FORMAT_CONSTANTS + 8)
#define CODING_YR (FORMAT_CONSTANTS + 9)
#define CODING_YG (FORMAT_CONSTANTS + 10)
#define CODING_YB (FORMAT_CONSTANTS + 11)
#define CODING_UR (FORMAT_CONSTANTS + 12)
#define CODING_UG (FORMAT_CONSTANTS + 13)
#define CODING_UB (FORMAT_CONSTANTS + 14)
#define CODING_VR (FORMAT_CONSTANTS + 15)
#define CODING_VG (FORMAT_CONSTANTS + 16)
#define CODING_VB (FORMAT_CONSTANTS + 17)
#define CODING_CONSTANTS (FORMAT_CONSTANTS + 18)

/* --- the table between frames with a transfer curve and codes of sRGB --- */

/* A signal is R', G' or B' of a frame. Its unit is finer than a code of 8 bits by this many
 * bits, so that it keeps the steps of deeper codes. With one bit more, Y'CbCr of 16 bits would
 * not fit into sums of 32 bits. */
#define CURVE_BITS 7
#define CURVE_WHITE (255 << CURVE_BITS)

/* The code of sRGB of each signal, 0…CURVE_WHITE, four to a word. Then the signal of each code
 * of sRGB, one to a word. */
#define CURVE_SIGNALS_AT (CURVE_WHITE / 4 + 1)
#define CURVE_WORDS (CURVE_SIGNALS_AT + 256)

#endif
