/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Prefix sums of points: C and GLSL include this. */
#ifndef PALETTE_SUMS_H
#define PALETTE_SUMS_H

/* Words of a workgroup's total, of the grid's prefix sums. */
#define WORDS_PER_TOTAL 7u

#endif
