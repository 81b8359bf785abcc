/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "blur_values.h"

#include "generated.h"
#include "gpu_fixture.h"
#include "reference_blur.h"

#include <math.h>

const GpuPixels value_formats[2] = { GPU_PIXELS_RGBA16F, GPU_PIXELS_RGBA32F };

const Range full_scale = { 0, 1, 1 };

/* --- samples --- */

/* The next half towards 0; 0 where it would be subnormal. */
static guint16
half_from_double (gdouble value)
{
  guint16 sign = value < 0 ? 0x8000 : 0;
  gint exponent;
  gdouble mantissa = frexp (fabs (value), &exponent);

  if (mantissa == 0 || exponent < -13)
    return sign;
  return sign | ((exponent + 14) << 10) | (gint) ((2 * mantissa - 1) * 1024);
}

static gdouble
double_from_half (guint16 half)
{
  gint exponent = half >> 10 & 31, mantissa = half & 1023;
  gdouble size = exponent == 0 ? ldexp (mantissa, -24)
      : ldexp (1024 + mantissa, exponent - 25);

  if (exponent == 31)
    size = mantissa ? NAN : INFINITY;
  return half & 0x8000 ? -size : size;
}

static gboolean
is_half (GpuPixels pixels)
{
  return gpu_pixels_get_format (pixels)->sample == SAMPLE_HALF;
}

static gsize
count_values (const GpuFrameInfo * info)
{
  return (gsize) info->width * info->height * 4;
}

guint8 *
write_frame (const GpuFrameInfo * info, const gdouble * values)
{
  g_autofree guint8 *samples = g_malloc (4 * count_values (info));
  guint8 *frame = g_malloc0 (info->size);

  for (gsize i = 0; i < count_values (info); i++)
    if (is_half (info->pixels))
      ((guint16 *) samples)[i] = half_from_double (values[i]);
    else
      ((gfloat *) samples)[i] = values[i];
  gpu_fixture_pack (info, 0, samples, frame);
  return frame;
}

gdouble *
read_frame (const GpuFrameInfo * info, const guint8 * frame)
{
  g_autofree guint8 *samples = g_malloc (4 * count_values (info));
  gdouble *values = g_new (gdouble, count_values (info));

  gpu_fixture_unpack (info, 0, frame, samples);
  for (gsize i = 0; i < count_values (info); i++)
    values[i] = is_half (info->pixels)
        ? double_from_half (((const guint16 *) samples)[i])
        : ((const gfloat *) samples)[i];
  return values;
}

static guint8 *
make_noise (const GpuFrameInfo * info, const Range * range)
{
  g_autofree guint8 *noise = generated_picture_new ("alpha-noise",
      info->width, info->height, 1 + info->width);
  g_autofree gdouble *values = g_new (gdouble, count_values (info));

  for (gsize i = 0; i < count_values (info); i++)
    values[i] = i % 4 == 3 ? noise[i] / 255.0 * range->alpha_high
        : range->colour_low + noise[i] / 255.0
        * (range->colour_high - range->colour_low);
  return write_frame (info, values);
}

/* --- cases --- */

/* Of full scale, or of the largest value if that is more. Sums kept in halves, of
 * which one is divided by another, are not always good enough for 1e-3. What levels of
 * the pyramid cannot hold is as for bytes, though divided by alpha. */
static gdouble
max_error (const ValueCase * c, const GpuBlurReport * report)
{
  gdouble scale = MAX (MAX (1, -c->range.colour_low), c->range.colour_high);

  if (report->precision == GPU_BLUR_HALF)
    return scale * 2e-3;
  if (report->method == GPU_BLUR_PYRAMID)
    return scale * 1e-3;
  return scale * (is_half (c->pixels) ? 1e-3 : 1e-5);
}

static void
check_values (const ValueCase * c, const GpuFrameInfo * info,
    const GpuBlurReport * report, const guint8 * in, const guint8 * out)
{
  g_autofree gdouble *values = read_frame (info, in);
  g_autofree gdouble *output = read_frame (info, out);
  g_autofree gdouble *oracle = g_new (gdouble, count_values (info));
  ReferencePlane plane = {
    .values = values,
    .width = c->width,
    .height = c->height,
    .components = 4,
    .alpha = 3,
    .x_subsampling = 1,
    .y_subsampling = 1,
  };
  ReferenceBlurSettings settings = {
    c->settings.kernel == GPU_BLUR_BOX ? REFERENCE_KERNEL_BOX
        : REFERENCE_KERNEL_GAUSSIAN,
    {c->settings.sigma_x, c->settings.sigma_y},
    report->method == GPU_BLUR_PYRAMID
        ? ceil (6 * MAX (c->settings.sigma_x, c->settings.sigma_y))
    : c->settings.radius, (ReferenceEdge) c->settings.edge
  };
  ReferenceBlurError error = { 0 };

  reference_blur (&plane, &settings, oracle);
  reference_blur_error_add_values (&error, &plane, oracle, output);
  g_assert_cmpfloat (error.max, <=, max_error (c, report));
}

guint8 *
check_value_layout (Fixture * fixture, const ValueCase * c,
    const GpuFrameInfo * info)
{
  g_autofree guint8 *in = make_noise (info, &c->range);
  guint8 *out;

  g_test_message ("%s %ux%u kernel %d sigma %g %g radius %d method %d "
      "precision %d edge %d", gpu_pixels_get_format (c->pixels)->name,
      c->width, c->height, c->settings.kernel, c->settings.sigma_x,
      c->settings.sigma_y, c->settings.radius, c->settings.method,
      c->settings.precision, c->settings.edge);
  out = blur_frame (fixture, info, in, &c->settings);
  check_values (c, info, &fixture->report, in, out);
  return out;
}

void
check_value_case (Fixture * fixture, const ValueCase * c)
{
  GpuFrameInfo info;

  gpu_frame_info_init (&info, c->pixels, c->width, c->height);
  g_free (check_value_layout (fixture, c, &info));
}

/* --- what holds for every method --- */

/* A Gaussian and fractional boxes, of axes that differ. */
static void
check_settings (Fixture * fixture, GpuPixels pixels, GpuBlurMethod method,
    GpuBlurPrecision precision)
{
  static const guint sizes[][2] = { {1, 1}, {19, 37}, {70, 5} };

  for (GpuBlurKernel kernel = 0; kernel <= GPU_BLUR_BOX; kernel++)
    for (GpuBlurEdge edge = 0; edge <= GPU_BLUR_BLACK; edge++)
      for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
        const ValueCase c = { pixels, sizes[s][0], sizes[s][1], full_scale,
          {.kernel = kernel, .sigma_x = 1.2, .sigma_y = 2, .radius = -1,
            .method = method, .precision = precision, .edge = edge}
        };

        check_value_case (fixture, &c);
        g_assert_cmpint (fixture->report.method, ==, method);
      }
}

static void
test_settings (Fixture * fixture, gconstpointer data)
{
  const Methods *methods = data;

  for (guint f = 0; f < G_N_ELEMENTS (value_formats); f++)
    for (guint m = 0; m < methods->n; m++)
      for (GpuBlurPrecision p = GPU_BLUR_HALF; p <= GPU_BLUR_FLOAT; p++)
        check_settings (fixture, value_formats[f], methods->list[m], p);
}

/* Negative values, large ones, alphas above 1. */
static void
test_beyond_full_scale (Fixture * fixture, gconstpointer data)
{
  const Methods *methods = data;
  static const Range ranges[] = { {-4, 8, 1}, {0, 1000, 1.5}, {-1, 2, 3} };

  for (guint f = 0; f < G_N_ELEMENTS (value_formats); f++)
    for (guint m = 0; m < methods->n; m++)
      for (guint r = 0; r < G_N_ELEMENTS (ranges); r++) {
        const ValueCase c = { value_formats[f], 23, 11, ranges[r],
          {.sigma_x = 2, .sigma_y = 2, .radius = -1, .method = methods->list[m]}
        };

        check_value_case (fixture, &c);
      }
}

/* A row of pixels, @even and @odd by turns. */
static gdouble *
blur_row (Fixture * fixture, GpuPixels pixels, GpuBlurMethod method,
    GpuBlurPrecision precision, const gdouble * even, const gdouble * odd)
{
  const GpuBlurSettings settings = {.sigma_x = 2, .sigma_y = 2, .radius = -1,
    .method = method, .precision = precision};
  gdouble values[4 * 16];
  GpuFrameInfo info;
  g_autofree guint8 *in = NULL, *out = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    values[i] = (i / 4 % 2 ? odd : even)[i % 4];
  gpu_frame_info_init (&info, pixels, G_N_ELEMENTS (values) / 4, 1);
  in = write_frame (&info, values);
  out = blur_frame (fixture, &info, in, &settings);
  return read_frame (&info, out);
}

/* Nothing bleeds out of pixels that cannot be seen, however bright they are;
 * where there is nothing else, colours are 0. */
static void
check_transparent (Fixture * fixture, GpuPixels pixels, GpuBlurMethod method)
{
  static const gdouble seen[] = { 0.25, -1, 0.5, 0.5 };
  static const gdouble unseen[] = { 60000, -60000, 7, 0 };
  g_autofree gdouble *mixed = blur_row (fixture, pixels, method,
      GPU_BLUR_PRECISION_AUTO, seen, unseen);
  g_autofree gdouble *nothing = blur_row (fixture, pixels, method,
      GPU_BLUR_PRECISION_AUTO, unseen, unseen);

  for (guint i = 0; i < 4 * 16; i++) {
    if (i % 4 < 3)
      g_assert_cmpfloat_with_epsilon (mixed[i], seen[i % 4], 1e-3);
    g_assert_true (nothing[i] == 0);
  }
}

static void
test_transparent (Fixture * fixture, gconstpointer data)
{
  const Methods *methods = data;

  for (guint f = 0; f < G_N_ELEMENTS (value_formats); f++)
    for (guint m = 0; m < methods->n; m++)
      check_transparent (fixture, value_formats[f], methods->list[m]);
}

/* Times alpha, the largest half is more than a half: floats take it as it is,
 * halves hold what they can, and are never infinite. */
static void
check_overflow (Fixture * fixture, GpuPixels pixels, GpuBlurMethod method)
{
  static const gdouble bright[] = { MAX_HALF, -MAX_HALF, 1, 2 };
  g_autofree gdouble *floats = blur_row (fixture, pixels, method,
      GPU_BLUR_FLOAT, bright, bright);
  g_autofree gdouble *halves = blur_row (fixture, pixels, method,
      GPU_BLUR_HALF, bright, bright);

  for (guint i = 0; i < 4 * 16; i++) {
    gdouble wanted = bright[i % 4];

    g_assert_cmpfloat_with_epsilon (floats[i], wanted, 1e-3 * fabs (wanted));
    /* What passes sum without keeping it is not cut. */
    if (fabs (halves[i] - wanted) > 2e-3 * fabs (wanted))
      g_assert_cmpfloat_with_epsilon (halves[i], wanted / 2,
          2e-3 * fabs (wanted));
  }
}

static void
test_overflow (Fixture * fixture, gconstpointer data)
{
  const Methods *methods = data;

  for (guint f = 0; f < G_N_ELEMENTS (value_formats); f++)
    for (guint m = 0; m < methods->n; m++)
      check_overflow (fixture, value_formats[f], methods->list[m]);
}

/* Rows with gaps between them, which stay as they are, and which begin where no
 * pixel can be stored in one piece. */
static void
check_padded_rows (Fixture * fixture, GpuPixels pixels, GpuBlurMethod method)
{
  const ValueCase c = { pixels, 150, 7, full_scale, {.sigma_x = 2,
    .sigma_y = 2, .radius = -1, .method = method}
  };
  g_autofree guint8 *out = NULL;
  GpuFrameInfo info;
  gsize row;

  gpu_frame_info_init (&info, c.pixels, c.width, c.height);
  row = info.stride[0];
  info.offset[0] = 4;
  info.stride[0] += 12;
  info.size = info.offset[0] + c.height * info.stride[0];
  out = check_value_layout (fixture, &c, &info);
  for (gsize i = 0; i < info.size; i++)
    if (i < info.offset[0] || (i - info.offset[0]) % info.stride[0] >= row)
      g_assert_cmpuint (out[i], ==, 0xa5);
}

static void
test_padded_rows (Fixture * fixture, gconstpointer data)
{
  const Methods *methods = data;

  for (guint f = 0; f < G_N_ELEMENTS (value_formats); f++)
    for (guint m = 0; m < methods->n; m++)
      check_padded_rows (fixture, value_formats[f], methods->list[m]);
}

void
value_methods_add_tests (const Methods * methods)
{
  ADD ("/values/settings", methods, test_settings);
  ADD ("/values/beyond-full-scale", methods, test_beyond_full_scale);
  ADD ("/values/transparent", methods, test_transparent);
  ADD ("/values/overflow", methods, test_overflow);
  ADD ("/values/padded-rows", methods, test_padded_rows);
}
