/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_blur_bilateral.h"

#include <math.h>
#include <string.h>

#define LAST_INDEX 1023
#define FARTHEST 4.5            /* standard deviations */

/* What one pass needs to know. */
typedef struct
{
  const ReferenceBilateralFrame *frame;
  const ReferenceBilateralSettings *settings;
  gdouble variance;             /* of squared distances */
  gdouble step;                 /* to which they are rounded down */
  gboolean along[REFERENCE_AXES];
} Pass;

/* --- weights --- */

static void
init_ranges (Pass * pass)
{
  const ReferenceBilateralFrame *frame = pass->frame;
  const gdouble deviation = pass->settings->range * frame->white;
  const gint n_coordinates =
      !frame->is_rgb ? 1 : frame->planes[0].alpha < 0 ? 3 : 6;

  pass->variance = deviation * deviation * (frame->is_rgb ? 3 : 1);
  pass->step = 1;
  while (LAST_INDEX * pass->step <= fmin (n_coordinates * 255.0 * 255,
          FARTHEST * FARTHEST * pass->variance))
    pass->step *= 2;
}

static gdouble
range_weight (const Pass * pass, gdouble squared_distance)
{
  const gdouble index = floor (squared_distance / pass->step);

  if (index == 0)
    return 1;
  return index >= LAST_INDEX ? 0
      : exp (-index * pass->step / (2 * pass->variance));
}

static gint
window_radius (const ReferenceBilateralSettings * settings, ReferenceAxis axis,
    guint subsampling)
{
  const gdouble sigma = settings->sigma[axis];
  const gdouble own = fmax (1, floor (1.5 * sigma + 0.5));

  if (sigma == 0)
    return 0;
  return (gint) ceil ((settings->radius >= 0 ? settings->radius : own)
      / subsampling);
}

static gdouble
spatial_weight (gint i, gdouble sigma)
{
  return i == 0 ? 1 : exp (-0.5 * (i / sigma) * (i / sigma));
}

/* --- pixels --- */

static void
get_codes (const ReferencePlane * plane, gint x, gint y, ReferenceEdge edge,
    gdouble * codes)
{
  const gint from_x = reference_edge_index (x, (gint) plane->width, edge);
  const gint from_y = reference_edge_index (y, (gint) plane->height, edge);

  for (guint c = 0; c < plane->components; c++)
    codes[c] = from_x < 0 || from_y < 0 ? plane->black[c]
        : plane->samples[((gsize) from_y * plane->width + from_x)
        * plane->components + c];
}

/* The mean of the luma codes that share the chroma sample, rounded. */
static gdouble
luma_at (const ReferenceBilateralFrame * frame, gint x, gint y,
    ReferenceEdge edge)
{
  const ReferencePlane *luma = &frame->planes[0], *chroma = &frame->planes[1];
  const gint columns = (gint) (chroma->x_subsampling / luma->x_subsampling);
  const gint rows = (gint) (chroma->y_subsampling / luma->y_subsampling);
  const gint from_x = reference_edge_index (x, (gint) chroma->width, edge);
  const gint from_y = reference_edge_index (y, (gint) chroma->height, edge);
  gdouble sum = 0;

  if (from_x < 0 || from_y < 0)
    return luma->black[0];
  for (gint i = 0; i < columns * rows; i++) {
    gdouble code;

    get_codes (luma, columns * from_x + i % columns,
        rows * from_y + i / columns, REFERENCE_EDGE_CLAMP, &code);
    sum += code;
  }
  return floor (sum / (columns * rows) + 0.5);
}

/* The coordinates of a pixel whose distances decide; those of alpha thrice. */
static guint
get_coordinates (const Pass * pass, guint plane, gint x, gint y,
    gdouble * coordinates)
{
  const ReferencePlane *own = &pass->frame->planes[plane];
  gdouble codes[4];
  guint n = 0;

  if (plane > 0) {
    coordinates[0] = luma_at (pass->frame, x, y, pass->settings->edge);
    return 1;
  }
  get_codes (own, x, y, pass->settings->edge, codes);
  for (gint c = 0; c < (gint) own->components; c++) {
    if (c == pass->frame->unused)
      continue;
    if (c != own->alpha) {
      coordinates[n++] = own->alpha < 0 ? codes[c]
          : floor (codes[c] * codes[own->alpha] / 255 + 0.5);
      continue;
    }
    for (guint i = 0; i < 3; i++)
      coordinates[n++] = codes[c];
  }
  return n;
}

/* --- light --- */

/* Between half codes as a straight line. */
static gdouble
code_of_light (const gdouble * light, gdouble value)
{
  gint i = 0;

  if (!light)
    return value;
  while (i < 509 && light[i + 1] <= value)
    i++;
  return (i + (value - light[i]) / (light[i + 1] - light[i])) / 2;
}

/* --- passes --- */

/* Sums of one output. */
typedef struct
{
  gdouble values[4];            /* colours times their alpha */
  gdouble weights;
} Sums;

static void
add_pixel (const Pass * pass, const ReferencePlane * plane, gint x, gint y,
    gdouble weight, Sums * sums)
{
  gdouble codes[4];

  get_codes (plane, x, y, pass->settings->edge, codes);
  for (gint c = 0; c < (gint) plane->components; c++) {
    gdouble value = codes[c];

    if (pass->settings->light && c != plane->alpha)
      value = pass->settings->light[2 * (gint) codes[c]];
    if (plane->alpha >= 0 && c != plane->alpha)
      value *= codes[plane->alpha];
    sums->values[c] += weight * value;
  }
  sums->weights += weight;
}

static void
finish_pixel (const Pass * pass, const ReferencePlane * plane,
    const Sums * sums, gdouble * output)
{
  for (gint c = 0; c < (gint) plane->components; c++) {
    const gboolean is_shared = plane->alpha >= 0 && c != plane->alpha;
    const gdouble sum = is_shared ? sums->values[plane->alpha] : sums->weights;

    output[c] = sum == 0 ? 0 : sums->values[c] / sum;
    if (c != plane->alpha)
      output[c] = code_of_light (pass->settings->light, output[c]);
  }
}

static void
filter_pixel (const Pass * pass, guint plane, gint x, gint y, gdouble * output)
{
  const ReferencePlane *own = &pass->frame->planes[plane];
  const gint x_reach = !pass->along[REFERENCE_X] ? 0
      : window_radius (pass->settings, REFERENCE_X, own->x_subsampling);
  const gint y_reach = !pass->along[REFERENCE_Y] ? 0
      : window_radius (pass->settings, REFERENCE_Y, own->y_subsampling);
  gdouble middle[6], other[6];
  Sums sums = { 0 };

  get_coordinates (pass, plane, x, y, middle);
  for (gint j = -y_reach; j <= y_reach; j++)
    for (gint i = -x_reach; i <= x_reach; i++) {
      const guint n = get_coordinates (pass, plane, x + i, y + j, other);
      gdouble distance = 0;

      for (guint k = 0; k < n; k++)
        distance += (other[k] - middle[k]) * (other[k] - middle[k]);
      add_pixel (pass, own, x + i, y + j, range_weight (pass, distance)
          * spatial_weight (i,
              pass->settings->sigma[REFERENCE_X] / own->x_subsampling)
          * spatial_weight (j,
              pass->settings->sigma[REFERENCE_Y] / own->y_subsampling), &sums);
    }
  finish_pixel (pass, own, &sums, output);
  if (plane == 0 && pass->frame->unused >= 0)
    output[pass->frame->unused] = 255;
}

static guint8 *
round_plane (const ReferencePlane * plane, const gdouble * values)
{
  const gsize n = (gsize) plane->width * plane->height * plane->components;
  guint8 *codes = g_malloc (n);

  for (gsize i = 0; i < n; i++)
    codes[i] = (guint8) floor (values[i] + 0.5);
  return codes;
}

void
reference_bilateral (const ReferenceBilateralFrame * frame,
    const ReferenceBilateralSettings * settings, gdouble * const *outputs)
{
  const guint n_passes = settings->rounds * (settings->is_separable ? 2 : 1);
  ReferenceBilateralFrame from = *frame;
  guint8 *codes[REFERENCE_BILATERAL_PLANES] = { NULL };
  Pass pass = {.frame = &from, .settings = settings};

  init_ranges (&pass);
  for (guint i = 0; i < n_passes; i++) {
    pass.along[REFERENCE_X] = !settings->is_separable || i % 2 == 0;
    pass.along[REFERENCE_Y] = !settings->is_separable || i % 2 == 1;
    for (guint p = 0; p < frame->n_planes; p++) {
      const ReferencePlane *plane = &frame->planes[p];

      for (guint k = 0; k < plane->width * plane->height; k++)
        filter_pixel (&pass, p, k % plane->width, k / plane->width,
            outputs[p] + (gsize) k * plane->components);
    }
    for (guint p = 0; p < frame->n_planes; p++) {
      g_free (codes[p]);
      from.planes[p].samples = codes[p] =
          round_plane (&frame->planes[p], outputs[p]);
    }
  }
  for (guint p = 0; p < frame->n_planes; p++)
    g_free (codes[p]);
}
