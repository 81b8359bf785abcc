/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_blur.h"

#include <math.h>
#include <string.h>

#define MIN_JUDGED_ALPHA 16.0   /* of 255 */

gdouble
reference_blur_box_half_width (const ReferenceBlurSettings * settings,
    ReferenceAxis axis)
{
  const gdouble sigma = settings->sigma[axis];

  if (settings->radius >= 0)
    return settings->radius;
  return (sqrt (12 * sigma * sigma + 1) - 1) / 2;
}

gboolean
reference_blur_is_identity (const ReferenceBlurSettings * settings)
{
  const gdouble *sigma = settings->sigma;

  if (settings->kernel == REFERENCE_KERNEL_BOX)
    return reference_blur_box_half_width (settings, REFERENCE_X) == 0
        && reference_blur_box_half_width (settings, REFERENCE_Y) == 0;
  return settings->radius == 0
      || (sigma[REFERENCE_X] == 0 && sigma[REFERENCE_Y] == 0);
}

/* The distance from tap 0 to the last one. */
static gint
find_reach (const ReferenceBlurSettings * settings, ReferenceAxis axis,
    guint subsampling)
{
  const gdouble radius = settings->kernel == REFERENCE_KERNEL_BOX
      ? reference_blur_box_half_width (settings, axis)
      : settings->radius >= 0 ? settings->radius : 3 * settings->sigma[axis];

  return ceil (radius / subsampling);
}

/* Of a sigma of 0 there is tap 0 alone, not 0 / 0. */
static gdouble
gaussian_weight (gdouble i, gdouble sigma)
{
  return i == 0 ? 1 : exp (-0.5 * (i / sigma) * (i / sigma));
}

static gdouble
box_weight (gdouble i, gdouble half_width)
{
  const gdouble reach = ceil (half_width);

  return fabs (i) == reach ? half_width - reach + 1 : 1;
}

gdouble *
reference_blur_weights (const ReferenceBlurSettings * settings,
    ReferenceAxis axis, guint subsampling, guint * reach)
{
  const gdouble half_width =
      reference_blur_box_half_width (settings, axis) / subsampling;
  const gdouble sigma = settings->sigma[axis] / subsampling;
  const gint R = find_reach (settings, axis, subsampling);
  gdouble *weights = g_new (gdouble, 2 * (gsize) R + 1);
  gdouble sum = 0;

  for (gint i = -R; i <= R; i++)
    sum += weights[i + R] = settings->kernel == REFERENCE_KERNEL_BOX
        ? box_weight (i, half_width) : gaussian_weight (i, sigma);
  for (gint i = 0; i <= 2 * R; i++)
    weights[i] /= sum;
  *reach = R;
  return weights;
}

gint
reference_edge_index (gint i, gint n, ReferenceEdge edge)
{
  const gint period = edge == REFERENCE_EDGE_MIRROR ? 2 * n : n;
  const gint phase = (i % period + period) % period;

  switch (edge) {
    case REFERENCE_EDGE_CLAMP:
      return CLAMP (i, 0, n - 1);
    case REFERENCE_EDGE_MIRROR:
      return phase < n ? phase : period - 1 - phase;
    case REFERENCE_EDGE_WRAP:
      return phase;
    case REFERENCE_EDGE_BLACK:
      return i >= 0 && i < n ? i : -1;
  }
  return -1;
}

/* The weights of one axis. */
typedef struct
{
  gdouble *weights;
  guint reach;
} Taps;

static gsize
count_values (const ReferencePlane * plane)
{
  return (gsize) plane->width * plane->height * plane->components;
}

/* Each line along the axis, component by component, with what is beyond its ends. */
static void
filter (const ReferencePlane * plane, ReferenceAxis axis, const Taps * taps,
    ReferenceEdge edge, const gdouble * black, const gdouble * input,
    gdouble * output)
{
  const gsize pitch = (gsize) plane->width * plane->components;
  const guint n = axis == REFERENCE_X ? plane->width : plane->height;
  const gsize step = axis == REFERENCE_X ? plane->components : pitch;
  const gint reach = taps->reach;
  g_autofree gdouble *padded = g_new (gdouble, n + 2 * (gsize) reach);

  for (gsize line = 0; line < count_values (plane) / n; line++) {
    const guint c = line % plane->components;
    const gsize start =
        axis == REFERENCE_X ? line / plane->components * pitch + c : line;

    for (guint i = 0; i < n + 2 * reach; i++) {
      const gint source = reference_edge_index ((gint) i - reach, n, edge);

      padded[i] = source < 0 ? black[c] : input[start + step * source];
    }
    for (guint i = 0; i < n; i++) {
      gdouble sum = 0;

      for (gint k = 0; k <= 2 * reach; k++)
        sum += taps->weights[k] * padded[i + k];
      output[start + step * i] = sum;
    }
  }
}

static gdouble
get_value (const ReferencePlane * plane, gsize i)
{
  if (plane->values)
    return plane->values[i];
  return plane->codes ? plane->codes[i] : plane->samples[i];
}

/* One pixel's colours are multiplied by its alpha where it has one. */
static void
premultiply (const ReferencePlane * plane, gdouble * pixel)
{
  for (gint c = 0; c < (gint) plane->components; c++)
    if (plane->alpha >= 0 && c != plane->alpha)
      pixel[c] *= pixel[plane->alpha];
}

/* The blurred plane, still multiplied by alpha. */
static gdouble *
filter_premultiplied (const ReferencePlane * plane, const Taps * x_taps,
    const Taps * y_taps, ReferenceEdge edge)
{
  const gsize n_values = count_values (plane);
  g_autofree gdouble *input = g_new (gdouble, n_values);
  g_autofree gdouble *rows = g_new (gdouble, n_values);
  gdouble *output = g_new (gdouble, n_values);
  gdouble black[4], x_sum = 0;

  for (gsize i = 0; i < n_values; i++)
    input[i] = get_value (plane, i);
  for (gsize i = 0; i < n_values; i += plane->components)
    premultiply (plane, input + i);
  for (guint c = 0; c < plane->components; c++)
    black[c] = plane->black[c];
  premultiply (plane, black);
  filter (plane, REFERENCE_X, x_taps, edge, black, input, rows);

  /* Rows outside the frame have been filtered like those inside. */
  for (guint i = 0; i <= 2 * x_taps->reach; i++)
    x_sum += x_taps->weights[i];
  for (guint c = 0; c < plane->components; c++)
    black[c] *= x_sum;
  filter (plane, REFERENCE_Y, y_taps, edge, black, rows, output);
  return output;
}

static void
divide_by_alpha (const ReferencePlane * plane, const gdouble * blurred,
    gdouble * output)
{
  for (gint c = 0; c < (gint) plane->components; c++) {
    const gdouble by =
        plane->alpha < 0 || c == plane->alpha ? 1 : blurred[plane->alpha];

    output[c] = by == 0 ? 0 : blurred[c] / by;
  }
}

void
reference_blur (const ReferencePlane * plane,
    const ReferenceBlurSettings * settings, gdouble * output)
{
  const gsize n_values = count_values (plane);
  Taps x_taps, y_taps;
  gdouble *blurred;

  if (reference_blur_is_identity (settings)) {
    for (gsize i = 0; i < n_values; i++)
      output[i] = get_value (plane, i);
    return;
  }
  x_taps.weights = reference_blur_weights (settings, REFERENCE_X,
      plane->x_subsampling, &x_taps.reach);
  y_taps.weights = reference_blur_weights (settings, REFERENCE_Y,
      plane->y_subsampling, &y_taps.reach);
  blurred = filter_premultiplied (plane, &x_taps, &y_taps, settings->edge);
  for (gsize i = 0; i < n_values; i += plane->components)
    divide_by_alpha (plane, blurred + i, output + i);
  g_free (blurred);
  g_free (x_taps.weights);
  g_free (y_taps.weights);
}

/* Half-width of the box on an axis of @plane. */
static gdouble
plane_half_width (const ReferencePlane * plane,
    const ReferenceBlurSettings * settings, ReferenceAxis axis)
{
  return reference_blur_box_half_width (settings, axis)
      / (axis == REFERENCE_X ? plane->x_subsampling : plane->y_subsampling);
}

gboolean
reference_blur_box_is_exact (const ReferencePlane * plane,
    const ReferenceBlurSettings * settings)
{
  const gdouble x = plane_half_width (plane, settings, REFERENCE_X);
  const gdouble y = plane_half_width (plane, settings, REFERENCE_Y);

  return !plane->values && !plane->codes
      && settings->kernel == REFERENCE_KERNEL_BOX
      && !reference_blur_is_identity (settings) && x == floor (x)
      && y == floor (y);
}

/* @sums: of the samples of one pixel's box, whole numbers; @n: samples. */
static void
divide_exactly (const ReferencePlane * plane, const gdouble * sums, gint64 n,
    guint8 * output)
{
  for (gint c = 0; c < (gint) plane->components; c++) {
    const gint64 sum = sums[c];
    const gint64 by =
        plane->alpha < 0 || c == plane->alpha ? n : sums[plane->alpha];

    output[c] = by == 0 ? 0 : (2 * sum + by) / (2 * by);
  }
}

/* With weights of 1 the doubles hold whole numbers below 2^53, exactly: the
 * largest, 255 · 255 · 6001², is below 2^42. */
void
reference_blur_box_exact (const ReferencePlane * plane,
    const ReferenceBlurSettings * settings, guint8 * output)
{
  const guint x_reach = plane_half_width (plane, settings, REFERENCE_X);
  const guint y_reach = plane_half_width (plane, settings, REFERENCE_Y);
  g_autofree gdouble *ones = g_new (gdouble, 2 * MAX (x_reach, y_reach) + 1);
  const Taps x_taps = { ones, x_reach }, y_taps = { ones, y_reach };
  g_autofree gdouble *sums = NULL;

  for (guint i = 0; i <= 2 * MAX (x_reach, y_reach); i++)
    ones[i] = 1;
  sums = filter_premultiplied (plane, &x_taps, &y_taps, settings->edge);
  for (gsize i = 0; i < count_values (plane); i += plane->components)
    divide_exactly (plane, sums + i,
        (gint64) (2 * x_reach + 1) * (2 * y_reach + 1), output + i);
}

static void
judge_pixel (ReferenceBlurError * error, const ReferencePlane * plane,
    const gdouble * oracle, const gdouble * output)
{
  const gdouble full =
      plane->values ? 1 : plane->codes ? plane->full_code : 255;
  const gdouble free_distance = plane->values ? 0 : 0.5;

  for (gint c = 0; c < (gint) plane->components; c++) {
    gdouble distance = fabs (output[c] - oracle[c]) - free_distance;

    if (plane->alpha >= 0 && c != plane->alpha
        && oracle[plane->alpha] < MIN_JUDGED_ALPHA / 255 * full)
      continue;
    if (isnan (distance))
      distance = INFINITY;
    error->max = MAX (error->max, distance);
    error->sum += MAX (distance, 0);
    error->n++;
  }
}

void
reference_blur_error_add (ReferenceBlurError * error,
    const ReferencePlane * plane, const gdouble * oracle, const guint8 * output)
{
  const gsize n_values = count_values (plane);

  for (gsize i = 0; i < n_values; i += plane->components) {
    gdouble pixel[4];

    for (guint c = 0; c < plane->components; c++)
      pixel[c] = output[i + c];
    judge_pixel (error, plane, oracle + i, pixel);
  }
}

void
reference_blur_error_add_values (ReferenceBlurError * error,
    const ReferencePlane * plane, const gdouble * oracle,
    const gdouble * output)
{
  const gsize n_values = count_values (plane);

  for (gsize i = 0; i < n_values; i += plane->components)
    judge_pixel (error, plane, oracle + i, output + i);
}

gdouble
reference_blur_error_mean (const ReferenceBlurError * error)
{
  return error->n == 0 ? 0 : error->sum / (gdouble) error->n;
}
