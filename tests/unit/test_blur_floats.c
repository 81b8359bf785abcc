/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The blur of formats whose samples are values, not codes, against the float64
 * oracle. */
#include "generated.h"
#include "gpu/blur/blur.h"
#include "gpu_fixture.h"
#include "reference_blur.h"

#include <math.h>
#include <string.h>

#define MAX_HALF 65504.0

static const GpuPixels formats[] = { GPU_PIXELS_RGBA16F, GPU_PIXELS_RGBA32F };

static const GpuBlurMethod methods[] = {
  GPU_BLUR_DIRECT, GPU_BLUR_DIRECT_SHARED, GPU_BLUR_SEPARABLE,
  GPU_BLUR_SEPARABLE_SHARED, GPU_BLUR_INLINE_SEPARABLE,
  GPU_BLUR_INLINE_SEPARABLE_SHARED, GPU_BLUR_SLIDING_WINDOW,
  GPU_BLUR_INLINE_SLIDING_WINDOW, GPU_BLUR_INLINE_SLIDING_WINDOW_SHARED,
};

static const struct
{
  guint width, height;
} sizes[] = { {1, 1}, {19, 37}, {70, 5} };

/* What values lie in. */
typedef struct
{
  gdouble colour_low, colour_high, alpha_high;
} Range;

static const Range ordinary = { 0, 1, 1 };

typedef struct
{
  GpuPixels pixels;
  guint width, height;
  Range range;
  GpuBlurSettings settings;
} Case;

typedef struct
{
  GpuStream *stream;
  GpuBlur *blur;
  GpuBlurReport report;
} Fixture;

typedef struct
{
  Fixture *fixture;
  const GpuBlurSettings *settings;
} Recording;

static void
setup (Fixture * fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->stream = gpu_stream_new (gpu_fixture_device (), 2, "blur test",
      &error);
  g_assert_no_error (error);
  fixture->blur = gpu_blur_new (gpu_fixture_device ());
}

static void
teardown (Fixture * fixture, gconstpointer data)
{
  gpu_blur_free (fixture->blur);
  gpu_stream_unref (fixture->stream);
}

static gboolean
record_blur (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  Recording *recording = data;

  return gpu_blur_record (recording->fixture->blur, stream,
      recording->settings, in, out, &recording->fixture->report, error);
}

/* --- samples --- */

/* The next half towards 0; none that is subnormal. */
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
  return gpu_pixels_get_format (pixels)->sample == GPU_SAMPLE_HALF;
}

static void
write_value (GpuPixels pixels, gpointer samples, gsize i, gdouble value)
{
  if (is_half (pixels))
    ((guint16 *) samples)[i] = half_from_double (value);
  else
    ((gfloat *) samples)[i] = value;
}

static gdouble
read_value (GpuPixels pixels, gconstpointer samples, gsize i)
{
  return is_half (pixels) ? double_from_half (((const guint16 *) samples)[i])
      : ((const gfloat *) samples)[i];
}

static gsize
count_values (const GpuFrameInfo * info)
{
  return (gsize) info->width * info->height * 4;
}

/* Noise of every alpha, in bytes of a frame. */
static guint8 *
make_frame (const GpuFrameInfo * info, const Range * range)
{
  g_autofree guint8 *noise = generated_picture_new ("alpha-noise",
      info->width, info->height, 1 + info->width);
  g_autofree guint8 *samples = g_malloc (4 * count_values (info));
  guint8 *frame = g_malloc0 (info->size);

  for (gsize i = 0; i < count_values (info); i++) {
    gdouble value = noise[i] / 255.0;

    write_value (info->pixels, samples, i, i % 4 == 3
        ? value * range->alpha_high : range->colour_low
        + value * (range->colour_high - range->colour_low));
  }
  gpu_fixture_pack (info, 0, samples, frame);
  return frame;
}

static gdouble *
read_frame (const GpuFrameInfo * info, const guint8 * frame)
{
  g_autofree guint8 *samples = g_malloc (4 * count_values (info));
  gdouble *values = g_new (gdouble, count_values (info));

  gpu_fixture_unpack (info, 0, frame, samples);
  for (gsize i = 0; i < count_values (info); i++)
    values[i] = read_value (info->pixels, samples, i);
  return values;
}

/* --- cases --- */

/* Of full scale, or of the largest value if that is more. Sums kept in halves, of
 * which one is divided by another, are not always good enough for 1e-3. */
static gdouble
max_error (const Case * c, GpuBlurPrecision precision)
{
  gdouble scale = MAX (MAX (1, -c->range.colour_low), c->range.colour_high);

  if (precision == GPU_BLUR_HALF)
    return scale * 2e-3;
  return scale * (is_half (c->pixels) ? 1e-3 : 1e-5);
}

static void
check_values (const Case * c, const GpuFrameInfo * info,
    GpuBlurPrecision precision, const guint8 * in, const guint8 * out)
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
    c->settings.radius, (ReferenceEdge) c->settings.edge
  };
  ReferenceBlurError error = { 0 };

  reference_blur (&plane, &settings, oracle);
  reference_blur_error_add_values (&error, &plane, oracle, output);
  g_assert_cmpfloat (error.max, <=, max_error (c, precision));
}

static guint8 *
run_frame (Fixture * fixture, const GpuBlurSettings * settings,
    const GpuFrameInfo * info, const guint8 * in)
{
  Recording recording = { fixture, settings };
  g_autoptr (GError) error = NULL;
  guint8 *out;

  gpu_blur_prepare (fixture->blur, info->pixels, info->width, info->height,
      settings, &error);
  g_assert_no_error (error);
  out = gpu_fixture_run (fixture->stream, info, in, info, record_blur,
      &recording, &error);
  g_assert_no_error (error);
  return out;
}

static void
check_case (Fixture * fixture, const Case * c)
{
  GpuFrameInfo info;
  g_autofree guint8 *in = NULL, *out = NULL;

  g_test_message ("%s %ux%u kernel %d sigma %g %g radius %d method %d "
      "precision %d edge %d", gpu_pixels_get_format (c->pixels)->name,
      c->width, c->height, c->settings.kernel, c->settings.sigma_x,
      c->settings.sigma_y, c->settings.radius, c->settings.method,
      c->settings.precision, c->settings.edge);
  gpu_frame_info_init (&info, c->pixels, c->width, c->height);
  in = make_frame (&info, &c->range);
  out = run_frame (fixture, &c->settings, &info, in);
  check_values (c, &info, fixture->report.precision, in, out);
}

/* --- tests --- */

/* A Gaussian and fractional boxes, of axes that differ. */
static void
check_method (Fixture * fixture, GpuPixels pixels, GpuBlurMethod method,
    GpuBlurPrecision precision)
{
  for (GpuBlurKernel kernel = 0; kernel <= GPU_BLUR_BOX; kernel++)
    for (GpuBlurEdge edge = 0; edge <= GPU_BLUR_BLACK; edge++)
      for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
        const Case c = { pixels, sizes[s].width, sizes[s].height, ordinary,
          {.kernel = kernel,.sigma_x = 1.2,.sigma_y = 3,.radius = -1,
              .method = method,.precision = precision,.edge = edge}
        };

        check_case (fixture, &c);
        g_assert_cmpint (fixture->report.method, ==, method);
      }
}

static void
test_methods (Fixture * fixture, gconstpointer data)
{
  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (guint m = 0; m < G_N_ELEMENTS (methods); m++)
      for (GpuBlurPrecision p = GPU_BLUR_HALF; p <= GPU_BLUR_FLOAT; p++)
        check_method (fixture, formats[f], methods[m], p);
}

/* Values of no full scale, negative ones, alphas above 1. */
static void
test_beyond_full_scale (Fixture * fixture, gconstpointer data)
{
  static const Range ranges[] = { {-4, 8, 1}, {0, 1000, 1.5}, {-1, 2, 3} };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (guint r = 0; r < G_N_ELEMENTS (ranges); r++) {
      const Case c = { formats[f], 23, 11, ranges[r], {.sigma_x = 2,
          .sigma_y = 2,.radius = -1,.method = GPU_BLUR_SEPARABLE}
      };

      check_case (fixture, &c);
    }
}

/* Sums are of floats, unless it is said that halves will do. */
static void
test_precision (Fixture * fixture, gconstpointer data)
{
  static const GpuBlurPrecision precisions[][2] = {
    {GPU_BLUR_PRECISION_AUTO, GPU_BLUR_FLOAT},
    {GPU_BLUR_HALF, GPU_BLUR_HALF},
    {GPU_BLUR_FLOAT, GPU_BLUR_FLOAT},
  };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (guint p = 0; p < G_N_ELEMENTS (precisions); p++) {
      const Case c = { formats[f], 20, 10, ordinary, {.sigma_x = 2,
              .sigma_y = 2,.radius = -1,.method = GPU_BLUR_SEPARABLE,
          .precision = precisions[p][0]}
      };

      check_case (fixture, &c);
      g_assert_cmpint (fixture->report.precision, ==, precisions[p][1]);
    }
}

/* Boxes are weighted floats as Gaussians are: no sums run. */
static void
test_choice (Fixture * fixture, gconstpointer data)
{
  static const struct
  {
    GpuBlurKernel kernel;
    guint radius;
    GpuBlurMethod asked, ran;
  } cases[] = {
    {GPU_BLUR_GAUSSIAN, 9, GPU_BLUR_AUTO, GPU_BLUR_SEPARABLE_SHARED},
    {GPU_BLUR_BOX, 9, GPU_BLUR_AUTO, GPU_BLUR_SEPARABLE_SHARED},
    {GPU_BLUR_BOX, 2, GPU_BLUR_AUTO, GPU_BLUR_SEPARABLE_SHARED},
    {GPU_BLUR_BOX, 9, GPU_BLUR_RUNNING_SUMS, GPU_BLUR_SEPARABLE},
    {GPU_BLUR_BOX, 9, GPU_BLUR_STRIPS, GPU_BLUR_SEPARABLE},
  };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
      const Case c = { formats[f], 40, 30, ordinary,
        {.kernel = cases[i].kernel,.sigma_x = 3,.sigma_y = 3,
            .radius = cases[i].radius,.method = cases[i].asked}
      };

      check_case (fixture, &c);
      g_assert_cmpint (fixture->report.method, ==, cases[i].ran);
    }
}

/* A frame of one row, of pixels that are @n times left, right alternately. */
static gdouble *
blur_row (Fixture * fixture, GpuPixels pixels, const gdouble * left,
    const gdouble * right, GpuBlurPrecision precision)
{
  const GpuBlurSettings settings = {.sigma_x = 2,.sigma_y = 2,.radius = -1,
    .method = GPU_BLUR_SEPARABLE_SHARED,.precision = precision
  };
  GpuFrameInfo info;
  g_autofree guint8 *in = NULL, *out = NULL;

  gpu_frame_info_init (&info, pixels, 16, 1);
  in = g_malloc (info.size);
  for (guint i = 0; i < 64; i++)
    write_value (pixels, in, i, (i / 4 % 2 ? right : left)[i % 4]);
  out = run_frame (fixture, &settings, &info, in);
  return read_frame (&info, out);
}

/* Nothing bleeds out of pixels that cannot be seen, however bright they are;
 * where there is nothing else, colours are 0. */
static void
test_transparent (Fixture * fixture, gconstpointer data)
{
  static const gdouble seen[] = { 0.25, -1, 0.5, 0.5 };
  static const gdouble unseen[] = { 60000, -60000, 7, 0 };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    g_autofree gdouble *mixed = blur_row (fixture, formats[f], seen, unseen,
        GPU_BLUR_PRECISION_AUTO);
    g_autofree gdouble *nothing = blur_row (fixture, formats[f], unseen,
        unseen, GPU_BLUR_PRECISION_AUTO);

    for (guint i = 0; i < 64; i++) {
      if (i % 4 < 3)
        g_assert_cmpfloat_with_epsilon (mixed[i], seen[i % 4], 1e-3);
      g_assert_true (nothing[i] == 0);
    }
  }
}

/* Times alpha, the largest half is more than a half: floats take it as it is,
 * halves hold what they can, and are never infinite. */
static void
test_overflow (Fixture * fixture, gconstpointer data)
{
  static const gdouble bright[] = { MAX_HALF, -MAX_HALF, 1, 2 };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    g_autofree gdouble *floats = blur_row (fixture, formats[f], bright, bright,
        GPU_BLUR_FLOAT);
    g_autofree gdouble *halves = blur_row (fixture, formats[f], bright, bright,
        GPU_BLUR_HALF);

    for (guint i = 0; i < 64; i++) {
      gdouble held = CLAMP (bright[i % 4], -MAX_HALF / 2, MAX_HALF / 2);

      g_assert_cmpfloat_with_epsilon (floats[i], bright[i % 4],
          1e-3 * fabs (bright[i % 4]));
      g_assert_cmpfloat_with_epsilon (halves[i], held, 2e-3 * fabs (held));
    }
  }
}

/* Rows with gaps between them: these stay as they are. */
static void
test_padded_rows (Fixture * fixture, gconstpointer data)
{
  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (guint m = 0; m < G_N_ELEMENTS (methods); m++) {
      const Case c = { formats[f], 13, 7, ordinary, {.sigma_x = 2,.sigma_y = 2,
          .radius = -1,.method = methods[m]}
      };
      g_autofree guint8 *in = NULL, *out = NULL;
      GpuFrameInfo info;
      gsize row;

      gpu_frame_info_init (&info, c.pixels, c.width, c.height);
      row = info.stride[0];
      info.offset[0] = 4;
      info.stride[0] += 12;
      info.size = 4 + 7 * info.stride[0];
      in = make_frame (&info, &c.range);
      out = run_frame (fixture, &c.settings, &info, in);
      check_values (&c, &info, fixture->report.precision, in, out);
      for (gsize i = 0; i < info.size; i++)
        if (i < 4 || (i - 4) % info.stride[0] >= row)
          g_assert_cmpuint (out[i], ==, 0xa5);
    }
}

#define ADD(name, test) \
  g_test_add (name, Fixture, NULL, setup, test, teardown)

int
main (int argc, char **argv)
{
  gint result;

  g_test_init (&argc, &argv, NULL);
  if (gpu_fixture_skips_all ())
    return 0;
  ADD ("/blur-floats/methods", test_methods);
  ADD ("/blur-floats/beyond-full-scale", test_beyond_full_scale);
  ADD ("/blur-floats/precision", test_precision);
  ADD ("/blur-floats/choice", test_choice);
  ADD ("/blur-floats/transparent", test_transparent);
  ADD ("/blur-floats/overflow", test_overflow);
  ADD ("/blur-floats/padded-rows", test_padded_rows);
  result = g_test_run ();
  gpu_fixture_close ();
  return result;
}
