/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The blur against the float64 oracle, in every format and setting. */
#include "generated.h"
#include "gpu/blur/pass.h"
#include "gpu/core/vulkan.h"
#include "gpu_fixture.h"
#include "reference_blur.h"

#include <string.h>

/* By what shaders know of a format: those of a row are the same to them. */
static const GpuPixels formats[][2] = {
  {GPU_PIXELS_RGBA, GPU_PIXELS_BGRA}, {GPU_PIXELS_ARGB, GPU_PIXELS_ABGR},
  {GPU_PIXELS_RGBX, GPU_PIXELS_BGRX}, {GPU_PIXELS_XRGB, GPU_PIXELS_XBGR},
  {GPU_PIXELS_RGB, GPU_PIXELS_BGR}, {GPU_PIXELS_NV12, GPU_PIXELS_NV12},
  {GPU_PIXELS_I420, GPU_PIXELS_I420}, {GPU_PIXELS_GRAY8, GPU_PIXELS_GRAY8},
};

static const GpuBlurMethod methods[] = {
  GPU_BLUR_DIRECT, GPU_BLUR_DIRECT_SHARED, GPU_BLUR_SEPARABLE,
  GPU_BLUR_SEPARABLE_SHARED, GPU_BLUR_INLINE_SEPARABLE,
  GPU_BLUR_INLINE_SEPARABLE_SHARED, GPU_BLUR_SLIDING_WINDOW,
  GPU_BLUR_INLINE_SLIDING_WINDOW, GPU_BLUR_INLINE_SLIDING_WINDOW_SHARED,
  GPU_BLUR_RUNNING_SUMS, GPU_BLUR_STRIPS,
};

/* All, or with --passes all but strips, the last: unrolled shaders in which
 * every access is looked at take a CPU device minutes to build. */
static guint n_methods = G_N_ELEMENTS (methods);

/* Of cases that are about no method. */
static GpuBlurMethod
any_method (void)
{
  return n_methods <
      G_N_ELEMENTS (methods) ? GPU_BLUR_SEPARABLE : GPU_BLUR_AUTO;
}

static const GpuBlurPrecision precisions[] = { GPU_BLUR_HALF, GPU_BLUR_FLOAT };

/* Odd ones, ones below the radius, and some that need several groups. */
static const struct
{
  guint width, height;
} sizes[] = {
  {1, 1}, {17, 9}, {5, 67}, {131, 4}, {33, 18}, {64, 40}, {2, 2},
};

/* Whole and fractional boxes, a radius of its own, wider than frames; axes that
 * differ, and one axis alone. */
static const struct
{
  gdouble sigma_x, sigma_y;
  gint radius;
} extents[] = {
  {1.3, 1.3, -1}, {0.4, 7.5, -1}, {7.5, 2, -1}, {3, 3, 4}, {2, 2, 1},
  {1.7, 1.7, 13}, {4, 1, 2}, {2, 0, -1}, {0, 2, -1}, {0, 1.3, -1}, {1.7, 0, 5},
};

typedef struct
{
  GpuStream *stream;
  GpuBlur *blur;
  GpuBlurReport report;
} Fixture;

typedef struct
{
  GpuPixels pixels;
  guint width, height;
  GpuBlurSettings settings;
} Case;

typedef struct
{
  Fixture *fixture;
  const GpuBlurSettings *settings;
} Recording;

static void
setup (Fixture * fixture, gconstpointer data)
{
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (GError) error = NULL;

  if (!device)
    return;
  fixture->stream = gpu_stream_new (device, 2, "blur test", &error);
  g_assert_no_error (error);
  fixture->blur = gpu_blur_new (device);
}

static void
teardown (Fixture * fixture, gconstpointer data)
{
  g_clear_pointer (&fixture->blur, gpu_blur_free);
  g_clear_pointer (&fixture->stream, gpu_stream_unref);
}

static gboolean
record_blur (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  Recording *recording = data;

  return gpu_blur_record (recording->fixture->blur, stream,
      recording->settings, in, out, &recording->fixture->report, error);
}

/* Noise of every alpha in frames of any format: all bytes are samples. */
static guint8 *
make_frame (const GpuFrameInfo * info, guint32 seed)
{
  guint pixels = info->size / 4 + 1;
  guint8 *noise = generated_picture_new ("alpha-noise", pixels, 1, seed);
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);

  /* The generator's alpha is the last byte; move it where the format's is. */
  if (format->alpha >= 0 && format->alpha != 3)
    for (guint i = 0; i < pixels; i++) {
      guint8 alpha = noise[4 * i + 3];
      noise[4 * i + 3] = noise[4 * i + format->alpha];
      noise[4 * i + format->alpha] = alpha;
    }
  return noise;
}

static ReferencePlane
reference_plane (const GpuFrameInfo * info, guint plane,
    const guint8 * samples, gboolean full_range)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  guint8 black = !format->is_yuv ? 0 : plane > 0 ? 128 : full_range ? 0 : 16;
  ReferencePlane reference = {
    .samples = samples,
    .width = gpu_frame_info_plane_width (info, plane),
    .height = gpu_frame_info_plane_height (info, plane),
    .components = format->components[plane],
    .alpha = format->alpha,
    .x_subsampling = 1u << format->shift[plane],
    .y_subsampling = 1u << format->shift[plane],
  };

  memset (reference.black, black, sizeof reference.black);
  return reference;
}

/* A component that carries nothing is written as 255; the oracle then has
 * nothing more to say about it. */
static void
check_unused (const ReferencePlane * plane, gint unused, guint8 * output,
    gdouble * oracle)
{
  for (gsize i = 0; i < (gsize) plane->width * plane->height; i++) {
    g_assert_cmpuint (output[4 * i + unused], ==, 255);
    oracle[4 * i + unused] = 255;
  }
}

/* Ends of boxes are all that integers round (gpu/blur/weights.c). */
static gdouble
max_error (GpuBlurMethod ran, const ReferencePlane * plane)
{
  return ran == GPU_BLUR_RUNNING_SUMS && plane->alpha < 0 ? 0.032 : 0.5;
}

static void
check_plane (const Case * c, GpuBlurMethod ran, const GpuFrameInfo * info,
    guint i, const guint8 * in, const guint8 * out)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (c->pixels);
  gsize n = (gsize) gpu_frame_info_plane_width (info, i)
      * gpu_frame_info_plane_height (info, i) * format->components[i];
  g_autofree guint8 *samples = g_malloc (n);
  g_autofree guint8 *output = g_malloc (n);
  g_autofree gdouble *oracle = g_new (gdouble, n);
  ReferencePlane plane =
      reference_plane (info, i, samples, c->settings.full_range);
  ReferenceBlurSettings settings = {
    c->settings.kernel == GPU_BLUR_BOX ? REFERENCE_KERNEL_BOX
        : REFERENCE_KERNEL_GAUSSIAN,
    {c->settings.sigma_x, c->settings.sigma_y},
    c->settings.radius, (ReferenceEdge) c->settings.edge
  };
  gboolean half = c->settings.precision == GPU_BLUR_HALF;
  ReferenceBlurError error = { 0 };

  gpu_fixture_unpack (info, i, in, samples);
  gpu_fixture_unpack (info, i, out, output);
  reference_blur (&plane, &settings, oracle);
  if (format->unused >= 0)
    check_unused (&plane, format->unused, output, oracle);
  reference_blur_error_add (&error, &plane, oracle, output);
  g_assert_cmpfloat (error.max, <=, max_error (ran, &plane));
  g_assert_cmpfloat (reference_blur_error_mean (&error), <=,
      half ? 0.05 : 0.02);

  if (reference_blur_box_is_exact (&plane, &settings)) {
    g_autofree guint8 *exact = g_malloc (n);

    reference_blur_box_exact (&plane, &settings, exact);
    for (gsize k = 0; k < n; k++)
      if (format->unused < 0 || k % 4 != (gsize) format->unused)
        g_assert_cmpuint (output[k], ==, exact[k]);
  }
}

static void
check_layout (Fixture * fixture, const Case * c, const GpuFrameInfo * info)
{
  Recording recording = { fixture, &c->settings };
  g_autofree guint8 *in = NULL;
  g_autofree guint8 *out = NULL;
  g_autoptr (GError) error = NULL;

  g_test_message ("%s %ux%u kernel %d sigma %g %g radius %d method %d "
      "precision %d edge %d", gpu_pixels_get_format (c->pixels)->name,
      c->width, c->height, c->settings.kernel, c->settings.sigma_x,
      c->settings.sigma_y, c->settings.radius, c->settings.method,
      c->settings.precision, c->settings.edge);
  in = make_frame (info, c->width);
  gpu_blur_prepare (fixture->blur, c->pixels, c->width, c->height,
      &c->settings, &error);
  g_assert_no_error (error);
  out = gpu_fixture_run (fixture->stream, info, in, info, record_blur,
      &recording, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < gpu_pixels_get_format (c->pixels)->n_planes; i++)
    check_plane (c, fixture->report.method, info, i, in, out);
}

static void
check_case (Fixture * fixture, const Case * c)
{
  GpuFrameInfo info;

  gpu_frame_info_init (&info, c->pixels, c->width, c->height);
  check_layout (fixture, c, &info);
}

/* One that the method can do. */
static GpuBlurKernel
kernel_of (GpuBlurMethod method)
{
  return method == GPU_BLUR_RUNNING_SUMS ? GPU_BLUR_BOX : GPU_BLUR_GAUSSIAN;
}

static gboolean
skip_without_device (Fixture * fixture)
{
  if (!fixture->stream)
    g_test_skip ("no Vulkan device");
  return !fixture->stream;
}

/* The dimensions of a case, as indices. */
enum
{
  FORMAT, ORDER, METHOD, KERNEL, PRECISION, EDGE, SIZE, EXTENT, DIMENSIONS
};

static const guint all_counts[DIMENSIONS] = {
  G_N_ELEMENTS (formats), 2, G_N_ELEMENTS (methods), 2,
  G_N_ELEMENTS (precisions), 4, G_N_ELEMENTS (sizes), G_N_ELEMENTS (extents)
};

static guint
count (guint dimension)
{
  return dimension == METHOD ? n_methods : all_counts[dimension];
}

static Case
case_of (const guint * index)
{
  Case c = {
    .pixels = formats[index[FORMAT]][index[ORDER]],
    .width = sizes[index[SIZE]].width,
    .height = sizes[index[SIZE]].height,
    .settings = {
          .kernel = index[KERNEL],
          .sigma_x = extents[index[EXTENT]].sigma_x,
          .sigma_y = extents[index[EXTENT]].sigma_y,
          .radius = extents[index[EXTENT]].radius,
          .method = methods[index[METHOD]],
          .precision = precisions[index[PRECISION]],
          .edge = index[EDGE],
          .full_range = index[SIZE] % 2,
        },
  };

  return c;
}

#define MAX_COUNT 13

/* Which values of two dimensions met in a case. */
typedef struct
{
  gboolean met[DIMENSIONS][DIMENSIONS][MAX_COUNT][MAX_COUNT];
} Pairs;

/* How many pairs of a case had not met; with @mark, they have now. */
static guint
meet (Pairs * pairs, const guint * index, gboolean mark)
{
  guint n = 0;

  for (guint a = 0; a < DIMENSIONS; a++)
    for (guint b = a + 1; b < DIMENSIONS; b++) {
      gboolean *met = &pairs->met[a][b][index[a]][index[b]];

      n += !*met;
      *met |= mark;
    }
  return n;
}

/* The most useful of a few dozen random cases; the same ones every time. */
static void
draw_case (Pairs * pairs, GRand * random, guint * best)
{
  guint best_gain = 0;

  while (best_gain == 0)
    for (guint i = 0; i < 60; i++) {
      guint index[DIMENSIONS], gain;

      for (guint d = 0; d < DIMENSIONS; d++)
        index[d] = g_rand_int_range (random, 0, count (d));
      gain = meet (pairs, index, FALSE);
      if (gain > best_gain) {
        best_gain = gain;
        memcpy (best, index, sizeof index);
      }
    }
}

/* Cases until every value of every dimension met every value of every
 * other. */
static void
test_pairs (Fixture * fixture, gconstpointer data)
{
  Pairs *pairs = g_new0 (Pairs, 1);
  GRand *random = g_rand_new_with_seed (1);
  guint left = 0;

  if (!skip_without_device (fixture))
    for (guint a = 0; a < DIMENSIONS; a++)
      for (guint b = a + 1; b < DIMENSIONS; b++)
        left += count (a) * count (b);
  while (left > 0) {
    guint index[DIMENSIONS];
    Case c;

    draw_case (pairs, random, index);
    left -= meet (pairs, index, TRUE);
    c = case_of (index);
    check_case (fixture, &c);
  }
  g_rand_free (random);
  g_free (pairs);
}

/* Every format with every method, kernel, precision, edge mode, size and
 * extent. */
static void
test_cross_product (Fixture * fixture, gconstpointer data)
{
  guint n = 1;

  if (skip_without_device (fixture))
    return;
  for (guint d = 0; d < DIMENSIONS; d++)
    n *= count (d);
  for (guint i = 0; i < n; i++) {
    guint index[DIMENSIONS], rest = i;
    Case c;

    for (guint d = 0; d < DIMENSIONS; d++) {
      index[d] = rest % count (d);
      rest /= count (d);
    }
    c = case_of (index);
    check_case (fixture, &c);
  }
}

/* A radius at the edge of what each method states, and one past it. */
static void
test_reach (Fixture * fixture, gconstpointer data)
{
  if (skip_without_device (fixture))
    return;
  for (guint m = 0; m < n_methods; m++)
    for (guint p = 0; p < G_N_ELEMENTS (precisions); p++) {
      guint reach = gpu_blur_max_radius (gpu_fixture_device (), methods[m],
          precisions[p], 4);
      Case c = {
        .pixels = GPU_PIXELS_RGBA,
        .width = 7,
        .height = 5,
        .settings = {
              .kernel = kernel_of (methods[m]),
              .sigma_x = reach / 2.0,
              .sigma_y = reach / 2.0,
              .radius = reach,
              .method = methods[m],
              .precision = precisions[p],
              .edge = GPU_BLUR_MIRROR,
            },
      };

      /* N = 19, the widest that the sources measure. */
      g_assert_cmpuint (reach, >=, 9);
      check_case (fixture, &c);
      g_assert_cmpint (fixture->report.method, ==, methods[m]);
      if (reach == GPU_BLUR_MAX_RADIUS)
        continue;
      c.settings.radius++;
      check_case (fixture, &c);
      g_assert_cmpint (fixture->report.method, ==, GPU_BLUR_SEPARABLE);
    }
}

/* What each method states, by the words of a sum and shared memory: the least
 * that a device may have, and what many cards have. */
static void
test_stated_reach (Fixture * fixture, gconstpointer data)
{
  static const struct
  {
    gsize shared;
    GpuBlurPrecision precision;
    guint components;
    guint reach[G_N_ELEMENTS (methods)];
  } expected[] = {
    {16384, GPU_BLUR_HALF, 4, {62, 18, 3000, 120, 120, 16, 120, 120, 37,
            3000, 12}},
    {16384, GPU_BLUR_FLOAT, 4, {62, 12, 3000, 56, 56, 10, 56, 56, 16,
            3000, 4}},
    {16384, GPU_BLUR_HALF, 1, {62, 28, 3000, 239, 239, 26, 175, 175, 80,
            3000, 12}},
    {49152, GPU_BLUR_HALF, 4, {62, 35, 3000, 376, 376, 33, 352, 352, 122,
            3000, 44}},
    {49152, GPU_BLUR_FLOAT, 4, {62, 23, 3000, 184, 184, 21, 184, 184, 58,
            3000, 20}},
    {49152, GPU_BLUR_HALF, 1, {62, 51, 3000, 239, 239, 49, 175, 175, 162,
            3000, 44}},
  };
  GpuDeviceInfo *info, before;

  if (skip_without_device (fixture))
    return;
  info = &gpu_fixture_device ()->info;
  before = *info;
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    info->max_shared = expected[i].shared;
    for (guint m = 0; m < n_methods; m++)
      g_assert_cmpuint (gpu_blur_max_radius (gpu_fixture_device (),
              methods[m], expected[i].precision, expected[i].components), ==,
          expected[i].reach[m]);
  }
  *info = before;
}

/* What a pass holds for one axis leaves the other one free, and what it holds for
 * both is for a wide one and a narrow one too. */
static void
test_reach_of_axes (Fixture * fixture, gconstpointer data)
{
  static const struct
  {
    GpuBlurMethod method;
    gboolean wide_rows, wide_columns;   /* what it can do */
  } cases[] = {
    {GPU_BLUR_DIRECT, FALSE, FALSE},
    {GPU_BLUR_DIRECT_SHARED, TRUE, TRUE},
    {GPU_BLUR_SEPARABLE_SHARED, TRUE, FALSE},
    {GPU_BLUR_INLINE_SEPARABLE, TRUE, FALSE},
    {GPU_BLUR_INLINE_SEPARABLE_SHARED, TRUE, TRUE},
    {GPU_BLUR_SLIDING_WINDOW, TRUE, FALSE},
    {GPU_BLUR_INLINE_SLIDING_WINDOW, TRUE, FALSE},
    {GPU_BLUR_INLINE_SLIDING_WINDOW_SHARED, TRUE, TRUE},
  };

  if (skip_without_device (fixture))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    guint reach = gpu_blur_max_radius (gpu_fixture_device (),
        cases[i].method, GPU_BLUR_HALF, 4);
    const gdouble narrow = 1, wide = (reach + 1) / 3.0;

    if (reach == GPU_BLUR_MAX_RADIUS)
      continue;
    for (guint down = 0; down < 2; down++) {
      Case c = {
        .pixels = GPU_PIXELS_RGBA,
        .width = 11,
        .height = 5,
        .settings = {
              .sigma_x = down ? narrow : wide,
              .sigma_y = down ? wide : narrow,
              .radius = -1,
              .method = cases[i].method,
              .precision = GPU_BLUR_HALF,
            },
      };
      gboolean can = down ? cases[i].wide_columns : cases[i].wide_rows;

      check_case (fixture, &c);
      g_assert_cmpint (fixture->report.method, ==,
          can ? cases[i].method : GPU_BLUR_SEPARABLE);
    }
  }
}

/* Rows so wide that their sums, not those of columns, bound how many a thread
 * may do. */
static void
test_wide_rows (Fixture * fixture, gconstpointer data)
{
  const Case c = {
    GPU_PIXELS_RGBA, 3, 150, {.sigma_x = GPU_BLUR_MAX_SIGMA,.sigma_y = 5,
        .radius = -1,.method = GPU_BLUR_INLINE_SLIDING_WINDOW}
  };

  if (skip_without_device (fixture))
    return;
  check_case (fixture, &c);
  g_assert_cmpint (fixture->report.method, ==, c.settings.method);
}

/* Down a column of the widest box, where a thread loops most often, and along
 * rows of several sections, those of a wide box with ends that weigh less too. */
static void
test_long_runs (Fixture * fixture, gconstpointer data)
{
  const Case cases[] = {
    {GPU_PIXELS_RGB, 1, 3500, {.kernel = GPU_BLUR_BOX,
            .radius = GPU_BLUR_MAX_RADIUS,.method = GPU_BLUR_RUNNING_SUMS}},
    {GPU_PIXELS_RGBA, 5000, 1, {.kernel = GPU_BLUR_BOX,.radius = 2,
            .method = GPU_BLUR_RUNNING_SUMS}},
    {GPU_PIXELS_NV12, 5000, 3, {.kernel = GPU_BLUR_BOX,.sigma_x = 200,
                .sigma_y = 9,.radius = -1,.method = GPU_BLUR_RUNNING_SUMS,
            .edge = GPU_BLUR_WRAP}},
  };

  if (skip_without_device (fixture))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check_case (fixture, &cases[i]);
}

static guint8 *
blur_bytes (Fixture * fixture, const GpuFrameInfo * info,
    const GpuBlurSettings * settings, const guint8 * in)
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

/* Of four bytes a pixel, without padding. */
static guint8 *
transpose (const GpuFrameInfo * info, const guint8 * frame)
{
  guint8 *out = g_malloc (info->size);

  for (guint y = 0; y < info->height; y++)
    for (guint x = 0; x < info->width; x++)
      memcpy (out + 4 * (x * info->height + y),
          frame + 4 * (y * info->width + x), 4);
  return out;
}

/* Of half-widths 3 and 48: what is done to rows of a picture is done to columns
 * of the picture on its side, to the byte. */
static void
test_transposed (Fixture * fixture, gconstpointer data)
{
  static const struct
  {
    gdouble sigma_x, sigma_y;
  } cases[] = { {2, 0}, {0, 2}, {28, 2} };
  GpuFrameInfo info, turned_info;
  g_autofree guint8 *in = NULL;
  g_autofree guint8 *turned_in = NULL;

  if (skip_without_device (fixture))
    return;
  gpu_frame_info_init (&info, GPU_PIXELS_RGBA, 37, 20);
  gpu_frame_info_init (&turned_info, GPU_PIXELS_RGBA, 20, 37);
  in = make_frame (&info, 3);
  turned_in = transpose (&info, in);
  for (guint m = 0; m < n_methods; m++)
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
      const GpuBlurSettings settings = {.kernel = GPU_BLUR_BOX,
        .sigma_x = cases[i].sigma_x,.sigma_y = cases[i].sigma_y,
        .radius = -1,.method = methods[m],.edge = GPU_BLUR_MIRROR
      };
      const GpuBlurSettings turned = {.kernel = GPU_BLUR_BOX,
        .sigma_x = cases[i].sigma_y,.sigma_y = cases[i].sigma_x,
        .radius = -1,.method = methods[m],.edge = GPU_BLUR_MIRROR
      };
      g_autofree guint8 *out = blur_bytes (fixture, &info, &settings, in);
      g_autofree guint8 *expected = transpose (&info, out);
      g_autofree guint8 *turned_out =
          blur_bytes (fixture, &turned_info, &turned, turned_in);

      g_assert_cmpmem (turned_out, info.size, expected, info.size);
    }
}

/* Stripes stay as they are where they are blurred along, and become grey where
 * they are blurred across. */
static void
test_one_axis (Fixture * fixture, gconstpointer data)
{
  const guint side = 20;
  g_autofree guint8 *in = NULL;
  GpuFrameInfo info;

  if (skip_without_device (fixture))
    return;
  gpu_frame_info_init (&info, GPU_PIXELS_GRAY8, side, side);
  in = g_malloc (info.size);
  for (guint y = 0; y < side; y++)
    memset (in + y * info.stride[0], y % 2 ? 200 : 0, side);
  for (guint kernel = 0; kernel < 2; kernel++)
    for (guint m = 0; m < n_methods; m++) {
      const GpuBlurSettings along = {.kernel = kernel,.sigma_x = 3,
        .radius = -1,.method = methods[m]
      };
      const GpuBlurSettings across = {.kernel = kernel,.sigma_y = 3,
        .radius = -1,.method = methods[m]
      };
      g_autofree guint8 *same = blur_bytes (fixture, &info, &along, in);
      g_autofree guint8 *grey = blur_bytes (fixture, &info, &across, in);

      g_assert_cmpmem (same, info.size, in, info.size);
      for (guint x = 0; x < side; x++)
        g_assert_cmpint (ABS (grey[side / 2 * info.stride[0] + x] - 100), <,
            20);
    }
}

/* The largest sums there are: with the last of these sigmas, 2063 samples weigh
 * up to 32 each along a row, which leaves no 32 bits but 0.05 %. */
static void
test_white_stays_white (Fixture * fixture, gconstpointer data)
{
  static const gdouble sigmas[] = { 0.4, 7.3, 595.53 };
  g_autofree guint8 *in = NULL;
  GpuFrameInfo info;

  if (skip_without_device (fixture))
    return;
  gpu_frame_info_init (&info, GPU_PIXELS_RGBA, 9, 4);
  in = g_malloc (info.size);
  memset (in, 255, info.size);
  for (guint m = 0; m < n_methods; m++)
    for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++) {
      const GpuBlurSettings settings = {.kernel = GPU_BLUR_BOX,
        .sigma_x = sigmas[i],.sigma_y = sigmas[i],.radius = -1,
        .method = methods[m]
      };
      g_autofree guint8 *out = blur_bytes (fixture, &info, &settings, in);

      g_assert_cmpmem (out, info.size, in, info.size);
    }
}

/* The largest sigma and the largest radius there are, and a sigma whose square
 * is 0. */
static void
test_extremes (Fixture * fixture, gconstpointer data)
{
  Case gaussian = {
    GPU_PIXELS_GRAY8, 7, 3, {.sigma_x = GPU_BLUR_MAX_SIGMA,
        .sigma_y = GPU_BLUR_MAX_SIGMA,.radius = -1}
  };
  Case box = {
    GPU_PIXELS_RGBA, 3, 4, {.kernel = GPU_BLUR_BOX,
        .radius = GPU_BLUR_MAX_RADIUS}
  };

  Case narrow = {
    GPU_PIXELS_NV12, 9, 6, {.sigma_x = 1e-200,.sigma_y = 1e-200,.radius = -1,
        .method = any_method ()}
  };

  if (skip_without_device (fixture))
    return;
  check_case (fixture, &gaussian);
  check_case (fixture, &narrow);
  box.settings.method = GPU_BLUR_SEPARABLE;
  check_case (fixture, &box);
  box.settings.method = GPU_BLUR_RUNNING_SUMS;
  check_case (fixture, &box);
}

/* A frame of which a dispatch would take too long goes in strips. */
static void
test_strips (Fixture * fixture, gconstpointer data)
{
  Case c = {
    GPU_PIXELS_NV12, 3001, 3, {.sigma_x = 150,.sigma_y = 150,.radius = -1,
        .edge = GPU_BLUR_WRAP,.precision = GPU_BLUR_FLOAT}
  };

  if (skip_without_device (fixture))
    return;
  check_case (fixture, &c);
}

/* Sums that run are words each, whatever the precision: as many columns as the
 * row sums that fit memory. */
static void
test_strips_of_integers (Fixture * fixture, gconstpointer data)
{
  const Case c = {
    GPU_PIXELS_RGBA, 100, 200, {.kernel = GPU_BLUR_BOX,.sigma_x = 5,.sigma_y =
          2,
          .radius = -1,.method = GPU_BLUR_RUNNING_SUMS,
        .precision = GPU_BLUR_HALF,.edge = GPU_BLUR_MIRROR}
  };
  GpuDeviceInfo *info, before;

  if (skip_without_device (fixture))
    return;
  info = &gpu_fixture_device ()->info;
  before = *info;
  info->max_binding = 32 * 200 * 4 * sizeof (guint32);
  check_case (fixture, &c);
  *info = before;
  g_assert_cmpuint (fixture->report.stages[0].dispatches, ==, 4);
}

/* A wide radius, in groups that share little memory and sum many rows for
 * themselves alone: how many dispatches the first frame of a CPU takes. */
static guint
count_first_dispatches (Fixture * fixture, guint height)
{
  Case c = {
    GPU_PIXELS_RGBA, 32, height, {.sigma_x = 40,.sigma_y = 40,.radius = 120,
        .method = GPU_BLUR_INLINE_SEPARABLE}
  };

  check_case (fixture, &c);
  g_assert_cmpint (fixture->report.method, ==, GPU_BLUR_INLINE_SEPARABLE);
  g_assert_cmpuint (fixture->report.stages[0].taps, ==, 482);
  return fixture->report.stages[0].dispatches;
}

static gboolean
skip_on_fast_device (Fixture * fixture)
{
  if (skip_without_device (fixture))
    return TRUE;
  if (gpu_device_is_slow (gpu_fixture_device ()))
    return FALSE;
  g_test_skip ("one dispatch is short enough on a GPU");
  return TRUE;
}

/* Rows beyond a group's own are work too: by its taps this frame would be one
 * dispatch. */
static void
test_rows_beyond (Fixture * fixture, gconstpointer data)
{
  if (!skip_on_fast_device (fixture))
    g_assert_cmpuint (count_first_dispatches (fixture, 96), >=, 4);
}

/* Where one row of groups is too much, strips are as narrow as groups are. */
static void
test_narrow_strips (Fixture * fixture, gconstpointer data)
{
  if (!skip_on_fast_device (fixture))
    g_assert_cmpuint (count_first_dispatches (fixture, 16), ==, 2);
}

/* Frames that a dispatch has not the groups for are done in parts, whichever
 * way they are long. */
static void
test_few_groups (Fixture * fixture, gconstpointer data)
{
  GpuDeviceInfo *info, before;

  if (skip_without_device (fixture))
    return;
  info = &gpu_fixture_device ()->info;
  before = *info;
  info->max_groups[0] = info->max_groups[1] = 2;
  for (guint m = 0; m < n_methods; m++)
    for (guint tall = 0; tall < 2; tall++) {
      Case c = {
        GPU_PIXELS_RGBA, tall ? 9 : 150, tall ? 150 : 9,
        {.kernel = kernel_of (methods[m]),.sigma_x = 1.3,.sigma_y = 1.3,
            .radius = -1,.method = methods[m]}
      };

      check_case (fixture, &c);
    }
  *info = before;
}

/* What a method reaches is found out when it is prepared, not again for every
 * frame: a device that seems to have shrunk since does not matter. */
static void
test_prepared_reach (Fixture * fixture, gconstpointer data)
{
  GpuDeviceInfo *info, before;
  GpuFrameInfo layout;

  if (skip_without_device (fixture))
    return;
  info = &gpu_fixture_device ()->info;
  before = *info;
  gpu_frame_info_init (&layout, GPU_PIXELS_RGBA, 8, 4);
  /* Strips, the last, need a division for that. */
  for (guint m = 2; m < MIN (n_methods, G_N_ELEMENTS (methods) - 1); m++) {
    const GpuBlurSettings settings = {.kernel = kernel_of (methods[m]),
      .sigma_x = 5,.sigma_y = 5,.radius = -1,.method = methods[m]
    };
    Recording recording = { fixture, &settings };
    g_autofree guint8 *in = make_frame (&layout, m);
    g_autofree guint8 *out = NULL;

    g_assert_true (gpu_blur_prepare (fixture->blur, GPU_PIXELS_RGBA, 8, 4,
            &settings, NULL));
    info->max_shared = 16;
    out = gpu_fixture_run (fixture->stream, &layout, in, &layout, record_blur,
        &recording, NULL);
    *info = before;
    g_assert_nonnull (out);
    g_assert_cmpint (fixture->report.method, ==, methods[m]);
  }
}

/* Row sums of four columns have to fit memory. */
static void
test_too_high (Fixture * fixture, gconstpointer data)
{
  const GpuBlurSettings settings = {.sigma_x = 1,.sigma_y = 1,.radius =
        -1,.method = any_method ()
  };
  g_autoptr (GError) error = NULL;
  GpuDeviceInfo *info, before;
  gboolean fits, fits_not;

  if (skip_without_device (fixture))
    return;
  info = &gpu_fixture_device ()->info;
  before = *info;
  info->max_binding = 2000 * 4 * 16;
  fits = gpu_blur_prepare (fixture->blur, GPU_PIXELS_RGBA, 9, 2000, &settings,
      NULL);
  fits_not = !gpu_blur_prepare (fixture->blur, GPU_PIXELS_RGBA, 9, 2001,
      &settings, &error);
  *info = before;
  g_assert_true (fits);
  g_assert_true (fits_not);
  g_assert_error (error, GPU_ERROR, GPU_ERROR_TOO_LARGE);
}

/* No method stands in for another: each has stages and taps of its own, of the
 * axes that these sum. */
static void
test_methods_differ (Fixture * fixture, gconstpointer data)
{
  static const struct
  {
    guint n_stages, taps[2];
    const gchar *names[2];
  } expected[] = {
    {1, {7 * 13}, {"direct"}},
    {1, {7 * 13}, {"direct-shared"}},
    {2, {7, 13}, {"separable-rows", "separable-columns"}},
    {2, {7, 13}, {"separable-shared-rows", "separable-shared-columns"}},
    {1, {7 + 13}, {"inline-separable"}},
    {1, {7 + 13}, {"inline-separable-shared"}},
    {2, {7, 13}, {"sliding-window-rows", "sliding-window-columns"}},
    {1, {7 + 13}, {"inline-sliding-window"}},
    {1, {7 + 13}, {"inline-sliding-window-shared"}},
    {2, {5, 7}, {"running-sums-rows", "running-sums-columns"}},
    {1, {7 + 13}, {"strips-rolled"}},
  };

  if (skip_without_device (fixture))
    return;
  for (guint m = 0; m < n_methods; m++) {
    const GpuBlurReport *report = &fixture->report;
    Case c = {
      GPU_PIXELS_BGRA, 40, 30, {.kernel = kernel_of (methods[m]),.sigma_x = 1,
          .sigma_y = 2,.radius = -1,.method = methods[m]}
    };

    check_case (fixture, &c);
    g_assert_cmpint (report->method, ==, methods[m]);
    g_assert_cmpuint (report->n_stages, ==, expected[m].n_stages);
    for (guint i = 0; i < report->n_stages; i++) {
      g_assert_cmpstr (report->stages[i].name, ==, expected[m].names[i]);
      g_assert_cmpuint (report->stages[i].taps, ==, expected[m].taps[i]);
      g_assert_cmpuint (report->stages[i].dispatches, ==, 1);
    }
  }
}

static void
test_shaders_differ (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  const GpuBlurPass *pass;

  for (guint m = 0; m < n_methods; m++)
    for (guint i = 0; (pass = gpu_blur_get_pass (methods[m], i)); i++) {
      if (pass->shader)
        g_assert_true (g_hash_table_add (seen, (gpointer) pass->shader));
      g_assert_true (g_hash_table_add (seen, (gpointer) pass->exact_shader));
    }
}

/* Sums run where all weights are the same, and are what auto takes there, if
 * they are many. */
static void
test_running_sums_are_for_boxes (Fixture * fixture, gconstpointer data)
{
  static const struct
  {
    GpuBlurKernel kernel;
    gint radius;
    GpuBlurMethod asked, ran;
  } cases[] = {
    {GPU_BLUR_BOX, 5, GPU_BLUR_RUNNING_SUMS, GPU_BLUR_RUNNING_SUMS},
    {GPU_BLUR_BOX, 5, GPU_BLUR_AUTO, GPU_BLUR_RUNNING_SUMS},
    {GPU_BLUR_BOX, 4, GPU_BLUR_AUTO, GPU_BLUR_SEPARABLE},
    {GPU_BLUR_BOX, 4, GPU_BLUR_RUNNING_SUMS, GPU_BLUR_RUNNING_SUMS},
    {GPU_BLUR_GAUSSIAN, 5, GPU_BLUR_RUNNING_SUMS, GPU_BLUR_SEPARABLE},
  };

  if (skip_without_device (fixture))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const Case c = { GPU_PIXELS_NV12, 30, 20, {.kernel = cases[i].kernel,
            .sigma_x = 3,.sigma_y = 3,.radius = cases[i].radius,
        .method = cases[i].asked}
    };

    check_case (fixture, &c);
    g_assert_cmpint (fixture->report.method, ==, cases[i].ran);
  }
}

/* --- strips --- */

/* What auto takes for a Gaussian: strips, and beyond them what comes next. */
static void
test_strips_are_auto (Fixture * fixture, gconstpointer data)
{
  guint reach = gpu_fixture_device ()? gpu_blur_max_radius
      (gpu_fixture_device (), GPU_BLUR_STRIPS, GPU_BLUR_HALF, 4) : 0;

  if (skip_without_device (fixture))
    return;
  for (guint beyond = 0; beyond < 2; beyond++) {
    const Case c = { GPU_PIXELS_RGBA, 30, 20, {.sigma_x = 9,.sigma_y = 9,
        .radius = reach + beyond,.method = GPU_BLUR_AUTO}
    };

    check_case (fixture, &c);
    g_assert_cmpint (fixture->report.method, ==,
        beyond ? GPU_BLUR_SEPARABLE_SHARED : GPU_BLUR_STRIPS);
  }
}

/* Blurs a frame of noise with what is built so far. */
static guint8 *
run_unprepared (Fixture * fixture, const Case * c)
{
  Recording recording = { fixture, &c->settings };
  GpuFrameInfo info;
  g_autofree guint8 *in = NULL;
  g_autoptr (GError) error = NULL;
  guint8 *out;

  gpu_frame_info_init (&info, c->pixels, c->width, c->height);
  in = make_frame (&info, 7);
  out = gpu_fixture_run (fixture->stream, &info, in, &info, record_blur,
      &recording, &error);
  g_assert_no_error (error);
  return out;
}

/* Strips inside the frame, at its edges, and one that ends with it; rows that
 * are whole quads of words and rows that are not; radii of buckets, between
 * them, and beyond. */
static void
test_strips_inside (Fixture * fixture, gconstpointer data)
{
  static const struct
  {
    GpuPixels pixels;
    guint width, radius;
    GpuBlurEdge edge;
  } cases[] = {
    {GPU_PIXELS_RGBX, 256, 1, GPU_BLUR_CLAMP},
    {GPU_PIXELS_XBGR, 203, 5, GPU_BLUR_BLACK},
    {GPU_PIXELS_ARGB, 259, 20, GPU_BLUR_CLAMP},
    {GPU_PIXELS_RGB, 279, 7, GPU_BLUR_CLAMP},
    {GPU_PIXELS_RGB, 352, 2, GPU_BLUR_MIRROR},
    {GPU_PIXELS_NV12, 1030, 8, GPU_BLUR_CLAMP},
    {GPU_PIXELS_NV12, 70, 9, GPU_BLUR_MIRROR},
    {GPU_PIXELS_I420, 1537, 3, GPU_BLUR_BLACK},
    {GPU_PIXELS_GRAY8, 1025, 26, GPU_BLUR_WRAP},
  };

  if (skip_without_device (fixture))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Case c = {
      cases[i].pixels, cases[i].width, 37 + i, {
            .sigma_x = cases[i].radius / 3.0,.sigma_y = cases[i].radius / 3.0,
            .radius = cases[i].radius,.method = GPU_BLUR_STRIPS,
          .edge = cases[i].edge,.precision = GPU_BLUR_HALF}
    };

    check_case (fixture, &c);
    g_assert_cmpint (fixture->report.method, ==, GPU_BLUR_STRIPS);
    g_assert_cmpstr (fixture->report.stages[0].name, ==,
        cases[i].radius > 20 ? "strips-rolled" : "strips");
  }
}

/* Held by the test: no pipeline is built. */
static GMutex no_building;
static PFN_vkCreateComputePipelines create_pipelines;

static VkResult VKAPI_CALL
create_when_allowed (VkDevice device, VkPipelineCache cache, uint32_t n,
    const VkComputePipelineCreateInfo * infos,
    const VkAllocationCallbacks * allocator, VkPipeline * pipelines)
{
  VkResult result;

  g_mutex_lock (&no_building);
  result = create_pipelines (device, cache, n, infos, allocator, pipelines);
  g_mutex_unlock (&no_building);
  return result;
}

/* The bytes are the same whatever serves while a kernel is built. */
static void
test_strips_meanwhile (void)
{
  GpuDevice *device = gpu_fixture_open_another ();
  Fixture fixture = { gpu_stream_new (device, 2, "blur test", NULL),
    gpu_blur_new (device)
  };
  Case c = {
    GPU_PIXELS_RGBA, 300, 50, {.sigma_x = 9,.sigma_y = 9,.radius = 27,
        .method = GPU_BLUR_STRIPS}
  };
  gsize size = 4 * c.width * c.height;

  create_pipelines = device->vk.vkCreateComputePipelines;
  device->vk.vkCreateComputePipelines = create_when_allowed;
  /* Prepared for a radius beyond all that are unrolled. */
  g_assert_true (gpu_blur_prepare (fixture.blur, c.pixels, c.width, c.height,
          &c.settings, NULL));
  for (gint radius = 13; radius > 0; radius -= 6) {
    g_autofree guint8 *meanwhile = NULL, *then = NULL;

    c.settings.radius = radius;
    c.settings.sigma_x = c.settings.sigma_y = radius / 3.0;
    g_mutex_lock (&no_building);
    meanwhile = run_unprepared (&fixture, &c);
    /* At first what is not unrolled serves, then what is for a larger radius. */
    g_assert_cmpstr (fixture.report.stages[0].name, ==,
        radius == 13 ? "strips-rolled" : "strips");
    g_mutex_unlock (&no_building);
    gpu_blur_wait (fixture.blur);
    then = run_unprepared (&fixture, &c);
    g_assert_cmpstr (fixture.report.stages[0].name, ==, "strips");
    g_assert_cmpmem (meanwhile, size, then, size);
  }
  gpu_blur_free (fixture.blur);
  gpu_stream_unref (fixture.stream);
  gpu_device_unref (device);
}

/* Both planes of chroma are one dispatch, where their rows are alike. */
static void
test_strips_twins (Fixture * fixture, gconstpointer data)
{
  Case c = { GPU_PIXELS_I420, 100, 40, {.sigma_x = 1,.sigma_y = 1,.radius = -1,
      .method = GPU_BLUR_STRIPS}
  };
  GpuFrameInfo info;

  if (skip_without_device (fixture))
    return;
  check_case (fixture, &c);
  g_assert_cmpuint (fixture->report.n_stages, ==, 2);
  gpu_frame_info_init (&info, c.pixels, c.width, c.height);
  info.stride[2] += 4;
  info.size += 4 * 20;
  check_layout (fixture, &c, &info);
  g_assert_cmpuint (fixture->report.n_stages, ==, 3);
}

/* Between rows, whose last word is filled up with 0, and between planes, nothing
 * is written. */
static void
check_gaps (const GpuFrameInfo * info, const guint8 * out)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  gsize at = 0;

  for (guint i = 0; i < format->n_planes; i++)
    for (guint y = 0; y < gpu_frame_info_plane_height (info, i); y++) {
      gsize row = info->offset[i] + (gsize) y * info->stride[i];
      guint bytes = gpu_frame_info_plane_width (info, i)
          * format->components[i];

      while (at < row)
        g_assert_cmpuint (out[at++], ==, 0xa5);
      for (at += bytes; at % 4; at++)
        g_assert_cmpuint (out[at], ==, 0);
    }
  while (at < info->size)
    g_assert_cmpuint (out[at++], ==, 0xa5);
}

/* Samples of one layout in another. */
static guint8 *
lay_out (const GpuFrameInfo * from, const guint8 * in, const GpuFrameInfo * to)
{
  guint8 *out = g_malloc0 (to->size);

  for (guint i = 0; i < gpu_pixels_get_format (to->pixels)->n_planes; i++) {
    g_autofree guint8 *samples = g_malloc (from->size);

    gpu_fixture_unpack (from, i, in, samples);
    gpu_fixture_pack (to, i, samples, out);
  }
  return out;
}

/* Strides wider than a row, planes with gaps: rows land where they belong and
 * nothing else is written. */
static void
test_padded_layout (Fixture * fixture, gconstpointer data)
{
  GpuFrameInfo in_info, out_info, tight;
  g_autofree guint8 *in = NULL;
  g_autofree guint8 *tight_in = NULL;

  if (skip_without_device (fixture))
    return;
  gpu_frame_info_init (&tight, GPU_PIXELS_I420, 13, 7);
  in_info = tight;
  for (guint i = 0; i < 3; i++) {
    in_info.offset[i] = 8 + 1024 * i;
    in_info.stride[i] = 40 + 4 * i;
  }
  in_info.size = 8 + 1024 * 3;
  out_info = in_info;
  for (guint i = 0; i < 3; i++)
    out_info.stride[i] = 64;
  in = make_frame (&in_info, 5);
  tight_in = lay_out (&in_info, in, &tight);
  for (guint m = 0; m < n_methods; m++) {
    GpuBlurSettings settings = {.kernel = kernel_of (methods[m]),.sigma_x =
          1.5,.sigma_y = 1.5,.radius = -1,
      .method = methods[m]
    };
    Recording recording = { fixture, &settings };
    g_autofree guint8 *out = NULL;
    g_autofree guint8 *tight_out = NULL;
    g_autofree guint8 *samples = NULL;
    g_autofree guint8 *tight_samples = NULL;
    g_autoptr (GError) error = NULL;

    gpu_blur_prepare (fixture->blur, GPU_PIXELS_I420, 13, 7, &settings, &error);
    g_assert_no_error (error);
    out = gpu_fixture_run (fixture->stream, &in_info, in, &out_info,
        record_blur, &recording, &error);
    g_assert_no_error (error);
    check_gaps (&out_info, out);
    /* The same samples without padding must give the same bytes. */
    tight_out = gpu_fixture_run (fixture->stream, &tight, tight_in, &tight,
        record_blur, &recording, &error);
    g_assert_no_error (error);
    samples = lay_out (&out_info, out, &tight);
    tight_samples = lay_out (&tight, tight_out, &tight);
    g_assert_cmpmem (samples, tight.size, tight_samples, tight.size);
  }
}

/* Ten rows are two fields of five, with three rows of chroma each. */
static void
test_interlaced (Fixture * fixture, gconstpointer data)
{
  Case c = { GPU_PIXELS_I420, 12, 10,
    {.sigma_x = 1.5,.sigma_y = 1.5,.radius = -1,.method = any_method ()}
  };
  GpuFrameInfo info;

  if (skip_without_device (fixture))
    return;
  gpu_frame_info_init (&info, c.pixels, c.width, c.height);
  info.is_interlaced = TRUE;
  info.offset[2] += info.stride[1];
  info.size += 2 * info.stride[1];
  g_assert_cmpuint (gpu_frame_info_plane_height (&info, 1), ==, 6);
  check_layout (fixture, &c, &info);
}

static void
test_identity (void)
{
  static const struct
  {
    GpuBlurKernel kernel;
    gdouble sigma_x, sigma_y;
    gint radius;
    gboolean identity;
  } cases[] = {
    {GPU_BLUR_GAUSSIAN, 0, 0, -1, TRUE},
    {GPU_BLUR_GAUSSIAN, 0, 0, 5, TRUE},
    {GPU_BLUR_GAUSSIAN, 0.1, 0.1, -1, FALSE},
    {GPU_BLUR_GAUSSIAN, 0.1, 0, -1, FALSE},
    {GPU_BLUR_GAUSSIAN, 0, 0.1, -1, FALSE},
    {GPU_BLUR_GAUSSIAN, 0.1, 0.1, 0, TRUE},
    {GPU_BLUR_BOX, 0, 0, -1, TRUE},
    {GPU_BLUR_BOX, 0.1, 0, -1, FALSE},
    {GPU_BLUR_BOX, 0, 0.1, -1, FALSE},
    {GPU_BLUR_BOX, 0.1, 0.1, 0, TRUE},
    {GPU_BLUR_BOX, 0, 0, 1, FALSE},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const GpuBlurSettings settings = {.kernel = cases[i].kernel,
      .sigma_x = cases[i].sigma_x,.sigma_y = cases[i].sigma_y,
      .radius = cases[i].radius
    };

    g_assert_cmpint (gpu_blur_is_identity (&settings), ==, cases[i].identity);
  }
}

#define ADD(name, test) \
  g_test_add (name, Fixture, NULL, setup, test, teardown)

/* With --full, only the cross product, which takes long on a CPU. */
int
main (int argc, char **argv)
{
  gboolean full = argc > 1 && !strcmp (argv[1], "--full");
  gboolean passes = argc > 1 && !strcmp (argv[1], "--passes");
  gint result;

  g_test_init (&argc, &argv, NULL);
  if (passes)
    n_methods--;
  if (full) {
    ADD ("/blur/cross-product", test_cross_product);
  } else {
    g_test_add_func ("/blur/identity", test_identity);
    ADD ("/blur/pairs", test_pairs);
    ADD ("/blur/reach", test_reach);
    ADD ("/blur/stated-reach", test_stated_reach);
    ADD ("/blur/reach-of-axes", test_reach_of_axes);
    ADD ("/blur/wide-rows", test_wide_rows);
    ADD ("/blur/long-runs", test_long_runs);
    ADD ("/blur/transposed", test_transposed);
    ADD ("/blur/one-axis", test_one_axis);
    ADD ("/blur/white-stays-white", test_white_stays_white);
    ADD ("/blur/extremes", test_extremes);
    ADD ("/blur/strips", test_strips);
    ADD ("/blur/strips-of-integers", test_strips_of_integers);
    ADD ("/blur/rows-beyond", test_rows_beyond);
    ADD ("/blur/narrow-strips", test_narrow_strips);
    ADD ("/blur/few-groups", test_few_groups);
    ADD ("/blur/prepared-reach", test_prepared_reach);
    ADD ("/blur/too-high", test_too_high);
    ADD ("/blur/methods-differ", test_methods_differ);
    g_test_add_func ("/blur/shaders-differ", test_shaders_differ);
    ADD ("/blur/running-sums-are-for-boxes", test_running_sums_are_for_boxes);
    ADD ("/blur/padded-layout", test_padded_layout);
    ADD ("/blur/interlaced", test_interlaced);
  }
  if (!full && !passes) {
    ADD ("/blur/strips/auto", test_strips_are_auto);
    ADD ("/blur/strips/inside", test_strips_inside);
    gpu_fixture_add_test ("/blur/strips/meanwhile", test_strips_meanwhile);
    ADD ("/blur/strips/twins", test_strips_twins);
  }
  result = g_test_run ();
  gpu_fixture_close ();
  return result;
}
