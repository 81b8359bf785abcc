/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What counting a frame changed: C and GLSL include this. */
#ifndef PALETTE_CHANGED_H
#define PALETTE_CHANGED_H

struct PaletteChanged
{
  uint pixels;                  /* that are not those of the frame before; of a window,
                                   of the frame whose place this one takes */
  uint presence;                /* not 0: a colour came or went */
};

#endif
