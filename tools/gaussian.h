/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How far a Gaussian blur of a grey picture is from the sum in double precision. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What any method may be off by, in code values beyond the half that rounding takes:
 * anywhere, and on average where sums are stored as halves (docs/gpublur.md). */
#define CHECK_MAX_ERROR 0.5
#define CHECK_MEAN_ERROR 0.05

typedef struct
{
  gdouble max, mean;
} CheckGaussianError;

/* @output: what became of @input, both of @width · @height bytes. The pixels at the edges
 * are repeated. */
CheckGaussianError check_gaussian_compare (const guint8 * input,
    const guint8 * output, guint width, guint height, gdouble sigma,
    guint radius);

G_END_DECLS
