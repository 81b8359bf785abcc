/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Orders of the cells of a box, in which those near each other are to come soon
 * after each other. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  CURVE_STRAIGHT,               /* row by row, the last axis first */
  CURVE_HILBERT,                /* through the least cube of 2^k cells a side
                                   that holds the box (John Skilling,
                                   "Programming the Hilbert curve", 2004) */
  CURVE_GILBERT,                /* through the box itself (Jakub Červený,
                                   "Generalized Hilbert space-filling curve",
                                   2019) */
  CURVES
} Curve;

const gchar *curve_get_name (Curve curve);

/* Returns, by cell (row by row, the last axis first), where it is on the curve:
 * numbers that grow along it; of a box of @size[0] · @size[1] · @size[2] cells, none
 * of them 0. Free with g_free(). */
guint64 *curve_new (Curve curve, const guint size[3]);

G_END_DECLS
