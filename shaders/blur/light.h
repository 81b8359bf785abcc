/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The layout of the table of light, in which white is 255. C and GLSL include this. */
#ifndef BLUR_LIGHT_H
#define BLUR_LIGHT_H

/* The first part is the light of the codes 0, 1/2, 1, … 255. The light of a half code is
 * the threshold between its two neighbours. An infinite threshold follows, which no light
 * reaches. */
#define LIGHT_HALF_CODES 511

/* The second part is indexed by the leading bits of a light as a float. Each cell has the
 * code of the least light in it. The cells cover 2^-16…2^8, and none has light of more
 * than three codes. */
#define LIGHT_CELLS_AT (LIGHT_HALF_CODES + 1)
#define LIGHT_CELL_SHIFT 17     /* 64 cells an octave */
#define LIGHT_FIRST_CELL ((127 - 16) << (23 - LIGHT_CELL_SHIFT))
#define LIGHT_CELLS (24 << (23 - LIGHT_CELL_SHIFT))

#define LIGHT_TABLE_SIZE (LIGHT_CELLS_AT + LIGHT_CELLS)

#endif
