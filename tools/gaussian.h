/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compares a Gaussian blur of a grey picture with a reference in double precision. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Tolerances of all methods in code values, in addition to 0.5 for rounding: maximum error,
 * and mean error with sums in 16-bit floats (docs/gpublur.md). */
#define CHECK_MAX_ERROR 0.5
#define CHECK_MEAN_ERROR 0.05

typedef struct
{
  gdouble max, mean;
} CheckGaussianError;

/* Returns the error of @output, the blur of @input; both have @width * @height bytes.
 * @sigma and @radius are in pixels. Edge pixels are repeated. */
CheckGaussianError check_gaussian_compare (const guint8 * input,
    const guint8 * output, guint width, guint height, gdouble sigma,
    guint radius);

G_END_DECLS
