/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counters of the pixels of each output colour. C and GLSL include this. */
#ifndef PALETTE_TOP_OUTPUTS_H
#define PALETTE_TOP_OUTPUTS_H

#include "palette/shared/topcolours.h"

/* Words of a bitmap of all colours. Slots of a group: each output colour has a slot, its
 * index among them, and a workgroup goes over one group. */
#define TOP_COLOUR_WORDS 524288u
#define TOP_GROUP 65536u

/* Added to positions, in bins, so that all are positive. */
#define TOP_CELLS_BELOW 1024u

/* The output colours of a group with the most pixels, in the order of list_most(), then
 * counts of 0; and the number of pixels of the whole group. */
struct TopOfGroup
{
  uint n_pixels;
  uint slots[TOP_MODES], counts[TOP_MODES];
};

#endif
