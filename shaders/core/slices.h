/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Slices of dispatches: C and GLSL include this. */
#ifndef PALETTE_SLICES_H
#define PALETTE_SLICES_H

/* Indirect dispatches are cut into so many slices at most. */
#define MAX_SLICES 64
#define SLICE_WORDS (3 * MAX_SLICES)

#endif
