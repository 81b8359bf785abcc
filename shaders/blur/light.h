/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A table of light, white being 255: C and GLSL include this. */
#ifndef BLUR_LIGHT_H
#define BLUR_LIGHT_H

/* First the light of the codes 0, 1/2, 1, … 255: what lies between two codes is
 * where one becomes the other. One more is never reached. */
#define LIGHT_HALF_CODES 511

/* Then cells of light, from 2^-16 to 2^8, by the first bits of a float: the code of
 * the least light in each. No cell has light of more than three codes. */
#define LIGHT_CELLS_AT (LIGHT_HALF_CODES + 1)
#define LIGHT_CELL_SHIFT 17     /* 64 cells an octave */
#define LIGHT_FIRST_CELL ((127 - 16) << (23 - LIGHT_CELL_SHIFT))
#define LIGHT_CELLS (24 << (23 - LIGHT_CELL_SHIFT))

#define LIGHT_TABLE_SIZE (LIGHT_CELLS_AT + LIGHT_CELLS)

#endif
