/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pixels as the palette counts them. Pixels with TRANSPARENT set are not counted. C and
 * GLSL include this. */
#ifndef PALETTE_PIXELS_H
#define PALETTE_PIXELS_H

#include "core/pixels/format.h"

/* Pixel of a buffer without a frame: not counted, and unequal to any pixel. */
#define NO_PIXEL 0xffffffffu

/* Words that an invocation processes of an array by pixel; a workgroup has 256
 * invocations. */
#define PIXELS_PER_THREAD 16

#endif
