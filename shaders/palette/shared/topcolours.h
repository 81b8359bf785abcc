/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The colours of a frame that most of its pixels have, as the shaders and
 * gpu/palette/ see them: C and GLSL include this. */
#ifndef PALETTE_TOP_COLOURS_H
#define PALETTE_TOP_COLOURS_H

/* The counter of pixels that are not counted. */
#define TOP_NOWHERE 0xffffffffu

/* That are listed. */
#define TOP_MODES 256

struct TopColour
{
  uint colour;
  uint n;                       /* pixels */
  uint place[3];                /* L, a, b in eighths of bins of
                                   docs/internals/live.md, from the same origin in
                                   all of a list */
};

#ifdef __STDC__
typedef struct TopColour TopColour;
#endif

struct TopColours
{
  uint tag[2];                  /* written by the host */
  uint n_pixels;                /* that are counted */
  uint n_modes;
  TopColour modes[TOP_MODES];   /* by pixels, most first, then by slot */
};

#endif
