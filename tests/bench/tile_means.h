/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The oracle of reductions: sums, one pixel after the other. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The mean luma of every tile of @tile x @tile pixels, or of as much of it as lies
 * in the frame, row by row: 0.2126 R + 0.7152 G + 0.0722 B, with these rounded to
 * 256ths, and the mean rounded down to 256ths of a code value. @rgba: @stride
 * bytes from row to row. To be freed. */
guint32 *tile_means (const guint8 * rgba, gsize stride, guint width,
    guint height, guint tile);

G_END_DECLS
