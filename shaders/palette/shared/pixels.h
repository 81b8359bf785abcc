/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pixels as the palette counts them: C and GLSL include this. Those that are
 * TRANSPARENT are not counted. */
#ifndef PALETTE_PIXELS_H
#define PALETTE_PIXELS_H

#include "core/pixels/constants.h"

/* Of a frame's place that has no frame: is not counted, and like no pixel. */
#define NO_PIXEL 0xffffffffu

/* Pixels that a thread takes of an array with a word for each; a workgroup has 256
 * threads. */
#define PIXELS_PER_THREAD 16

#endif
