/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pixels as the palette counts them: C and GLSL include this. */
#ifndef PALETTE_PIXELS_H
#define PALETTE_PIXELS_H

/* A pixel's colour as the palette counts it is R << 16 | G << 8 | B. This bit
 * marks pixels with alpha 0, which are not counted. */
#define TRANSPARENT 0x1000000u

/* Of a frame's place that has no frame: is not counted, and like no pixel. */
#define NO_PIXEL 0xffffffffu

/* Pixels that a thread takes of an array with a word for each; a workgroup has 256
 * threads. */
#define PIXELS_PER_THREAD 16

#endif
