/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Of a frame, how many pixels have which mode, as the shaders and
 * gpu/palette/census.c see it: C and GLSL include this, behind steady.h. */
#ifndef PALETTE_CENSUS_H
#define PALETTE_CENSUS_H

/* Counters, by slot; pixels that are counted and hold no mode share the last. */
#define CENSUS_COUNTERS (MODE_CAPACITY + 1)
#define CENSUS_WITHOUT_MODE MODE_CAPACITY

/* That are listed: those with most pixels. */
#define CENSUS_MODES 256

struct CensusMode
{
  uint colour;
  uint n;                       /* pixels */
  uint place[3];                /* as of struct SteadyMode */
};

#ifdef __STDC__
typedef struct CensusMode CensusMode;
#endif

struct Census
{
  uint tag[2];                  /* written by the host */
  uint n_pixels;                /* that are counted */
  uint n_modes;
  CensusMode modes[CENSUS_MODES];       /* by pixels, most first, then by slot */
};

#endif
