/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "grey_film.h"

G_BEGIN_DECLS

/* Films of greys whose modes are of a given number, for the worked examples of the
 * colour limit. */

/* The pitch is ⌊0.04 / √N · 2^s / 3 + 1/2⌋: 437 for 1 colour, with s = 15, and 618,
 * 504, 437 and 218 for 2, 3, 4 and 16, with s = 16. There are so many steps to
 * a code, and ten more: the coordinate of a grey's bin is its code, it is in the
 * middle of that, and codes are 8 eighths of a bin apart. */
GreyFilm *limited_film_new (guint n_colours, guint height);

/* For 4 colours. Greys are two eighths beside the middles of their bins. */
gdouble limited_film_beside (gdouble code);

/* For 4 colours. 98 and 102 are in the bin of 100, and 100, their mean, is in that of
 * 120. */
gdouble limited_film_astray (gdouble code);

G_END_DECLS
