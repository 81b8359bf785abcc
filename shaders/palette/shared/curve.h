/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table between frames with a transfer curve and codes of sRGB (coding.glsl). C and GLSL
 * include this. */
#ifndef PALETTE_CURVE_H
#define PALETTE_CURVE_H

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
