/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Marks of changed colours: C and GLSL include this. */
#ifndef PALETTE_MARKS_H
#define PALETTE_MARKS_H

/* Marks are bits of cells, of a side of their own, by so many bits of the cell
 * along L, and along a and b: places that are farther apart than these have room
 * for share them. */
#define MARK_BITS_L 9u
#define MARK_BITS_AB 7u
#define MARK_WORDS (1u << (MARK_BITS_L + 2u * MARK_BITS_AB - 5u))

/* With more changed colours than this, of so many, all are solved anew: they would
 * be nearly, and marks of so many take longer than to walk. With 10 % that pays. */
#define MOST_CHANGED(n) ((n) / 8u + 256u)

#endif
