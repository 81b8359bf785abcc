/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How many pixels have which output colour, as the shaders and gpu/palette/exact/ see
 * it: C and GLSL include this. */
#ifndef PALETTE_TOP_OUTPUTS_H
#define PALETTE_TOP_OUTPUTS_H

#include "palette/shared/topcolours.h"

/* Of all colours a bitmap; and of output colours, which have a slot each, those
 * that a workgroup looks at. */
#define TOP_COLOUR_WORDS 524288u
#define TOP_GROUP 65536u

/* So many cells on, all places are positive. */
#define TOP_CELLS_BELOW 1024u

/* Of a group's output colours those that have most pixels, where that is not 0, as
 * list_most() has them, and the pixels that all of them have. */
struct TopOfGroup
{
  uint n_pixels;
  uint slots[TOP_MODES], counts[TOP_MODES];
};

#endif
