/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Changes that counting a frame made. C and GLSL include this. */
#ifndef PALETTE_CHANGED_H
#define PALETTE_CHANGED_H

struct PaletteChanged
{
  uint pixels;                  /* pixels that differ from the frame that this one
                                   replaces: with a history of 1, the frame before */
  uint presence;                /* not 0: a colour came or went */
};

#endif
