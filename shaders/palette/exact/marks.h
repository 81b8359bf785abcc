/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Marks of cells around changed colours. C and GLSL include this. */
#ifndef PALETTE_MARKS_H
#define PALETTE_MARKS_H

/* A mark is the bit of a cell in a bitmap. These cells are not those of the grid. The
 * bit is indexed by the low MARK_BITS_L bits of the cell's index along L, and the low
 * MARK_BITS_AB bits along a and along b, so cells far apart share a bit. */
#define MARK_BITS_L 9u
#define MARK_BITS_AB 7u
#define MARK_WORDS (1u << (MARK_BITS_L + 2u * MARK_BITS_AB - 5u))

/* Most changed colours, of n, for which successors are kept. With more, nearly all
 * colours would be solved anyway, and marking takes longer than walking. With 10 % it
 * still pays. */
#define MOST_CHANGED(n) ((n) / 8u + 256u)

#endif
