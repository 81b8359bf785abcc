/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Prefix sums of points. C and GLSL include this. */
#ifndef PALETTE_SUMS_H
#define PALETTE_SUMS_H

/* Words of the total of a block of points. */
#define WORDS_PER_TOTAL 7u

#endif
