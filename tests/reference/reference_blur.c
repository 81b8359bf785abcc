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

static gboolean
is_axis_identity (const ReferenceBlurSettings * settings, ReferenceAxis axis)
{
  if (settings->kernel == REFERENCE_KERNEL_BOX)
    return reference_blur_box_half_width (settings, axis) == 0;
  return settings->sigma[axis] == 0 || settings->radius == 0;
}

gboolean
reference_blur_is_identity (const ReferenceBlurSettings * settings)
{
  return is_axis_identity (settings, REFERENCE_X)
      && is_axis_identity (settings, REFERENCE_Y);
}

static gdouble
gaussian_reach (const ReferenceBlurSettings * settings, ReferenceAxis axis,
    guint subsampling)
{
  gdouble radius =
      settings->radius >= 0 ? settings->radius : 3 * settings->sigma[axis];

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
  gdouble reach = ceil (half_width);

  return fabs (i) == reach ? half_width - reach + 1 : 1;
}

gdouble *
reference_blur_weights (const ReferenceBlurSettings * settings,
    ReferenceAxis axis, guint subsampling, guint * reach)
{
  const gboolean is_box = settings->kernel == REFERENCE_KERNEL_BOX;
  const gdouble half_width =
      reference_blur_box_half_width (settings, axis) / subsampling;
  const gdouble sigma = settings->sigma[axis] / subsampling;
  const gint R = (gint) (is_box ? ceil (half_width)
      : gaussian_reach (settings, axis, subsampling));
  gdouble *weights = g_new (gdouble, 2 * (gsize) R + 1);
  gdouble sum = 0;

  for (gint i = -R; i <= R; i++) {
    weights[i + R] =
        is_box ? box_weight (i, half_width) : gaussian_weight (i, sigma);
    sum += weights[i + R];
  }
  for (gint i = 0; i <= 2 * R; i++)
    weights[i] /= sum;
  *reach = (guint) R;
  return weights;
}

/* Where the sample at @i, anywhere on the axis, comes from; -1: from outside,
 * which is black. */
static gint
source_index (gint i, gint n, ReferenceEdge edge)
{
  gint period = edge == REFERENCE_EDGE_MIRROR ? 2 * n : n;
  gint phase = (i % period + period) % period;

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

/* Samples along one axis of a plane that is doubles. */
typedef struct
{
  gsize start;                  /* index of the first one */
  gsize step;                   /* from one to the next */
  guint n;
  gdouble black;
} Line;

static void
filter_line (const gdouble * input, Line line, const Taps * taps,
    ReferenceEdge edge, gdouble * padded, gdouble * output)
{
  const guint reach = taps->reach;

  for (guint i = 0; i < line.n + 2 * reach; i++) {
    gint source = source_index ((gint) i - (gint) reach, (gint) line.n, edge);

    padded[i] =
        source < 0 ? line.black : input[line.start + line.step * source];
  }
  for (guint i = 0; i < line.n; i++) {
    gdouble sum = 0;

    for (guint k = 0; k <= 2 * reach; k++)
      sum += taps->weights[k] * padded[i + k];
    output[line.start + line.step * i] = sum;
  }
}

static void
filter_rows (const ReferencePlane * plane, const Taps * taps,
    ReferenceEdge edge, const gdouble * black, const gdouble * input,
    gdouble * output)
{
  const gsize pitch = (gsize) plane->width * plane->components;
  g_autofree gdouble *padded =
      g_new (gdouble, plane->width + 2 * (gsize) taps->reach);

  for (guint y = 0; y < plane->height; y++) {
    for (guint c = 0; c < plane->components; c++) {
      Line line = { y * pitch + c, plane->components, plane->width, black[c] };

      filter_line (input, line, taps, edge, padded, output);
    }
  }
}

static void
filter_columns (const ReferencePlane * plane, const Taps * taps,
    ReferenceEdge edge, const gdouble * black, const gdouble * input,
    gdouble * output)
{
  const gsize pitch = (gsize) plane->width * plane->components;
  g_autofree gdouble *padded =
      g_new (gdouble, plane->height + 2 * (gsize) taps->reach);

  for (gsize x = 0; x < pitch; x++) {
    Line line = { x, pitch, plane->height, black[x % plane->components] };

    filter_line (input, line, taps, edge, padded, output);
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

static gsize
count_pixels (const ReferencePlane * plane)
{
  return (gsize) plane->width * plane->height;
}

/* The blurred plane, still multiplied by alpha. */
static gdouble *
filter_premultiplied (const ReferencePlane * plane, const Taps * x_taps,
    const Taps * y_taps, ReferenceEdge edge)
{
  const gsize n_values = count_pixels (plane) * plane->components;
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
  filter_rows (plane, x_taps, edge, black, input, rows);

  /* Rows outside the frame have been filtered like those inside. */
  for (guint i = 0; i <= 2 * x_taps->reach; i++)
    x_sum += x_taps->weights[i];
  for (guint c = 0; c < plane->components; c++)
    black[c] *= x_sum;
  filter_columns (plane, y_taps, edge, black, rows, output);
  return output;
}

static void
divide_by_alpha (const ReferencePlane * plane, const gdouble * blurred,
    gdouble * output)
{
  for (gint c = 0; c < (gint) plane->components; c++) {
    if (plane->alpha < 0 || c == plane->alpha)
      output[c] = blurred[c];
    else if (blurred[plane->alpha] == 0)
      output[c] = 0;
    else
      output[c] = blurred[c] / blurred[plane->alpha];
  }
}

void
reference_blur (const ReferencePlane * plane,
    const ReferenceBlurSettings * settings, gdouble * output)
{
  const gsize n_values = count_pixels (plane) * plane->components;
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

static gboolean
is_whole (gdouble value)
{
  return value == floor (value);
}

gboolean
reference_blur_box_is_exact (const ReferencePlane * plane,
    const ReferenceBlurSettings * settings)
{
  return !plane->values && !plane->codes
      && settings->kernel == REFERENCE_KERNEL_BOX
      && !reference_blur_is_identity (settings)
      && is_whole (plane_half_width (plane, settings, REFERENCE_X))
      && is_whole (plane_half_width (plane, settings, REFERENCE_Y));
}

static Taps
whole_box (guint half_width)
{
  Taps taps = { g_new (gdouble, 2 * (gsize) half_width + 1), half_width };

  for (guint i = 0; i <= 2 * half_width; i++)
    taps.weights[i] = 1;
  return taps;
}

static guint8
rounded_quotient (gint64 sum, gint64 n)
{
  return (guint8) ((2 * sum + n) / (2 * n));
}

/* @sums: of the samples of one pixel's box, whole numbers; @n: samples. */
static void
divide_exactly (const ReferencePlane * plane, const gdouble * sums, gint64 n,
    guint8 * output)
{
  for (gint c = 0; c < (gint) plane->components; c++) {
    if (plane->alpha < 0 || c == plane->alpha)
      output[c] = rounded_quotient ((gint64) sums[c], n);
    else if (sums[plane->alpha] == 0)
      output[c] = 0;
    else
      output[c] =
          rounded_quotient ((gint64) sums[c], (gint64) sums[plane->alpha]);
  }
}

/* With weights of 1 the doubles hold whole numbers below 2^53, exactly: the
 * largest, 255 · 255 · 6001², is below 2^42. */
void
reference_blur_box_exact (const ReferencePlane * plane,
    const ReferenceBlurSettings * settings, guint8 * output)
{
  Taps x_taps =
      whole_box ((guint) plane_half_width (plane, settings, REFERENCE_X));
  Taps y_taps =
      whole_box ((guint) plane_half_width (plane, settings, REFERENCE_Y));
  const gint64 n = (gint64) (2 * x_taps.reach + 1) * (2 * y_taps.reach + 1);
  const gsize n_values = count_pixels (plane) * plane->components;
  g_autofree gdouble *sums =
      filter_premultiplied (plane, &x_taps, &y_taps, settings->edge);

  for (gsize i = 0; i < n_values; i += plane->components)
    divide_exactly (plane, sums + i, n, output + i);
  g_free (x_taps.weights);
  g_free (y_taps.weights);
}

static gboolean
is_judged (const ReferencePlane * plane, const gdouble * oracle, gint component)
{
  const gdouble full =
      plane->values ? 1 : plane->codes ? plane->full_code : 255;
  const gdouble least = MIN_JUDGED_ALPHA / 255 * full;

  return plane->alpha < 0 || component == plane->alpha
      || oracle[plane->alpha] >= least;
}

static void
judge_pixel (ReferenceBlurError * error, const ReferencePlane * plane,
    const gdouble * oracle, const gdouble * output)
{
  const gdouble free_distance = plane->values ? 0 : 0.5;

  for (gint c = 0; c < (gint) plane->components; c++) {
    gdouble distance = fabs (output[c] - oracle[c]) - free_distance;

    if (!is_judged (plane, oracle, c))
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
  const gsize n_values = count_pixels (plane) * plane->components;

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
  const gsize n_values = count_pixels (plane) * plane->components;

  for (gsize i = 0; i < n_values; i += plane->components)
    judge_pixel (error, plane, oracle + i, output + i);
}

gdouble
reference_blur_error_mean (const ReferenceBlurError * error)
{
  return error->n == 0 ? 0 : error->sum / (gdouble) error->n;
}
