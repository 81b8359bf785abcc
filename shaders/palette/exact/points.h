/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lattice points in Oklab. C and GLSL include this. */
#ifndef PALETTE_POINTS_H
#define PALETTE_POINTS_H

/* Added to a and b of lattice points, which are signed. */
#define POINT_BIAS 32768

#endif
