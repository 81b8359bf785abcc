/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gaussian.h"

#include <math.h>

typedef struct
{
  gdouble sigma;
  gint radius;
} Blur;

static gdouble
weigh (const Blur * blur, gint distance)
{
  return exp (-distance * distance / (2 * blur->sigma * blur->sigma));
}

/* Returns the weighted mean around sample @at of a line with @n samples, which are @step
 * elements apart. */
static gdouble
mean_around (const Blur * blur, const gdouble * line, gint at, gint n,
    guint step)
{
  gdouble sum = 0, weights = 0;

  for (gint i = -blur->radius; i <= blur->radius; i++) {
    sum += weigh (blur, i) * line[(gsize) CLAMP (at + i, 0, n - 1) * step];
    weights += weigh (blur, i);
  }
  return sum / weights;
}

CheckGaussianError
check_gaussian_compare (const guint8 * input, const guint8 * output,
    guint width, guint height, gdouble sigma, guint radius)
{
  const Blur blur = { sigma, radius };
  gsize n = (gsize) width * height;
  g_autofree gdouble *samples = g_new (gdouble, n);
  g_autofree gdouble *rows = g_new (gdouble, n);
  CheckGaussianError error = { 0, 0 };

  for (gsize i = 0; i < n; i++)
    samples[i] = input[i];
  for (gsize i = 0; i < n; i++)
    rows[i] = mean_around (&blur, samples + i / width * width, i % width,
        width, 1);
  for (gsize i = 0; i < n; i++) {
    gdouble right = mean_around (&blur, rows + i % width, i / width, height,
        width);
    gdouble off = MAX (fabs (output[i] - right) - 0.5, 0);

    error.max = MAX (error.max, off);
    error.mean += off / n;
  }
  return error;
}
