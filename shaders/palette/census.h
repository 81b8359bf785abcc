/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Of a frame, how many pixels have which mode or output colour, as the shaders and
 * gpu/palette/ see it: C and GLSL include this, behind steady.h. */
#ifndef PALETTE_CENSUS_H
#define PALETTE_CENSUS_H

/* Counters of modes, by slot; pixels that are counted and hold no mode share the
 * last. */
#define CENSUS_COUNTERS (MODE_CAPACITY + 1)
#define CENSUS_WITHOUT_MODE MODE_CAPACITY

/* Of pixels that are not counted. */
#define CENSUS_NOWHERE 0xffffffffu

/* That are listed: those with most pixels. */
#define CENSUS_MODES 256

/* Of all colours a bitmap; and of output colours, which have a slot each, those
 * that a workgroup looks at. */
#define CENSUS_COLOUR_WORDS 524288u
#define CENSUS_GROUP 65536u

/* So many cells on, all places are positive. */
#define CENSUS_CELLS_BELOW 1024u

struct CensusMode
{
  uint colour;
  uint n;                       /* pixels */
  uint place[3];                /* as of struct SteadyMode */
};

#ifdef __STDC__
typedef struct CensusMode CensusMode;
#endif

/* Of a group's output colours those that have most pixels, where that is not 0, as
 * list_most() has them, and the pixels that all of them have. */
struct CensusBest
{
  uint n_pixels;
  uint slots[CENSUS_MODES], counts[CENSUS_MODES];
};

struct Census
{
  uint tag[2];                  /* written by the host */
  uint n_pixels;                /* that are counted */
  uint n_modes;
  CensusMode modes[CENSUS_MODES];       /* by pixels, most first, then by slot */
};

#endif
