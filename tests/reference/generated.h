/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Test pictures that are the same bytes everywhere: integers only, and random
 * numbers of their own (Marsaglia, "Xorshift RNGs", 2003).
 *
 *   one-colour   one colour
 *   two-colours  two colours far apart, in diagonal stripes
 *   black-white  left half black, right half white
 *   neighbours   left half one colour, right half the one next to it in red
 *   gradient     red along x, green along y, blue along the diagonal
 *   noise        R, G and B uniform and independent
 *   checker      black and white squares of 8, single impulses, an edge
 *   alpha-noise  noise with alphas of every kind: 0, 1…15, 16…254, 255
 *   blobs        smooth, overlapping spots, as a photograph out of focus
 *
 * All but alpha-noise are opaque. A left half has width / 2 columns. */

/* All names, NULL-terminated. */
extern const gchar *const generated_names[];

/* @seed: another picture of the same kind where that is made of random numbers
 * (noise, checker, alpha-noise, blobs), else ignored.
 * Returns @width · @height pixels, bytes R, G, B, A, tightly packed; free with
 * g_free(). NULL if there is no picture of that name. */
guint8 *generated_picture_new (const gchar * name, guint width, guint height,
    guint32 seed);

/* Exchanges two components of all pixels, 0 to 2 for R, G and B. Of 0 and 2, only hues change:
 * R + 2 G + B stays. */
void generated_swap (guint8 * rgba, gsize n_pixels, guint one, guint other);

G_END_DECLS
