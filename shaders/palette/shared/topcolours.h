/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The output colours of a frame with the most pixels. C and GLSL include this. */
#ifndef PALETTE_TOP_COLOURS_H
#define PALETTE_TOP_COLOURS_H

/* Counter number of pixels that are not counted. */
#define TOP_NOWHERE 0xffffffffu

/* Most colours in the list. */
#define TOP_MODES 256

struct TopColour
{
  uint colour;
  uint n;                       /* number of pixels */
  uint place[3];                /* L, a, b in eighths of bins (docs/internals/live.md);
                                   the origin is the same for all of a list */
};

#ifdef __STDC__
typedef struct TopColour TopColour;
#endif

struct TopColours
{
  uint tag[2];                  /* written by the host */
  uint n_pixels;                /* pixels that are counted */
  uint n_modes;
  TopColour modes[TOP_MODES];   /* by pixels, most first, then by slot */
};

/* --- of the quality `exact` --- */

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
