/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter against its float64 oracle. */
#include "blur_fixture.h"
#include "blur_layouts.h"

#include "gpu/core/device/vulkan.h"
#include "gpu_fixture.h"
#include "reference_blur_bilateral.h"

#include <math.h>
#include <string.h>

/* What sums of floats and divisions may add to rounding, in codes. */
#define FLOAT_ERROR 0.002

/* Colours with less alpha are quotients of small numbers. */
#define LEAST_ALPHA 16

static const GpuBlurMethod methods[] = {
  GPU_BLUR_DIRECT_SHARED, GPU_BLUR_SEPARABLE
};

static const GpuPixels formats[] = {
  GPU_PIXELS_RGBA, GPU_PIXELS_ARGB, GPU_PIXELS_BGRX, GPU_PIXELS_XRGB,
  GPU_PIXELS_RGB, GPU_PIXELS_NV12, GPU_PIXELS_I420, GPU_PIXELS_GRAY8,
};

/* --- frames --- */

/* Ramps, edges between them, and some noise; of alpha 0, 255 and what is between. */
static guint8 *
make_structure (const GpuFrameInfo * info, guint32 seed)
{
  GRand *random = g_rand_new_with_seed (seed);
  gint alpha = gpu_pixels_get_format (info->pixels)->alpha;
  guint8 *frame = g_malloc0 (info->size);

  for (gsize i = 0; i < info->size; i++) {
    gint ramp = (i / 97) % 2 ? 60 + i % 31 : 190 - i % 23;

    frame[i] = ramp + g_rand_int_range (random, -12, 13);
    if (alpha >= 0 && i % 4 == (gsize) alpha)
      frame[i] = i / 4 % 11 < 6 ? 255 : i / 4 % 11 < 8 ? 0
          : g_rand_int_range (random, 0, 256);
  }
  g_rand_free (random);
  return frame;
}

/* --- against the oracle --- */

static guint
get_white (const Case * c)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (c->pixels);

  return format->model == GPU_MODEL_RGB || c->settings.full_range ? 255 : 219;
}

/* What a sample may differ by. Where a mean is halfway between two codes, the device and
 * the oracle may round it differently, and the next pass begins with another code. */
static gdouble
get_max_error (const Case * c, GpuBlurMethod ran)
{
  return 0.5 * c->settings.rounds + (ran == GPU_BLUR_SEPARABLE ? 0.5 : 0)
      + FLOAT_ERROR;
}

/* That is rare: of 50 samples one at most differs by more than rounding. */
static void
check_plane (const ReferencePlane * plane, const gdouble * oracle,
    const guint8 * out, gdouble max_error)
{
  gsize n = (gsize) plane->width * plane->height * plane->components;
  gsize n_rounded_differently = 0;

  for (gsize i = 0; i < n; i++) {
    gsize pixel = i / plane->components * plane->components;
    gdouble error = fabs (out[i] - oracle[i]);

    if (plane->alpha < 0 || i - pixel == (gsize) plane->alpha
        || oracle[pixel + plane->alpha] >= LEAST_ALPHA) {
      g_assert_cmpfloat (error, <=, max_error);
      n_rounded_differently += error > 0.5 + FLOAT_ERROR;
    } else if (oracle[pixel + plane->alpha] == 0)
      g_assert_cmpuint (out[i], ==, 0);
  }
  g_assert_cmpuint (n_rounded_differently, <=, n / 50 + 1);
}

/* @light: that of the settings, in doubles; may be NULL. */
static void
check_field (const Case * c, GpuBlurMethod ran, const GpuFrameInfo * info,
    guint field, const gdouble * light, const guint8 * in, const guint8 * out)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (c->pixels);
  const ReferenceBilateralSettings settings = {
    {c->settings.sigma_x, c->settings.sigma_y}, c->settings.radius,
    c->settings.range, c->settings.rounds, ran == GPU_BLUR_SEPARABLE,
    (ReferenceEdge) c->settings.edge, light
  };
  ReferenceBilateralFrame frame = {
    .n_planes = format->n_planes,
    .is_rgb = format->model == GPU_MODEL_RGB,
    .unused = format->unused,
    .white = get_white (c),
  };
  guint8 *samples[GPU_MAX_PLANES] = { NULL };
  gdouble *oracle[GPU_MAX_PLANES] = { NULL };

  for (guint i = 0; i < format->n_planes; i++) {
    const Rows rows = rows_of_field (info, i, field);
    gsize n = (gsize) gpu_frame_info_plane_width (info, i) * rows.n
        * format->components[i];

    samples[i] = take_rows (info, &rows, in);
    oracle[i] = g_new (gdouble, n);
    frame.planes[i] = reference_plane (info, &rows, samples[i],
        c->settings.full_range);
  }
  reference_bilateral (&frame, &settings, oracle);
  for (guint i = 0; i < format->n_planes; i++) {
    const Rows rows = rows_of_field (info, i, field);
    g_autofree guint8 *output = take_rows (info, &rows, out);

    check_plane (&frame.planes[i], oracle[i], output, get_max_error (c, ran));
    g_free (samples[i]);
    g_free (oracle[i]);
  }
}

static void
check_content_in_light (Fixture * fixture, const Case * c,
    const GpuFrameInfo * info, const gdouble * light, const guint8 * in)
{
  g_autofree guint8 *out = NULL;

  g_test_message ("%s %ux%u sigma %g %g radius %d range %g rounds %u method %d "
      "edge %d", gpu_pixels_get_format (c->pixels)->name, c->width, c->height,
      c->settings.sigma_x, c->settings.sigma_y, c->settings.radius,
      c->settings.range, c->settings.rounds, c->settings.method,
      c->settings.edge);
  out = blur_frame (fixture, info, in, &c->settings);
  if (c->ran != GPU_BLUR_AUTO)
    g_assert_cmpint (fixture->report.method, ==, c->ran);
  for (guint i = 0; i < (info->is_interlaced
          ? gpu_frame_info_count_fields (info) : 1); i++)
    check_field (c, fixture->report.method, info, i, light, in, out);
}

static void
check_structure (Fixture * fixture, const Case * c)
{
  g_autofree guint8 *in = NULL;
  GpuFrameInfo info;

  gpu_frame_info_init (&info, c->pixels, c->width, c->height);
  in = make_structure (&info, c->width);
  check_content_in_light (fixture, c, &info, NULL, in);
}

/* Settings that most tests share, of which they change some. */
static Case
make_case (GpuPixels pixels, guint width, guint height, gdouble sigma,
    GpuBlurMethod method)
{
  return (Case) {pixels, width, height, {.kernel = GPU_BLUR_BILATERAL,
      .sigma_x = sigma, .sigma_y = sigma, .radius = -1, .range = 0.3,
      .rounds = 1, .method = method}};
}

/* --- settings --- */

/* Every format with every method; the other settings take turns. */
BLUR_TEST (formats)
{
  static const gdouble ranges[] = { 0.1, 0.3, 1, 0.03, 0.01 };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (guint m = 0; m < G_N_ELEMENTS (methods); m++)
      for (guint rounds = 1; rounds <= GPU_BLUR_MAX_ROUNDS; rounds++)
        for (guint i = 0; i < 4; i++) {
          Case c = make_case (formats[f], 37 + 2 * i, 19 + i, 2.5, methods[m]);
          g_autofree guint8 *noise = NULL;
          GpuFrameInfo info;

          c.settings.range = ranges[(f + rounds + i) % G_N_ELEMENTS (ranges)];
          c.settings.rounds = rounds;
          c.settings.edge = i;
          c.settings.full_range = (rounds + i) % 2;
          c.ran = methods[m];
          check_structure (fixture, &c);
          if (rounds > 1)
            continue;
          gpu_frame_info_init (&info, c.pixels, c.width, c.height);
          noise = make_frame (&info, c.width);
          check_content_in_light (fixture, &c, &info, NULL, noise);
        }
}

/* Luma guides chroma of every subsampling, also at odd edges. */
BLUR_TEST (subsamplings)
{
  static const GpuPixels pixels[] = {
    GPU_PIXELS_NV16, GPU_PIXELS_NV24, GPU_PIXELS_Y42B, GPU_PIXELS_Y444,
    GPU_PIXELS_Y41B
  };

  fixture->is_brief = TRUE;
  for (guint f = 0; f < G_N_ELEMENTS (pixels); f++)
    for (guint m = 0; m < G_N_ELEMENTS (methods); m++)
      for (guint i = 0; i < 4; i++) {
        Case c = make_case (pixels[f], 18 + i, 9, 2.5, methods[m]);

        c.settings.edge = i;
        c.ran = methods[m];
        check_structure (fixture, &c);
      }
}

/* Windows wider than frames, axes that differ, and one alone. */
BLUR_TEST (windows)
{
  static const struct
  {
    guint width, height;
  } sizes[] = { {1, 1}, {2, 2}, {17, 9}, {5, 67}, {131, 4}, {40, 18} };
  static const struct
  {
    gdouble sigma_x, sigma_y;
    gint radius;
  } extents[] = {
    {0.2, 0.2, -1}, {1, 3, -1}, {4, 0.6, -1}, {3, 0, -1}, {0, 3, -1},
    {2, 2, 1}, {3, 3, 7}, {6, 6, -1}, {1, 1, 14},
  };

  for (guint e = 0; e < G_N_ELEMENTS (extents); e++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      for (guint m = 0; m < G_N_ELEMENTS (methods); m++) {
        Case c = make_case (formats[(e + s) % G_N_ELEMENTS (formats)],
            sizes[s].width, sizes[s].height, extents[e].sigma_x, methods[m]);

        c.settings.sigma_y = extents[e].sigma_y;
        c.settings.radius = extents[e].radius;
        c.settings.range = 0.2;
        c.settings.edge = (e + s) % 4;
        check_structure (fixture, &c);
      }
}

/* The widest windows of tiles, and one that no tile holds. */
BLUR_TEST (reach)
{
  Case c = make_case (GPU_PIXELS_GRAY8, 9, 7, 100, GPU_BLUR_DIRECT_SHARED);

  c.settings.radius = 4;
  c.settings.range = 0.5;
  c.settings.edge = GPU_BLUR_MIRROR;
  while (fixture->report.method != GPU_BLUR_SEPARABLE) {
    check_structure (fixture, &c);
    c.settings.radius++;
  }
  g_assert_cmpint (c.settings.radius, >, 9);
  c.settings.method = GPU_BLUR_SEPARABLE;
  c.settings.radius = GPU_BLUR_MAX_RADIUS;
  check_structure (fixture, &c);
}

BLUR_TEST (interlaced)
{
  static const struct
  {
    GpuPixels pixels;
    guint width, height;
  } frames[] = {
    {GPU_PIXELS_I420, 12, 10}, {GPU_PIXELS_NV12, 13, 11},
    {GPU_PIXELS_RGBA, 9, 7}, {GPU_PIXELS_GRAY8, 5, 1},
    {GPU_PIXELS_Y41B, 11, 6}, {GPU_PIXELS_NV24, 5, 9},
  };

  for (guint i = 0; i < G_N_ELEMENTS (frames); i++)
    for (guint m = 0; m < G_N_ELEMENTS (methods); m++) {
      Case c = make_case (frames[i].pixels, frames[i].width, frames[i].height,
          1.5, methods[m]);
      const GpuFrameInfo info = interlaced_info (c.pixels, c.width, c.height);
      g_autofree guint8 *in = make_structure (&info, i);

      c.settings.sigma_y = 2.5;
      c.settings.rounds = 2;
      c.settings.edge = i % 4;
      check_content_in_light (fixture, &c, &info, NULL, in);
    }
}

BLUR_TEST (padded_layout)
{
  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    Case c = make_case (formats[f], 13, 7, 1.5,
        methods[f % G_N_ELEMENTS (methods)]);

    c.settings.rounds = 2;
    check_padded (fixture, &c);
  }
}

/* Frames that a dispatch has not the groups for are done in parts. */
BLUR_TEST (few_groups)
{
  GpuDeviceInfo *info = &gpu_fixture_device ()->info;

  info->max_groups[0] = info->max_groups[1] = 2;
  for (guint i = 0; i < 4; i++) {
    for (guint m = 0; m < G_N_ELEMENTS (methods); m++) {
      const Case c = make_case (i < 2 ? GPU_PIXELS_RGB : GPU_PIXELS_RGBA,
          i % 2 ? 9 : 350, i % 2 ? 150 : 9, 1.3, methods[m]);

      check_structure (fixture, &c);
      g_assert_cmpuint (fixture->report.stages[0].dispatches, >, 1);
    }
  }
}

/* --- what it is for --- */

/* An edge of more than some deviations stays; flat areas with noise become smoother. */
BLUR_TEST (keeps_edges)
{
  const guint side = 32;
  GpuFrameInfo info;
  g_autofree guint8 *in = NULL;

  gpu_frame_info_init (&info, GPU_PIXELS_GRAY8, side, side);
  in = g_malloc (info.size);
  for (gsize i = 0; i < info.size; i++)
    in[i] = (i % side < side / 2 ? 40 : 200) + (i * i + i / side) % 3;
  for (guint m = 0; m < G_N_ELEMENTS (methods); m++) {
    const GpuBlurSettings settings = {.kernel = GPU_BLUR_BILATERAL,
      .sigma_x = 3, .sigma_y = 3, .radius = -1, .range = 0.1, .rounds = 2,
      .method = methods[m], .full_range = TRUE};
    g_autofree guint8 *out = blur_frame (fixture, &info, in, &settings);

    for (gsize i = 0; i < info.size; i++)
      g_assert_cmpint (ABS (out[i] - (i % side < side / 2 ? 41 : 201)), <=, 1);
  }
}

/* What cannot be seen has no effect, whatever its colour. */
BLUR_TEST (transparent)
{
  GpuFrameInfo info;
  g_autofree guint8 *in = NULL, *other = NULL;

  gpu_frame_info_init (&info, GPU_PIXELS_RGBA, 21, 13);
  in = make_structure (&info, 1);
  other = g_memdup2 (in, info.size);
  for (gsize i = 0; i < info.size; i += 4)
    if (other[i + 3] == 0)
      other[i] = other[i + 1] = other[i + 2] = 255 - i % 7;
  for (guint m = 0; m < G_N_ELEMENTS (methods); m++) {
    const GpuBlurSettings settings = {.kernel = GPU_BLUR_BILATERAL,
      .sigma_x = 2, .sigma_y = 2, .radius = -1, .range = 0.5, .rounds = 2,
      .method = methods[m]};
    g_autofree guint8 *out = blur_frame (fixture, &info, in, &settings);
    g_autofree guint8 *same = blur_frame (fixture, &info, other, &settings);

    g_assert_cmpmem (out, info.size, same, info.size);
  }
}

/* --- linear light --- */

BLUR_TEST (linear_light)
{
  gdouble light[LIGHT_HALF_CODES];
  gfloat floats[LIGHT_HALF_CODES];

  for (guint i = 0; i < LIGHT_HALF_CODES; i++)
    light[i] = floats[i] = pow (i / 510.0, 2.2);
  for (guint f = 0; f < 5; f++)
    for (guint m = 0; m < G_N_ELEMENTS (methods); m++) {
      Case c = make_case (formats[f], 23, 14, 2, methods[m]);
      GpuFrameInfo info;
      g_autofree guint8 *in = NULL;

      c.settings.range = 0.4;
      c.settings.rounds = 1 + m;
      c.settings.light = floats;
      gpu_frame_info_init (&info, c.pixels, c.width, c.height);
      in = make_structure (&info, f);
      check_content_in_light (fixture, &c, &info, light, in);
    }
}

/* --- choices --- */

/* AUTO takes the window where it is fast: not on a CPU, and not if it is large. */
BLUR_TEST (auto)
{
  Case c = make_case (GPU_PIXELS_RGBA, 20, 10, 2.5, GPU_BLUR_AUTO);

  c.settings.range = 0.1;
  c.ran = gpu_device_is_slow (gpu_fixture_device ())? GPU_BLUR_SEPARABLE
      : GPU_BLUR_DIRECT_SHARED;
  check_structure (fixture, &c);
  c.settings.sigma_x = 30;
  c.ran = GPU_BLUR_SEPARABLE;
  check_structure (fixture, &c);
}

/* Methods that sum no differences of colour. */
BLUR_TEST (other_methods)
{
  for (GpuBlurMethod m = GPU_BLUR_AUTO + 1; m < GPU_BLUR_N_METHODS; m++) {
    Case c = make_case (GPU_PIXELS_I420, 20, 10, 2, m);

    c.settings.range = 0.1;
    c.ran = m == GPU_BLUR_DIRECT_SHARED ? m : GPU_BLUR_SEPARABLE;
    check_structure (fixture, &c);
    g_assert_cmpint (fixture->report.precision, ==, GPU_BLUR_FLOAT);
  }
}

BLUR_TEST (values)
{
  const GpuBlurSettings settings = {.kernel = GPU_BLUR_BILATERAL,
    .sigma_x = 2, .sigma_y = 2, .radius = -1, .range = 0.1, .rounds = 1};

  FAILS (GPU_ERROR_UNSUPPORTED, gpu_blur_prepare (fixture->blur,
          GPU_PIXELS_RGBA16F, 9, 9, &settings, &error));
}

static void
test_identity (void)
{
  GpuBlurSettings settings = {.kernel = GPU_BLUR_BILATERAL, .sigma_x = 2,
    .radius = -1, .range = 0.1, .rounds = 1};

  g_assert_false (gpu_blur_is_identity (&settings));
  settings.range = 0;
  g_assert_true (gpu_blur_is_identity (&settings));
  settings.range = 0.1;
  settings.sigma_x = 0;
  g_assert_true (gpu_blur_is_identity (&settings));
  settings.sigma_y = 1;
  settings.radius = 0;
  g_assert_true (gpu_blur_is_identity (&settings));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  blur_fixture_add_tests ("/bilateral/", FALSE);
  g_test_add_func ("/bilateral/identity", test_identity);
  return gpu_fixture_run_tests ();
}
