/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "plane.h"
#include "gpu/core/rounding.h"

#include <math.h>

/* The largest number of bits of a code whose sums may be stored in halves. Halves have 11
 * significant bits, and the largest is below 65535. */
#define HALF_BITS 8

/* The largest code value, and the largest sample: a code value multiplied by an alpha. */
#define MAX_CODE 255
#define MAX_SAMPLE (MAX_CODE * MAX_CODE)

gboolean
gpu_blur_is_of_bytes (const GpuPixelFormat * format)
{
  return format->sample == SAMPLE_BYTE;
}

GpuBlurPrecision
gpu_blur_choose_precision (const GpuBlurSettings * settings,
    const GpuPixelFormat * format)
{
  guint bits = gpu_pixel_format_get_code_bits (format);

  if (settings->kernel == GPU_BLUR_BILATERAL || bits > HALF_BITS)
    return GPU_BLUR_FLOAT;
  if (settings->precision != GPU_BLUR_PRECISION_AUTO)
    return settings->precision;
  /* With samples that are halves or floats, sums in halves would give narrow kernels an
   * error above 1e-3, and products with an alpha above 1 could exceed the range. */
  return bits > 0 ? GPU_BLUR_HALF : GPU_BLUR_FLOAT;
}

gboolean
gpu_blur_can_weigh_colours (const GpuPixelFormat * format)
{
  return gpu_blur_is_of_bytes (format)
      && (format->model == GPU_MODEL_RGB ? format->n_planes == 1
      : format->alpha < 0);
}

gboolean
gpu_blur_is_of_light (const GpuBlurSettings * settings,
    const GpuPixelFormat * format)
{
  return settings->light && gpu_blur_is_of_bytes (format);
}

gboolean
gpu_blur_can_sum_integers (const GpuBlurSettings * settings,
    const GpuPixelFormat * format)
{
  return settings->kernel == GPU_BLUR_BOX && !settings->light
      && gpu_blur_is_of_bytes (format);
}

/* --- weights --- */

/* The half-width of the box in pixels of the frame: the radius, or, without one, the
 * half-width of the box that has the variance sigma². */
static gdouble
box_half_width (const GpuBlurSettings * settings, gdouble sigma)
{
  if (settings->radius >= 0)
    return settings->radius;
  return (sqrt (12 * sigma * sigma + 1) - 1) / 2;
}

gboolean
gpu_blur_is_identity (const GpuBlurSettings * settings)
{
  if (settings->kernel == GPU_BLUR_BOX)
    return box_half_width (settings, settings->sigma_x) == 0
        && box_half_width (settings, settings->sigma_y) == 0;
  return settings->radius == 0
      || (settings->kernel == GPU_BLUR_BILATERAL && settings->range == 0)
      || (settings->sigma_x == 0 && settings->sigma_y == 0);
}

/* Sets the integer weights of a box: 1 if all weights are equal. Otherwise the end weights
 * are rounded to steps of 1 / inner_weight, the finest for which a sum of samples fits in
 * 32 bits: inner_weight is the largest power of 2 up to 66051 / (2 radius + 1). If W is the
 * sum of all weights, rounding both ends by half a step changes a mean by at most 255 / W:
 * 0.016 for radius 1, less for larger radii. A colour with an alpha of 16 changes by 16
 * times as much, a quarter. The second axis doubles that, to half a code value, which is
 * the largest error allowed. */
static void
init_integer_weights (GpuBlurAxis * axis)
{
  const guint64 sum = (2 * (guint64) axis->radius + 1) * MAX_SAMPLE;

  axis->inner_weight = 1;
  if (axis->end < 1)
    while (2 * axis->inner_weight * sum <= G_MAXUINT32)
      axis->inner_weight *= 2;
  axis->end_weight = axis->end * axis->inner_weight + 0.5;
}

static void
init_box (GpuBlurAxis * axis, gdouble half_width)
{
  axis->radius = ceil (half_width);
  axis->end = half_width - axis->radius + 1;
  init_integer_weights (axis);
}

/* The distance in sigmas beyond which weights are 0 as floats. */
#define FARTHEST 14.5

/* The radius that a Gaussian has without one. A bilateral filter has that of OpenCV: its
 * taps are costly, and the edges of the window are not seen. */
static guint
choose_radius (const GpuBlurSettings * settings, gdouble sigma)
{
  return settings->kernel == GPU_BLUR_BILATERAL ?
      MAX (1, floor (1.5 * sigma + 0.5)) : ceil (3 * sigma);
}

static void
init_gaussian (GpuBlurAxis * axis, const GpuBlurSettings * settings,
    gdouble sigma, guint divisor)
{
  guint radius = choose_radius (settings, sigma);

  if (settings->radius >= 0)
    radius = MIN (settings->radius, ceil (FARTHEST * sigma));
  axis->radius = DIV_UP (radius, divisor);
  axis->sigma = sigma / divisor;
}

static void
init_axis (GpuBlurAxis * axis, const GpuBlurSettings * settings, gdouble sigma,
    guint divisor)
{
  if (settings->kernel == GPU_BLUR_BOX)
    init_box (axis, box_half_width (settings, sigma) / divisor);
  /* A Gaussian with sigma 0 is a box of one tap. */
  else if (sigma == 0)
    init_box (axis, 0);
  else
    init_gaussian (axis, settings, sigma, divisor);
}

/* Returns the sum of the integer weights of a box. */
static guint64
sum_weights (const GpuBlurAxis * axis)
{
  return 2 * ((guint64) axis->radius * axis->inner_weight + axis->end_weight)
      - axis->inner_weight;
}

static void
init_axes (GpuBlurAxes * axes, const GpuBlurSettings * settings,
    const GpuPixelFormat * format, guint plane)
{
  guint columns = 1u << format->shift_x[plane];
  guint rows = 1u << format->shift_y[plane];

  init_axis (&axes->x, settings, settings->sigma_x, columns);
  init_axis (&axes->y, settings, settings->sigma_y,
      settings->is_field ? 2 * rows : rows);
  axes->exact = gpu_blur_can_sum_integers (settings, format)
      && axes->x.end == 1 && axes->y.end == 1;
  axes->fits_word = sum_weights (&axes->x) * sum_weights (&axes->y)
      <= G_MAXUINT32 / (format->alpha >= 0 ? MAX_SAMPLE : MAX_CODE);
}

gboolean
gpu_blur_axes_are_alike (const GpuBlurAxes * axes)
{
  return axes->x.radius == axes->y.radius && axes->x.sigma == axes->y.sigma
      && axes->x.end == axes->y.end;
}

static gdouble
axis_weight (const GpuBlurAxis * axis, guint distance)
{
  if (axis->sigma > 0) {
    /* Divides first: the square of a small sigma can be 0. */
    gdouble deviations = distance / axis->sigma;

    return exp (-deviations * deviations / 2);
  }
  return distance == axis->radius ? axis->end : 1;
}

void
gpu_blur_axis_weights (const GpuBlurAxis * axis, gfloat * weights)
{
  gdouble sum = axis_weight (axis, 0);

  for (guint i = 1; i <= axis->radius; i++)
    sum += 2 * axis_weight (axis, i);
  for (guint i = 0; i <= axis->radius; i++)
    weights[i] = axis_weight (axis, i) / sum;
}

void
gpu_blur_plane_write_weights (const GpuBlurPlane * plane, GpuStream * stream,
    GpuBuffer * table, guint first)
{
  const GpuBlurAxis *const axes[] = { &plane->axes.x, &plane->axes.y };

  first += GPU_BLUR_WEIGHTS_X (plane->index);
  for (guint i = 0; i < G_N_ELEMENTS (axes); i++) {
    gfloat weights[GPU_BLUR_AXIS_WEIGHTS];

    gpu_blur_axis_weights (axes[i], weights);
    gpu_stream_write (stream, table,
        (first + i * GPU_BLUR_AXIS_WEIGHTS) * sizeof (gfloat), weights,
        (axes[i]->radius + 1) * sizeof (gfloat));
  }
}

/* --- planes --- */

GpuBlurPlane
gpu_blur_plane_get (const GpuBlurSettings * settings,
    const GpuPixelFormat * format, guint index)
{
  GpuBlurPlane plane = {
    .format = format,
    .index = index,
    .components = format->components[index],
    .half = gpu_blur_choose_precision (settings, format) == GPU_BLUR_HALF,
    .linear = gpu_blur_is_of_light (settings, format),
  };

  init_axes (&plane.axes, settings, format, index);
  return plane;
}

guint
gpu_blur_plane_get_unit (const GpuBlurPlane * plane)
{
  return BLUR_PIXELS_PER_UNIT (gpu_pixel_format_get_size (plane->format,
          plane->index));
}
